/**
 * The threshold study: patience costs time to detection and saves mistakes, for every detector at another
 * rate. Each is run over its own settings, at the same cost in messages, over a network that loses some.
 */
import type { DetectorSettings, SwimVariant } from '@rollcall/failure-detector';
import { lineChart } from './line-chart.js';
import { countOf, groupBy, type StudyFlags, type StudyReport, study } from './study.js';
import {
  COST,
  type Contender,
  runThreshold,
  type ThresholdResult,
  type ThresholdTask,
} from './threshold-run.js';

export const thresholdStudy = study<ThresholdTask, ThresholdResult>({
  name: 'threshold',
  tasks,
  perform: runThreshold,
  report,
});

interface Series {
  readonly name: string;
  readonly points: readonly { readonly setting: string; readonly contender: Contender }[];
}

/** Its threshold moves little, its acceptable pause a lot. */
const phi = (agreeing: number) => (pause: number) =>
  heartbeats(
    `pause ${pause} s`,
    { kind: 'phi-normal', acceptablePauseMs: 1_000 * pause },
    agreeing,
  );

function heartbeats(setting: string, detector: DetectorSettings, agreeing = 1) {
  const [observers, isEchoed] = [COST, false];
  const contender = { kind: 'heartbeats', detector, agreeing, observers, isEchoed } as const;
  return { setting, contender };
}

/** Five rings, both ways; two of the ten must agree. */
const rollcall = (pause: number) => {
  const { setting, contender } = phi(2)(pause);
  return { setting, contender: { ...contender, observers: 10, isEchoed: true } as const };
};

const swim = (variant: SwimVariant) => (suspicionMult: number) => ({
  setting: `multiplier ${suspicionMult}`,
  contender: { kind: 'swim', variant, suspicionMult } as const,
});

const SERIES: readonly Series[] = [
  { name: 'phi-normal', points: [0, 1, 2, 3, 4, 5].map(phi(1)) },
  { name: 'phi-normal, two agree', points: [0, 1, 2, 3, 4, 5].map(phi(2)) },
  { name: 'Rollcall', points: [0, 1, 2, 3, 4, 5].map(rollcall) },
  {
    name: 'phi-exponential',
    points: [1, 1.5, 2, 2.5, 3, 4].map((threshold) =>
      heartbeats(`phi ${threshold}`, { kind: 'phi-exponential', threshold }),
    ),
  },
  {
    name: 'deadline',
    points: [2.5, 3.5, 4.5, 5.5, 6.5, 8.5].map((seconds) =>
      heartbeats(`${seconds} s`, { kind: 'deadline', acceptablePauseMs: 1_000 * (seconds - 1) }),
    ),
  },
  { name: 'SWIM', points: [1, 2, 3, 4, 5, 6].map(swim('swim')) },
  { name: 'Lifeguard', points: [1, 2, 3, 4, 5, 6].map(swim('lifeguard')) },
];

function tasks(flags: StudyFlags): readonly ThresholdTask[] {
  const lossPercent = countOf(flags, 'loss', 10, 90);
  const hours = countOf(flags, 'hours', 4, 100_000);
  const nodes = countOf(flags, 'nodes', 32, 10_000);
  const seed = countOf(flags, 'seed', 1, Number.MAX_SAFE_INTEGER);
  if (nodes < 6) throw new Error(`--nodes takes at least 6: five observe one, not '${nodes}'`);
  return SERIES.flatMap(({ name, points }) =>
    points.map(({ setting, contender }) => {
      const weight = contender.kind === 'swim' ? 10 : 1;
      const run = { lossPercent, hours, nodes, seed };
      return { study: 'threshold', weight, series: name, setting, contender, ...run };
    }),
  );
}

const TICKS = [
  ...([
    [1, '1 s'],
    [10, '10 s'],
    [60, '1 min'],
    [600, '10 min'],
  ] as const),
  ...([
    [3_600, '1 h'],
    [36_000, '10 h'],
    [360_000, '100 h'],
  ] as const),
];

/** Every five seconds, up to the last one needed. */
function secondsFor(results: readonly ThresholdResult[]): readonly number[] {
  const longestMs = Math.max(...results.map(({ quality }) => quality.detectionMs));
  return Array.from({ length: Math.ceil(longestMs / 5_000) + 1 }, (_, i) => 5 * i);
}

/** Seconds between two mistakes about one subject; Infinity if there was none. */
const recurrence = ({ quality }: ThresholdResult): number =>
  quality.virtualMs / 1_000 / quality.mistakes;

const inWords = (seconds: number): string => {
  if (seconds < 120) return `${seconds.toFixed(1)} s`;
  if (seconds < 7_200) return `${(seconds / 60).toFixed(1)} min`;
  return `${(seconds / 3_600).toFixed(1)} h`;
};

function report(results: readonly ThresholdResult[]): StudyReport {
  const [{ task }] = results as readonly [ThresholdResult];
  return {
    head: ['DETECTOR', 'SETTING', 'DETECTS AFTER', 'MISTAKES', 'ONE EVERY', 'COST BEFORE SCALING'],
    rows: results.map((result) => [
      result.task.series,
      result.task.setting,
      inWords(result.quality.detectionMs / 1_000),
      result.quality.mistakes.toLocaleString('en'),
      result.quality.mistakes === 0
        ? `more than ${inWords(result.quality.virtualMs / 1_000)}`
        : inWords(recurrence(result)),
      result.cost.toFixed(2),
    ]),
    notes: [
      `${task.lossPercent} % of datagrams are lost, and nothing else goes wrong. A mistake is counted once, whoever makes it or hears of it.`,
      `Heartbeats: one a second to each of ${COST} observers, and one of them is enough, or two must agree.`,
      'Rollcall: phi-normal, one a second to each of ten observers, of whom two must agree; a heartbeat counts only if it echoes one that arrived. The detector alone: no node asks another before it convicts.',
      `SWIM: ${task.nodes} nodes; its times, as Rollcall's, are scaled so that it costs ${COST} messages a node and second too.`,
    ],
    svg: lineChart({
      title: 'Patience: time to detection against time between mistakes',
      subtitle: `${task.lossPercent} % of datagrams lost, ${COST} messages a node and second; lower right is better`,
      x: {
        label: 'one mistake about a subject every',
        isLogarithmic: true,
        ticks: TICKS.map(([seconds]) => seconds),
        show: (tick) => TICKS.find(([seconds]) => seconds === tick)?.[1] ?? '',
      },
      y: { label: 'seconds to detection', ticks: secondsFor(results) },
      series: [...groupBy(results, (result) => result.task.series)].map(([label, some]) => {
        const points = some.map(
          (result) => [recurrence(result), result.quality.detectionMs / 1_000] as const,
        );
        return { label, line: points, dots: points };
      }),
    }),
  };
}
