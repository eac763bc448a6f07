/**
 * The probe study: how often a probe fails though both ends are well, because datagrams are lost. A direct
 * answer takes two datagrams, one through a helper takes four, so with k helpers a probe fails with the
 * chance (1 - (1-p)²) × (1 - (1-p)⁴)^k. Measured on the machine itself, with suspicion off.
 */
import { FOREVER_MS, SWIM_VARIANTS, swimOptions } from '@rollcall/failure-detector';
import { lineChart } from './line-chart.js';
import {
  countOf,
  groupBy,
  type StudyFlags,
  type StudyReport,
  type StudyResult,
  type StudyTask,
  study,
} from './study.js';
import { SwimFleet } from './swim-fleet.js';

interface ProbeTask extends StudyTask {
  readonly lossPercent: number;
  readonly helpers: number;
  readonly probes: number;
  readonly nodes: number;
  readonly seed: number;
}

interface ProbeResult extends StudyResult {
  readonly task: ProbeTask;
  readonly ended: number;
  readonly failed: number;
}

const LOSSES = [1, 5, 10, 20, 30];
const HELPERS = [0, 1, 2, 3, 4, 5];

export const probeStudy = study<ProbeTask, ProbeResult>({ name: 'probe', tasks, perform, report });

function tasks(flags: StudyFlags): readonly ProbeTask[] {
  const probes = countOf(flags, 'probes', 100_000, 1_000_000_000);
  const nodes = countOf(flags, 'nodes', 32, 10_000);
  const seed = countOf(flags, 'seed', 1, Number.MAX_SAFE_INTEGER);
  const least = Math.max(...HELPERS) + 2;
  if (nodes < least)
    throw new Error(`--nodes takes at least ${least}, who are helpers, not '${nodes}'`);
  return LOSSES.flatMap((lossPercent) =>
    HELPERS.map((helpers) => {
      const weight = 1 + lossPercent * helpers;
      return { study: 'probe', weight, lossPercent, helpers, probes, nodes, seed };
    }),
  );
}

function perform(task: ProbeTask): ProbeResult {
  const { seed, nodes, helpers, probes, lossPercent } = task;
  const alone = { helpers, onFailure: 'nothing', syncIntervalMs: 0, recallDeadMs: 0 } as const;
  const swim = swimOptions('lan', SWIM_VARIANTS.swim, alone, { forgetDeadMs: FOREVER_MS });
  const fleet = new SwimFleet({ seed, nodes, swim, loss: lossPercent / 100 });
  const ended = () => fleet.nodes.reduce((sum, node) => sum + node.probes.ended, 0);
  // A probe a second each.
  while (ended() < probes) fleet.run(fleet.nowMs + 1_000 * Math.ceil((probes - ended()) / nodes));
  const failed = fleet.nodes.reduce((sum, node) => sum + node.probes.failed, 0);
  return { task, ended: ended(), failed, steps: fleet.steps };
}

/** The chance that a probe fails. */
export function probeFailure(loss: number, helpers: number): number {
  const direct = 1 - (1 - loss) ** 2;
  const byHelper = 1 - (1 - loss) ** 4;
  return direct * byHelper ** helpers;
}

const expectedOf = ({ lossPercent, helpers }: ProbeTask) =>
  probeFailure(lossPercent / 100, helpers);

/** By how many standard errors what was measured is off. */
function standardErrorsOff({ task, ended, failed }: ProbeResult): number {
  const expected = expectedOf(task);
  return (failed / ended - expected) / Math.sqrt((expected * (1 - expected)) / ended);
}

const percent = (share: number): string => `${(100 * share).toPrecision(3)} %`;

function report(results: readonly ProbeResult[]): StudyReport {
  const far = results.filter((result) => Math.abs(standardErrorsOff(result)) > 2.5).length;
  return {
    head: ['LOSS', 'HELPERS', 'PROBES', 'FAILED', 'MEASURED', 'FORMULA', 'STANDARD ERRORS OFF'],
    rows: results.map((result) => [
      `${result.task.lossPercent} %`,
      String(result.task.helpers),
      result.ended.toLocaleString('en'),
      result.failed.toLocaleString('en'),
      percent(result.failed / result.ended),
      percent(expectedOf(result.task)),
      standardErrorsOff(result).toFixed(2),
    ]),
    notes: [
      'Formula: (1 - (1-p)^2) x (1 - (1-p)^4)^k for p lost datagrams and k helpers.',
      `${far} of ${results.length} are more than 2.5 standard errors off; by chance alone about one in eighty is.`,
    ],
    svg: lineChart({
      title: 'Probes that fail though both ends are well',
      subtitle: 'Lines: the formula. Dots: measured.',
      x: { label: 'helpers asked', ticks: HELPERS },
      y: {
        label: 'share of probes that fail',
        isLogarithmic: true,
        ticks: [1e-6, 1e-5, 1e-4, 1e-3, 1e-2, 1e-1, 1],
        show: (tick) => `${Number((100 * tick).toPrecision(1))} %`,
      },
      series: [...groupBy(results, ({ task }) => `${task.lossPercent} % lost`)].map(
        ([label, some]) => ({
          label,
          line: some.map(({ task }) => [task.helpers, expectedOf(task)] as const),
          dots: some.map(({ task, ended, failed }) => [task.helpers, failed / ended] as const),
        }),
      ),
    }),
  };
}
