/**
 * One setting of one detector: time to detection and time between mistakes, at the cost of five messages
 * a node and second. Heartbeats go to five observers, one a second. SWIM costs what it costs; where nothing
 * but loss goes wrong, all its times can be scaled alike, so they are told for the interval that makes it cost as much.
 */
import {
  createFailureDetector,
  type DetectorSettings,
  SWIM_VARIANTS,
  type SwimVariant,
  swimOptions,
} from '@rollcall/failure-detector';
import { type DetectionQuality, runHeartbeats } from './heartbeat-run.js';
import type { StudyResult, StudyTask } from './study.js';
import { SwimFleet } from './swim-fleet.js';

/** Messages a node sends in a second. */
export const COST = 5;
const INTERVAL_MS = 1_000;

export type Contender =
  | {
      readonly kind: 'heartbeats';
      readonly detector: DetectorSettings;
      readonly agreeing: number;
      /** Who beats to and fro with each member, in a second. */
      readonly observers: number;
      /** A heartbeat is a sign of life if it echoes one that arrived: two datagrams may be lost. */
      readonly isEchoed: boolean;
    }
  | { readonly kind: 'swim'; readonly variant: SwimVariant; readonly suspicionMult: number };

export interface ThresholdTask extends StudyTask {
  readonly series: string;
  /** The setting that makes the difference, as a person reads it. */
  readonly setting: string;
  readonly contender: Contender;
  readonly lossPercent: number;
  readonly hours: number;
  readonly nodes: number;
  readonly seed: number;
}

export interface ThresholdResult extends StudyResult {
  readonly task: ThresholdTask;
  readonly quality: DetectionQuality;
  /** Messages a node has sent in a second, before times were scaled. */
  readonly cost: number;
}

export function runThreshold(task: ThresholdTask): ThresholdResult {
  const { contender } = task;
  return contender.kind === 'swim' ? bySwim(task, contender) : byHeartbeats(task, contender);
}

function byHeartbeats(
  task: ThresholdTask,
  { detector, agreeing, observers, isEchoed }: Extract<Contender, { kind: 'heartbeats' }>,
): ThresholdResult {
  const { seed, lossPercent, hours, nodes } = task;
  const arrives = 1 - lossPercent / 100;
  const loss = 1 - (isEchoed ? arrives * arrives : arrives);
  const quality = runHeartbeats({
    seed,
    agreeing,
    observers,
    intervalMs: INTERVAL_MS,
    loss,
    createDetector: () => createFailureDetector(detector),
    // As many hours of a subject as SWIM has in a fleet.
    heartbeats: (hours * nodes * 3_600_000) / INTERVAL_MS,
  });
  const steps = observers * (quality.virtualMs / INTERVAL_MS);
  return { task, quality: atCost(quality, observers), cost: observers, steps };
}

/** What there is when all times are scaled so that it costs as much as the others. */
function atCost(quality: DetectionQuality, cost: number): DetectionQuality {
  const scale = cost / COST;
  return {
    mistakes: quality.mistakes,
    virtualMs: quality.virtualMs * scale,
    detectionMs: quality.detectionMs * scale,
  };
}

/** Crashes per setting: each has a fleet of its own. */
const CRASHES = 24;
const WARM_UP_MS = 10_000;
const GIVE_UP_MS = 600_000;

function bySwim(
  task: ThresholdTask,
  { variant, suspicionMult }: Extract<Contender, { kind: 'swim' }>,
): ThresholdResult {
  const { seed, nodes, lossPercent, hours } = task;
  const swim = swimOptions('lan', SWIM_VARIANTS[variant], { suspicionMult, pauseGuardMs: 0 });
  const loss = lossPercent / 100;
  const convicted = new Set<string>();
  const fleet = new SwimFleet({
    seed,
    nodes,
    swim,
    loss,
    // However many hear of it, one life is ended once.
    onVerdict: (_, { status, member, incarnation }) => {
      if (status === 'dead') convicted.add(`${member} ${incarnation}`);
    },
  });
  fleet.run(hours * 3_600_000);
  const virtualMs = nodes * fleet.nowMs;
  const cost = (1_000 * fleet.packets) / virtualMs;
  let steps = fleet.steps;
  let detectionMs = 0;
  for (let crash = 0; crash < CRASHES; crash++) {
    const seen = timeToConvict(seed * CRASHES + crash, { swim, loss, nodes });
    detectionMs += seen.ms / CRASHES;
    steps += seen.steps;
  }
  const quality = { mistakes: convicted.size, virtualMs, detectionMs };
  return { task, quality: atCost(quality, cost), cost, steps };
}

function timeToConvict(
  seed: number,
  {
    swim,
    loss,
    nodes,
  }: Pick<ConstructorParameters<typeof SwimFleet>[0], 'swim' | 'loss' | 'nodes'>,
): { readonly ms: number; readonly steps: number } {
  const crashMs = WARM_UP_MS + ((seed * 618) % 1_000);
  let deadMs = Number.POSITIVE_INFINITY;
  const fleet: SwimFleet = new SwimFleet({
    seed,
    nodes,
    swim,
    loss: loss ?? 0,
    onVerdict: (_, { member, status }, nowMs) => {
      if (member === 0 && status === 'dead' && nowMs >= crashMs) deadMs = Math.min(deadMs, nowMs);
    },
  });
  fleet.run(crashMs);
  fleet.crash(0);
  while (deadMs > fleet.nowMs && fleet.nowMs < GIVE_UP_MS) fleet.run(fleet.nowMs + 500);
  return { ms: Math.min(deadMs, GIVE_UP_MS) - crashMs, steps: fleet.steps };
}
