/**
 * Lives through a plan. While faults last only safety is checked, after every step, from outside
 * (`checker.ts`); then all of them stop, and being stuck within a stated bound is a fault too. What has
 * come to rest must also stay at rest.
 */
import type { Settings } from '@rollcall/core';
import { SimulationError } from '../simulation-error.js';
import type { Trace, TraceOptions } from '../trace.js';
import { paceOf, settingsOf } from './draw-settings.js';
import { type EndKind, judge, needless } from './judgement.js';
import type { Plan } from './plan.js';
import { Stage } from './stage.js';

/** It ended as it may. */
export interface Settled {
  readonly kind: 'settled';
  readonly end: EndKind;
  /** After the last fault. */
  readonly afterMs: number;
}

/**
 * `violation`: safety is broken. `stuck`: it came to no end within the bound. `restless`: it was at
 * rest, and something changed though nothing happened. `needless`: a node ended that need not have.
 */
export interface Failed {
  readonly kind: 'violation' | 'stuck' | 'restless' | 'needless';
  readonly atMs: number;
  readonly what: string;
}

export type SeedVerdict = Settled | Failed;

export interface Survival {
  readonly verdict: SeedVerdict;
  /** Timers and packets. */
  readonly events: number;
  readonly virtualMs: number;
  /** Every node's view at the end, a line each. */
  readonly report: string;
  readonly trace: Trace;
}

/** How often it is asked whether it has come to rest. */
const ASK_MS = 100;
/** Longest that links are held up by what was lost before faults stopped (`fault-rule.ts`). */
const HELD_MS = 10_000;
/** How often it is looked at once it has. */
const LOOK_MS = 1_000;

/**
 * Within so long after the last fault it has to be at rest: three times over everything that may have to
 * happen one after another. A silence is noticed, a decision is taken and those who lost stop; a
 * supervisor starts them again and they join; a joiner whom nobody can let in gives up; a leaver that
 * cannot be agreed on leaves by itself; seeds and far members are asked again.
 */
export function boundMs(settings: Settings, supervisorMs = 0): number {
  const { detectMs, decideMs, calmMs } = paceOf(settings);
  const { join, leave, gossip, limits } = settings;
  const joinMs = join.seedTimeout + 2 * join.retryAfter + join.batchMax + supervisorMs;
  const leaveMs = leave.timeout + leave.linger;
  const linkMs = limits.reconnectMax + limits.handshake;
  const repairMs = 2 * gossip.farInterval + 2 * join.recheckSeeds;
  const roundMs = detectMs + decideMs + joinMs + leaveMs + linkMs + repairMs;
  return 3 * roundMs + calmMs + join.giveUpAfter + 10_000;
}

/** The echo of the last fault: what is in flight and held up, links to be dialled anew, grace after a pause, who is held for coming and going. */
function aftermathMs(settings: Settings): number {
  const { limits, detector, pause } = settings;
  const graceMs = (1 + pause.graceFactor) * detector.acceptablePause;
  const { detectMs, calmMs } = paceOf(settings);
  return 2 * detectMs + calmMs + graceMs + limits.reconnectMax + limits.handshake + HELD_MS;
}

/** The dead stay, and one that stands behind others is found when these have been: a detection each, at worst. */
const waysPastMs = ({ sim }: Stage, settings: Settings): number =>
  (sim.nodes.length - sim.running.length) * paceOf(settings).detectMs;

export async function survive(plan: Plan, trace: Partial<TraceOptions> = {}): Promise<Survival> {
  let complaint: string | undefined;
  const stage = new Stage(plan, { detail: 'none', ...trace }, (name, ending) => {
    complaint ??= needless(stage, name, ending);
  });
  const { sim } = stage;
  let verdict: SeedVerdict;
  try {
    await sim.run(plan.faultsEndMs);
    stage.heal();
    verdict = await comeToRest(stage, () => complaint);
  } catch (error) {
    if (!(error instanceof SimulationError)) throw error;
    verdict = { kind: 'violation', atMs: error.atMs, what: error.problem };
  }
  const { events, nowMs: virtualMs } = sim;
  return { verdict, events, virtualMs, report: sim.report(), trace: sim.trace };
}

async function comeToRest(stage: Stage, complaint: () => string | undefined): Promise<SeedVerdict> {
  const { sim, plan } = stage;
  const settings = settingsOf(plan.settings);
  const healedMs = sim.nowMs;
  const untilMs = healedMs + boundMs(settings, plan.supervisorMs);
  for (;;) {
    await sim.run(ASK_MS);
    const what = complaint();
    if (what !== undefined) return { kind: 'needless', atMs: sim.nowMs, what };
    const judgement = judge(stage);
    const afterMs = Math.round(sim.nowMs - healedMs);
    if ('end' in judgement) {
      const restless = await unrest(stage, settings);
      if (restless === undefined) return { kind: 'settled', end: judgement.end, afterMs };
      // Only an operator removes them: that is so in each of several clusters, too.
      const isManual = settings.downing.strategy === 'manual';
      const waysMs = isManual ? waysPastMs(stage, settings) : 0;
      if (sim.nowMs - healedMs > aftermathMs(settings) + waysMs) return restless;
    } else if (sim.nowMs >= untilMs) {
      const waits = `${afterMs} ms after the last fault it still waits for ${judgement.waitsFor}`;
      return { kind: 'stuck', atMs: sim.nowMs, what: waits };
    }
  }
}

/** For as long as it takes to notice something and to act on it, nothing may change any more. */
async function unrest(stage: Stage, settings: Settings): Promise<SeedVerdict | undefined> {
  const { sim } = stage;
  const { detectMs, decideMs } = paceOf(settings);
  const views = () => sim.nodes.map((run) => `${run.name} ${run.phase} ${run.state?.digest}`);
  const before = views();
  const untilMs = sim.nowMs + detectMs + decideMs;
  while (sim.nowMs < untilMs && sim.running.length > 0) {
    await sim.run(Math.min(LOOK_MS, untilMs - sim.nowMs));
    const changed = views().find((view, i) => view !== before[i]);
    if (changed === undefined) continue;
    const what = `all was at rest, and then something changed at ${changed.split(' ')[0]}`;
    return { kind: 'restless', atMs: sim.nowMs, what };
  }
  return undefined;
}
