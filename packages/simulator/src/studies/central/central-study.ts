/**
 * The central study: a cache over forty nodes, one of which has a network card that drops what it receives for a
 * while. If that node is the one that checks all others, the cache is gone with it; among equals it is one of forty.
 */
import { nodeNames } from '../../node-name.js';
import { lineChart } from '../line-chart.js';
import {
  CONTESTANTS,
  type Contestant,
  endure,
  isProduction,
  LOSSLESS,
  type Opinion,
} from '../ordeal.js';
import {
  chosenOf,
  countOf,
  type StudyFlags,
  type StudyReport,
  type StudyResult,
  type StudyTask,
  study,
} from '../study.js';
import { type CacheSecond, REQUESTS_PER_S, runCache } from './cache-run.js';

interface CentralTask extends StudyTask {
  readonly contestant: Contestant;
  readonly nodes: number;
  readonly dropPercent: number;
  readonly badMs: number;
  readonly seed: number;
}

interface CentralResult extends StudyResult {
  readonly task: CentralTask;
  readonly seconds: readonly CacheSecond[];
}

export const centralStudy = study<CentralTask, CentralResult>({
  name: 'central',
  tasks,
  perform,
  report,
});

/** After the card is well again. */
const AFTERMATH_MS = 60_000;
const BAD_S = 20;

function tasks(flags: StudyFlags): readonly CentralTask[] {
  const nodes = countOf(flags, 'nodes', 40, 1_000);
  const dropPercent = countOf(flags, 'drop', 100, 100);
  const badMs = 1_000 * countOf(flags, 'seconds', BAD_S, 3_600);
  const seed = countOf(flags, 'seed', 1, Number.MAX_SAFE_INTEGER);
  if (nodes < 4) throw new Error(`--nodes takes at least 4, not '${nodes}'`);
  return chosenOf(flags, LOSSLESS).map(([contestant]) => {
    const weight = isProduction(contestant) ? 20 : 1;
    return { study: 'central', weight, contestant, nodes, dropPercent, badMs, seed };
  });
}

async function perform(task: CentralTask): Promise<CentralResult> {
  const { contestant, nodes, dropPercent, badMs, seed } = task;
  const opinions: Opinion[] = [];
  const forMs = badMs + AFTERMATH_MS;
  const { steps } = await endure(
    contestant,
    {
      seed,
      nodes,
      forMs,
      faulty: 0,
      stalls: [],
      loss: { kind: 'firstHearsLess', share: dropPercent / 100, untilMs: badMs },
    },
    (opinion) => opinions.push(opinion),
  );
  const names = nodeNames(nodes);
  const deafUntilMs = dropPercent === 100 ? badMs : 0;
  return { task, seconds: runCache({ seed, names, forMs, deafUntilMs, opinions }), steps };
}

function report(results: readonly CentralResult[]): StudyReport {
  const [{ task }] = results as readonly [CentralResult];
  const { nodes, dropPercent, badMs } = task;
  const nameOf = ({ task: { contestant } }: CentralResult) =>
    CONTESTANTS.find(([each]) => each === contestant)?.[1] ?? contestant;
  const worst = Math.max(...results.flatMap(({ seconds }) => seconds.map(({ misses }) => misses)));
  const top = Math.max(500, Math.ceil(worst / 500) * 500);
  const ends = (badMs + AFTERMATH_MS) / 1_000;
  return {
    head: [
      'PROTOCOL',
      'TAKEN OUT',
      'KEYS MOVED',
      'WORST HIT RATE',
      'STORE AT WORST',
      'STORE IN ALL',
    ],
    rows: results.map((result) => {
      const { seconds } = result;
      const sum = (of: (second: CacheSecond) => number) =>
        seconds.reduce((all, each) => all + of(each), 0);
      const most = (of: (second: CacheSecond) => number) => Math.max(...seconds.map(of));
      const misses = most((each) => each.misses);
      return [
        nameOf(result),
        `${most(({ out }) => out)} of ${nodes}`,
        sum(({ moved }) => moved).toLocaleString('en'),
        `${(100 * (1 - misses / REQUESTS_PER_S)).toFixed(1)} %`,
        `${misses.toLocaleString('en')} reads/s`,
        `${sum((each) => each.misses).toLocaleString('en')} reads`,
      ];
    }),
    notes: [
      `${nodes} cache nodes; the card of one, under a central checker of the checker, drops ${dropPercent} % of what it receives for ${badMs / 1_000} s, and is well for ${AFTERMATH_MS / 1_000} s.`,
      `20,000 keys, some far more often asked for than others, ${REQUESTS_PER_S.toLocaleString('en')} requests a second at nodes that can be reached, each of which routes by its own opinion.`,
      'Taken out, keys moved: as most nodes see it. A node that most had taken out comes back cold. What its owner does not hold is read from the store.',
    ],
    svg: lineChart({
      title: 'Load on the store behind a cache, when one network card goes bad',
      subtitle: `${nodes} nodes; a card drops ${dropPercent} % of what it receives from 0 to ${badMs / 1_000} s`,
      x: {
        label: 'seconds',
        ticks: Array.from({ length: Math.ceil(ends / 10) + 1 }, (_, i) => 10 * i),
      },
      y: {
        label: 'reads of the store per second',
        ticks: [0, 0.25, 0.5, 0.75, 1].map((s) => s * top),
      },
      series: results.map((result) => ({
        label: nameOf(result),
        line: result.seconds.map(({ misses }, second) => [second, misses] as const),
      })),
    }),
  };
}
