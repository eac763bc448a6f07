/**
 * The crash study: how long until a node that really crashed is suspected somewhere, declared dead
 * somewhere, and declared dead by everybody. What is gained against false deaths must not be lost here.
 */
import type { SwimVariant } from '@rollcall/failure-detector';
import { lineChart } from './line-chart.js';
import {
  countOf,
  type StudyFlags,
  type StudyReport,
  type StudyResult,
  type StudyTask,
  study,
} from './study.js';
import { SwimFleet } from './swim-fleet.js';
import { asStudied, PROTOCOLS } from './swim-protocols.js';

interface CrashTask extends StudyTask {
  readonly variant: SwimVariant;
  readonly nodes: number;
  readonly seed: number;
}

interface CrashResult extends StudyResult {
  readonly task: CrashTask;
  /** After the crash. */
  readonly suspectedMs: number;
  readonly deadMs: number;
  readonly deadEverywhereMs: number;
}

const WARM_UP_MS = 10_000;
const STEP_MS = 1_000;
/** Longer than patience can be. */
const GIVE_UP_MS = 3_600_000;

export const crashStudy = study<CrashTask, CrashResult>({ name: 'crash', tasks, perform, report });

function tasks(flags: StudyFlags): readonly CrashTask[] {
  const nodes = countOf(flags, 'nodes', 128, 10_000);
  const seeds = countOf(flags, 'seeds', 100, 100_000);
  if (nodes < 3) throw new Error(`--nodes takes at least 3, not '${nodes}'`);
  return PROTOCOLS.flatMap(([variant]) =>
    Array.from({ length: seeds }, (_, i): CrashTask => {
      return { study: 'crash', weight: nodes, variant, nodes, seed: i + 1 };
    }),
  );
}

function perform(task: CrashTask): CrashResult {
  const { variant, nodes, seed } = task;
  const swim = asStudied(variant, 'ticker');
  // At another point of the probe interval in each run.
  const crashMs = WARM_UP_MS + ((seed * 618) % 1_000);
  const firstMs = { suspect: 0, dead: 0 };
  let knowing = 0;
  let lastMs = 0;
  const fleet = new SwimFleet({
    ...{ seed, nodes, swim },
    onVerdict: (_, { member, status }, nowMs) => {
      if (member !== 0 || nowMs < crashMs) return;
      if ((status === 'suspect' || status === 'dead') && firstMs[status] === 0)
        firstMs[status] = nowMs;
      if (status === 'dead') knowing++;
      lastMs = nowMs;
    },
  });
  fleet.run(crashMs);
  fleet.crash(0);
  while (knowing < nodes - 1 && fleet.nowMs < GIVE_UP_MS) fleet.run(fleet.nowMs + STEP_MS);
  return {
    task,
    suspectedMs: firstMs.suspect - crashMs,
    deadMs: firstMs.dead - crashMs,
    deadEverywhereMs: lastMs - crashMs,
    steps: fleet.steps,
  };
}

/** The value that this share of them does not exceed. */
function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] as number;
}

const seconds = (ms: number): string => (ms / 1_000).toFixed(2);

function report(results: readonly CrashResult[]): StudyReport {
  const of = (variant: SwimVariant) => results.filter(({ task }) => task.variant === variant);
  const [{ task }] = results as readonly [CrashResult];
  return {
    head: ['PROTOCOL', 'SUSPECTED', 'DEAD SOMEWHERE', '95 %', 'DEAD EVERYWHERE', '95 %'],
    rows: PROTOCOLS.map(([variant, name]) => {
      const [suspected, dead, everywhere] = [
        of(variant).map(({ suspectedMs }) => suspectedMs),
        of(variant).map(({ deadMs }) => deadMs),
        of(variant).map(({ deadEverywhereMs }) => deadEverywhereMs),
      ] as const;
      const last = [quantile(everywhere, 0.5), quantile(everywhere, 0.95)];
      const all = [quantile(suspected, 0.5), quantile(dead, 0.5), quantile(dead, 0.95), ...last];
      return [name, ...all.map(seconds)];
    }),
    notes: [
      `Seconds after the crash of one of ${task.nodes} nodes, medians of ${of('swim').length} crashes, and what 95 % do not exceed.`,
    ],
    svg: lineChart({
      title: 'How long until a crashed node is declared dead somewhere',
      subtitle: `${task.nodes} nodes, one crashes; protocols that do not differ lie on each other`,
      x: { label: 'seconds after the crash', ticks: [0, 5, 10, 15, 20, 25, 30] },
      y: {
        label: 'share of crashes',
        ticks: [0, 0.25, 0.5, 0.75, 1],
        show: (tick) => `${100 * tick} %`,
      },
      series: PROTOCOLS.map(([variant, name]) => {
        const sorted = of(variant)
          .map(({ deadMs }) => deadMs / 1_000)
          .sort((a, b) => a - b);
        const line = sorted.map((at, i) => [at, (i + 1) / sorted.length] as const);
        return { label: name, line };
      }),
    }),
  };
}
