/**
 * The stall study: some nodes stand still again and again, as in a long collection of garbage or on a
 * machine that swaps, and wake to find that they have heard nobody. Are those convicted that ran all the time?
 */
import { SeededRandom } from '../seeded-random.js';
import { ENOUGH, LOSSLESS, type Stall } from './ordeal.js';
import {
  type OrdealResult,
  type OrdealTask,
  ordealReport,
  ordealTasks,
  performOrdeal,
} from './ordeal-report.js';
import { countOf, type StudyFlags, type StudyReport, study } from './study.js';

export const stallStudy = study<OrdealTask, OrdealResult>({
  name: 'stall',
  tasks,
  perform: performOrdeal,
  report,
});

const PERCENTS = [1, 3, 10];
/** Uniform between these. */
const STALL_MS = [1_000, 30_000] as const;
const BETWEEN_MS = [30_000, 150_000] as const;

function tasks(flags: StudyFlags): readonly OrdealTask[] {
  const nodes = countOf(flags, 'nodes', 50, 5_000);
  if (nodes < 4) throw new Error(`--nodes takes at least 4, not '${nodes}'`);
  const countBy = (percent: number) => Math.max(1, Math.round((percent * nodes) / 100));
  // In a small cluster several shares are the same count.
  const isFirst = (percent: number) =>
    PERCENTS.find((each) => countBy(each) === countBy(percent)) === percent;
  return ordealTasks(
    'stall',
    flags,
    PERCENTS.filter(isFirst).map((percent) => ({
      name: `${percent}`,
      group: 'stalling',
      label: `${countBy(percent)} of ${nodes}`,
      ordealOf: (seed, forMs) => {
        const faulty = countBy(percent);
        const stalls = stallsOf(seed, nodes, faulty, forMs);
        return { seed, nodes, forMs, faulty, loss: { kind: 'none' }, stalls };
      },
    })),
    LOSSLESS,
  );
}

/** Each of the last so many stands still for a while, and runs for a while. */
function stallsOf(seed: number, nodes: number, stalling: number, forMs: number): readonly Stall[] {
  const stalls: Stall[] = [];
  for (let node = nodes - stalling; node < nodes; node++) {
    const luck = new SeededRandom(seed, 'stalls', node);
    const between = ([least, most]: readonly [number, number]) =>
      Math.round(least + (most - least) * luck.next());
    for (let atMs = between(BETWEEN_MS) / 2; atMs < forMs; ) {
      const ms = between(STALL_MS);
      stalls.push({ node, atMs, forMs: ms });
      atMs += ms + between(BETWEEN_MS);
    }
  }
  return stalls.sort((a, b) => a.atMs - b.atMs);
}

function report(results: readonly OrdealResult[]): StudyReport {
  return ordealReport(results, {
    title: 'Nodes that never stalled, convicted per hour',
    subtitle:
      'Some stand still for 1 to 30 s, again and again, and judge the others when they wake',
    notes: [
      'Each of those that stall runs for 30 to 150 s, then stands still for 1 to 30 s; what is sent to it waits. Last in the list; under the central checker another one checks.',
      'Healthy convicted: how often nobody held a node dead that never stalled, and then such a node did. Told: by each of them.',
      'Faulty held: of the time since its first conviction, how much the others held one that stalls dead.',
      `Rollcall: production nodes, downing.strategy=manual. A run of them ends early once ${ENOUGH} healthy ones have been convicted.`,
    ],
  });
}
