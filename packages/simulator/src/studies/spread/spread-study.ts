/** The spread study: rounds until a piece of news has reached everybody, by push, pull and push-pull. */
import { SeededRandom } from '../../seeded-random.js';
import { lineChart } from '../line-chart.js';
import {
  countOf,
  listOf,
  type StudyFlags,
  type StudyReport,
  type StudyResult,
  type StudyTask,
  study,
} from '../study.js';
import { type Spread, spread, type Way } from './rumour.js';

interface SpreadTask extends StudyTask {
  readonly way: Way;
  readonly nodes: number;
  readonly runs: number;
  readonly seed: number;
}

interface SpreadResult extends StudyResult {
  readonly task: SpreadTask;
  /** Means over all runs. */
  readonly rounds: number;
  readonly roundsToHalf: number;
  readonly copiesPerNode: number;
  readonly worst: number;
  /** The mean share that knew after each round. */
  readonly shares: readonly number[];
}

const WAYS: readonly Way[] = ['push', 'pull', 'push-pull'];

export const spreadStudy = study<SpreadTask, SpreadResult>({
  name: 'spread',
  tasks,
  perform,
  report,
});

function tasks(flags: StudyFlags): readonly SpreadTask[] {
  const runs = countOf(flags, 'runs', 1_000, 1_000_000);
  const seed = countOf(flags, 'seed', 1, Number.MAX_SAFE_INTEGER);
  return sizesOf(flags).flatMap((nodes) =>
    WAYS.map((way) => ({ study: 'spread', weight: nodes, way, nodes, runs, seed })),
  );
}

function sizesOf({ sizes = '40,400,4000' }: StudyFlags): readonly number[] {
  return listOf(sizes, (text) => {
    const nodes = /^\d{1,7}$/.test(text.trim()) ? Number(text) : 0;
    if (nodes >= 2) return nodes;
    throw new Error(`--sizes takes a list such as 40,400: whole numbers from 2; not '${text}'`);
  });
}

function perform(task: SpreadTask): SpreadResult {
  const { way, nodes, runs, seed } = task;
  const chance = new SeededRandom(seed, way, nodes);
  const all = Array.from({ length: runs }, () => spread(way, nodes, chance));
  const mean = (of: (each: Spread) => number) =>
    all.reduce((sum, each) => sum + of(each), 0) / runs;
  const worst = Math.max(...all.map(roundsOf));
  const rounds = mean(roundsOf);
  return {
    task,
    rounds,
    worst,
    copiesPerNode: mean(({ copies }) => copies) / nodes,
    roundsToHalf: mean(({ knowing }) => knowing.findIndex((count) => 2 * count >= nodes)),
    shares: Array.from({ length: worst + 1 }, (_, round) =>
      mean(({ knowing }) => (knowing[round] ?? nodes) / nodes),
    ),
    steps: nodes * rounds * runs,
  };
}

const roundsOf = ({ knowing }: Spread): number => knowing.length - 1;

function report(results: readonly SpreadResult[]): StudyReport {
  const [{ task }] = results as readonly [SpreadResult];
  const largest = Math.max(...results.map((result) => result.task.nodes));
  const last = Math.ceil(Math.max(...results.map(({ rounds }) => rounds)) / 5) * 5;
  return {
    head: ['NODES', 'WAY', 'ROUNDS', 'WORST', 'TO HALF', 'FROM HALF TO ALL', 'COPIES PER NODE'],
    rows: results.map(({ task: { nodes, way }, ...result }) => [
      nodes.toLocaleString('en'),
      way,
      result.rounds.toFixed(2),
      String(result.worst),
      result.roundsToHalf.toFixed(2),
      (result.rounds - result.roundsToHalf).toFixed(2),
      result.copiesPerNode.toFixed(2),
    ]),
    notes: [
      `Rounds until all know, means of ${task.runs.toLocaleString('en')} runs; each node turns to one other a round.`,
      'Copies: how often the news is sent until then, by nodes that never tire of it.',
    ],
    svg: lineChart({
      title: 'How news spreads: push, pull, push-pull',
      subtitle: `${largest.toLocaleString('en')} nodes; push is slow to reach the last, pull slow to begin`,
      x: { label: 'round', ticks: Array.from({ length: last / 5 + 1 }, (_, i) => 5 * i) },
      y: {
        label: 'share that knows',
        ticks: [0, 0.25, 0.5, 0.75, 1],
        show: (tick) => `${100 * tick} %`,
      },
      series: results
        .filter((result) => result.task.nodes === largest)
        .map(({ task: { way }, shares }) => ({
          label: way,
          line: shares.map((share, round) => [round, share] as const),
        })),
    }),
  };
}
