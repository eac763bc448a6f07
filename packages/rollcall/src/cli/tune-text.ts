/** What `rollcall tune` shows a person: three tables, and a paragraph that says what to take and why. */
import { detectorSettings, showDuration } from '@rollcall/core';
import type { PatienceCost, PatienceGoal, PatienceStudy } from '@rollcall/failure-detector';
import { counted, type GapSource } from './gap-source.js';
import { table, WIDTH, wrap } from './table.js';
import { adviceText } from './tune-advice.js';
import { rate, span } from './tune-numbers.js';

export interface Tuning {
  readonly source: GapSource;
  readonly goal: PatienceGoal;
  readonly study: PatienceStudy;
  readonly messagesPerSecond: number;
}

export function tuningText(tuning: Tuning): string {
  const paragraphs = [headText(tuning), ...tables(tuning), fill(adviceText(tuning))];
  return paragraphs.join('\n');
}

const fill = (text: string): string => `${wrap(text, WIDTH).join('\n')}\n`;

function headText({ source, study, messagesPerSecond }: Tuning): string {
  const { title, gaps, settings, links, observed } = source;
  const { detector, heartbeat } = settings;
  const { count, meanMs, learnt, longestMs } = gaps;
  const deviation = learnt.count > 0 ? ` ± ${span(learnt.deviationMs)}` : '';
  const shape = `${span(meanMs)}${deviation} on average, the longest ${span(longestMs[0] ?? 0)}`;
  const happened =
    observed === undefined
      ? ''
      : ` ${counted(observed.mistakes, 'mistake')} in ${span(observed.observedMs)} of observing.`;
  const { threshold, acceptablePause, kind } = detector;
  const pause =
    kind === 'phi-exponential' ? '' : `, acceptable pause ${showDuration(acceptablePause)}`;
  const messages = messagesPerSecond === 1 ? 'message' : 'messages';
  const upTo = links === undefined ? 'up to ' : '';
  return [
    fill(`${title}: ${counted(count, 'gap')}, ${shape}.${happened}`),
    fill(
      `Now ${kind}, threshold ${threshold}${pause}: T_D ${span(study.current.detectionTimeMs)}, ` +
        `${rate(study.current, study.leastPerYear)} mistakes a year expected. A heartbeat each ${showDuration(heartbeat.interval)} ` +
        `is ${upTo}${round(messagesPerSecond)} ${messages} a second from each node, whatever is chosen here.`,
    ),
    ...otherInterval(meanMs, heartbeat.interval),
  ].join('');
}

/** An average so many times the interval, or so small a part of it, is hardly of that interval. */
const FAR = 2;

/** Gaps from a file may be of a node with other settings than were given. */
function otherInterval(meanMs: number, intervalMs: number): string[] {
  if (meanMs <= FAR * intervalMs && meanMs * FAR >= intervalMs) return [];
  const is = `heartbeat.interval is ${showDuration(intervalMs)}, and these gaps are ${span(meanMs)} on average`;
  const sent = meanMs < intervalMs ? 'that often' : 'that seldom, and not lost';
  const set = `--set heartbeat.interval=${Math.round(meanMs)}ms`;
  return [fill(`${is}: if heartbeats were sent ${sent}, ${set} says so.`)];
}

const round = (value: number): string => String(Number(value.toPrecision(3)));

/** What the rows of the tables are and what their columns, for each kind of detector. */
const AXES = {
  'phi-normal': ['THRESHOLD', '\\ PAUSE'],
  'phi-exponential': ['THRESHOLD', ''],
  deadline: ['', 'PAUSE'],
} as const;

function tables({ source, study }: Tuning): string[] {
  const { kind } = detectorSettings(source.settings);
  const isNow = (cost: PatienceCost) =>
    cost.threshold === study.current.threshold &&
    cost.acceptablePauseMs === study.current.acceptablePauseMs;
  const pauses = [...new Set(study.costs.map((cost) => cost.acceptablePauseMs))];
  const thresholds = [...new Set(study.costs.map((cost) => cost.threshold))];
  const [rowsAre, columnsAre] = AXES[kind];
  const head = [
    columnsAre === '' ? rowsAre : `${rowsAre} ${columnsAre}`.trim(),
    ...pauses.map((each) => (columnsAre === '' ? 'ANY PAUSE' : showDuration(each))),
  ];
  const made = (title: string, cell: (cost: PatienceCost) => string) => {
    const rows = thresholds.map((threshold) => [
      rowsAre === '' ? 'ANY THRESHOLD' : String(threshold),
      ...study.costs
        .filter((cost) => cost.threshold === threshold)
        .map((cost) => `${cell(cost)}${isNow(cost) ? ' *' : ''}`),
    ]);
    return `${title}\n${table(head, rows)}`;
  };
  const isKnown = study.costs.some(({ mistakesPerYear }) => mistakesPerYear !== undefined);
  const trips = made('T_D, from the last heartbeat to the verdict (* is now)', (cost) =>
    span(cost.detectionTimeMs),
  );
  if (!isKnown) return [trips];
  return [
    trips,
    made('Mistakes a year, expected on a healthy link', (cost) => rate(cost, study.leastPerYear)),
    made('How long each lasts', ({ mistakeDurationMs }) =>
      mistakeDurationMs === undefined ? '?' : span(mistakeDurationMs),
    ),
  ];
}
