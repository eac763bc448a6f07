/**
 * The loss study: who is convicted when packets are lost, everywhere or around one node. Healthy are all
 * whose own links lose no more than anybody's; of the one that is faulty it is told how long it was held dead.
 */
import { ENOUGH, type Loss } from './ordeal.js';
import {
  type OrdealResult,
  type OrdealTask,
  ordealReport,
  ordealTasks,
  performOrdeal,
  type Trouble,
} from './ordeal-report.js';
import { countOf, type StudyFlags, type StudyReport, study } from './study.js';

export const lossStudy = study<OrdealTask, OrdealResult>({
  name: 'loss',
  tasks,
  perform: performOrdeal,
  report,
});

/** Rapid's (Suresh et al. 2018, figures 9 and 10): twenty seconds deaf, twenty not; eight of ten lost. */
const DEAF_MS = 20_000;

function tasks(flags: StudyFlags): readonly OrdealTask[] {
  const nodes = countOf(flags, 'nodes', 50, 5_000);
  if (nodes < 4) throw new Error(`--nodes takes at least 4, not '${nodes}'`);
  const everywhere = [10, 30, 50].map((percent) =>
    trouble(`${percent}`, ['every link', `${percent} %`], nodes, 0, {
      kind: 'everywhere',
      share: percent / 100,
    }),
  );
  return ordealTasks('loss', flags, [
    ...everywhere,
    trouble('one', ['one node', '80 %'], 2 * nodes, 1, { kind: 'aroundOne', share: 0.8 }),
    trouble('deaf', ['one node', 'deaf in turns'], 2 * nodes, 1, {
      kind: 'deafInTurns',
      periodMs: DEAF_MS,
    }),
  ]);
}

function trouble(
  name: string,
  [group, label]: readonly [string, string],
  nodes: number,
  faulty: number,
  loss: Loss,
): Trouble {
  return {
    name,
    group,
    label,
    ordealOf: (seed, forMs) => ({ seed, nodes, forMs, faulty, loss, stalls: [] }),
  };
}

function report(results: readonly OrdealResult[]): StudyReport {
  const sizes = new Set(results.map(({ task }) => task.ordeal.nodes));
  return ordealReport(results, {
    title: 'Healthy nodes convicted per hour, when packets are lost',
    subtitle: `${[...sizes].join(' and ')} nodes; every link loses so many, or those of one node do`,
    notes: [
      'Healthy convicted: how often nobody held a healthy node dead, and then some healthy node did. Told: by each of them.',
      'Faulty held: of the time since its first conviction, how much the others held the faulty one dead. Deaf in turns: 20 s nothing reaches it, 20 s all does.',
      'Rollcall: production nodes, downing.strategy=manual, each frame lost by itself. Rollcall, TCP: what is lost on a link is sent again after 200 ms, then twice that, and all behind it waits; datagrams beside it are lost one by one.',
      `A run of production nodes ends early once ${ENOUGH} healthy ones have been convicted.`,
    ],
  });
}
