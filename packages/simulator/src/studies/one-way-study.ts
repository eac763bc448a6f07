/**
 * The one-way study: the way from one node to a neighbour is cut, and the way back is open. Heartbeats that are
 * not answered are no sign of life, so both ends notice, about as soon as when both ways are cut. Last, the
 * cut comes and goes.
 */
import type { ClusterEvent } from '@rollcall/core';
import { cut, flipFlop, type Rule } from '../rule.js';
import { lineChart } from './line-chart.js';
import { ProductionFleet } from './production-fleet.js';
import {
  countOf,
  type StudyFlags,
  type StudyReport,
  type StudyResult,
  type StudyTask,
  study,
} from './study.js';

type Cut = 'two-way' | 'one-way' | 'flip-flop';

interface OneWayTask extends StudyTask {
  readonly cut: Cut;
  readonly nodes: number;
  readonly seed: number;
}

interface OneWayResult extends StudyResult {
  readonly task: OneWayTask;
  /** After the cut, when that end's phi was at its threshold; undefined if that never happened. */
  readonly senderMs: number | undefined;
  readonly receiverMs: number | undefined;
  /** Nodes that were unreachable for the cluster at some time. */
  readonly convicted: readonly string[];
}

const CUTS: readonly Cut[] = ['two-way', 'one-way', 'flip-flop'];
/** Rapid's (Suresh et al. 2018, figure 9). */
const PERIOD_MS = 20_000;
const LASTS_MS = 60_000;
const LOOK_EVERY_MS = 20;

export const oneWayStudy = study<OneWayTask, OneWayResult>({
  name: 'one-way',
  tasks,
  perform,
  report,
});

function tasks(flags: StudyFlags): readonly OneWayTask[] {
  const nodes = countOf(flags, 'nodes', 5, 5_000);
  const seeds = countOf(flags, 'seeds', 40, 100_000);
  if (nodes < 3) throw new Error(`--nodes takes at least 3, not '${nodes}'`);
  return CUTS.flatMap((each) =>
    Array.from({ length: seeds }, (_, i): OneWayTask => {
      return { study: 'one-way', weight: nodes, cut: each, nodes, seed: i + 1 };
    }),
  );
}

async function perform(task: OneWayTask): Promise<OneWayResult> {
  const convicted = new Set<string>();
  const fleet = await ProductionFleet.form({
    seed: task.seed,
    nodes: task.nodes,
    settings: { downing: { strategy: 'manual' } },
    onEvent: (_, event) => note(convicted, event),
  });
  const { sim, names } = fleet;
  const sender = names.at(-1) as string;
  const observed = sim.node(sender).cluster.links.map(({ subject }) => subject);
  const receiver = names.find((name) => observed.includes(sim.node(name).key ?? '')) as string;
  // One that comes and goes does so by the clock; all begin with it, at the same moment between two heartbeats.
  await sim.run(2 * PERIOD_MS - (sim.nowMs % (2 * PERIOD_MS)));
  for (const rule of rulesOf(task.cut, sender, receiver)) sim.add(rule, `${task.cut} cut`);
  const startMs = sim.nowMs;
  let [senderMs, receiverMs]: (number | undefined)[] = [undefined, undefined];
  while (sim.nowMs - startMs < LASTS_MS) {
    await sim.run(LOOK_EVERY_MS);
    const afterMs = sim.nowMs - startMs;
    if (senderMs === undefined && hasTripped(fleet, sender, receiver)) senderMs = afterMs;
    if (receiverMs === undefined && hasTripped(fleet, receiver, sender)) receiverMs = afterMs;
  }
  return { task, senderMs, receiverMs, convicted: [...convicted].sort(), steps: sim.events };
}

function note(convicted: Set<string>, event: ClusterEvent): void {
  if (event.type === 'memberUnreachable') convicted.add(event.member.address);
}

function rulesOf(which: Cut, sender: string, receiver: string): readonly Rule[] {
  const there = cut(sender, receiver);
  if (which === 'one-way') return [there];
  if (which === 'flip-flop') return [flipFlop(PERIOD_MS, there)];
  return [there, cut(receiver, sender)];
}

/** Does this end hold the other one silent for too long? */
function hasTripped({ sim }: ProductionFleet, end: string, other: string): boolean {
  const run = sim.node(end);
  const subject = sim.node(other).key;
  const link = run.cluster.links.find((each) => each.subject === subject);
  return (
    link !== undefined && (!link.reachable || link.phi >= run.options.settings.detector.threshold)
  );
}

const median = (values: readonly number[]): number =>
  [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;

const seconds = (ms: number): string => (Number.isFinite(ms) ? (ms / 1_000).toFixed(2) : '-');

function report(results: readonly OneWayResult[]): StudyReport {
  const [{ task }] = results as readonly [OneWayResult];
  const timesOf = (which: Cut, end: 'senderMs' | 'receiverMs') =>
    results.filter((each) => each.task.cut === which).flatMap((each) => each[end] ?? []);
  const convictedOf = (which: Cut) =>
    results
      .filter((each) => each.task.cut === which)
      .reduce((sum, { convicted }) => sum + convicted.length, 0);
  const ends = [
    ['senderMs', 'sender'],
    ['receiverMs', 'receiver'],
  ] as const;
  return {
    head: ['CUT', 'END', 'NOTICED IN', 'MEDIAN S', 'WORST S', 'UNREACHABLE FOR THE CLUSTER'],
    rows: CUTS.flatMap((which) =>
      ends.map(([end, name]) => {
        const times = timesOf(which, end);
        const runs = results.filter((each) => each.task.cut === which).length;
        return [
          which,
          name,
          `${times.length} of ${runs}`,
          seconds(median(times)),
          seconds(times.length === 0 ? Number.NaN : Math.max(...times)),
          String(convictedOf(which)),
        ];
      }),
    ),
    notes: [
      `One link of ${task.nodes} production nodes is cut for a minute: nothing gets from the sender to the receiver (one-way), or back (two-way); flip-flop: one way, 20 s cut and 20 s whole.`,
      'Noticed: the end holds the other silent for too long. Two must agree before that makes anybody unreachable for the cluster, and a link that is cut is no reason.',
    ],
    svg: lineChart({
      title: 'How long until a cut link is noticed, at either end',
      subtitle: `${task.nodes} nodes; a cut in one direction is noticed at both ends, as a cut in both is`,
      x: { label: 'seconds after the cut', ticks: [0, 1, 2, 3, 4, 5, 6, 7, 8] },
      y: {
        label: 'share of cuts',
        ticks: [0, 0.25, 0.5, 0.75, 1],
        show: (tick) => `${100 * tick} %`,
      },
      series: (['two-way', 'one-way'] as const).flatMap((which) =>
        ends.map(([end, name]) => {
          const sorted = timesOf(which, end).sort((a, b) => a - b);
          const line = sorted.map((ms, i) => [ms / 1_000, (i + 1) / sorted.length] as const);
          return { label: `${which}, ${name}`, line };
        }),
      ),
    }),
  };
}
