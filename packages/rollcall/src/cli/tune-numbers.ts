/** Numbers as `rollcall tune` writes them: no more digits than they are worth. */
import type { PatienceCost } from '@rollcall/failure-detector';

const UNITS: readonly (readonly [string, number])[] = [
  ['years', 365 * 86_400_000],
  ['days', 86_400_000],
  ['h', 3_600_000],
  ['min', 60_000],
  ['s', 1_000],
];

/** Clocks and timers are no finer. */
const SPAN_MIN_MS = 0.1;

/** A duration, in three digits. */
export function span(ms: number): string {
  if (ms < SPAN_MIN_MS) return ms > 0 ? `<${SPAN_MIN_MS} ms` : '0 ms';
  const [unit, unitMs] = UNITS.find(([, each]) => ms >= (each === 1_000 ? each : 2 * each)) ?? [
    'ms',
    1,
  ];
  const value = ms / unitMs;
  return `${value >= 999.5 ? number(value) : value.toPrecision(3)} ${unit}`;
}

/** Three digits; thousands are separated. */
export const number = (value: number): string =>
  Number(value.toPrecision(3)).toLocaleString('en-US', { maximumSignificantDigits: 3 });

/** Below this a rate is none that anybody will see. */
const RATE_MIN = 0.001;

/** Expected mistakes a year, in two digits: it is an estimate. Nothing below what the gaps can speak of. */
export function rate({ mistakesPerYear, isAtLeast }: PatienceCost, leastPerYear = 0): string {
  if (mistakesPerYear === undefined) return '?';
  const least = Math.max(RATE_MIN, leastPerYear);
  if (mistakesPerYear < least) return `<${twoDigits(least)}`;
  return `${isAtLeast ? '≥' : ''}${twoDigits(mistakesPerYear)}`;
}

/** As they fit a column: 62,000 and 620K. */
function twoDigits(value: number): string {
  const notation = value >= 99_500 ? 'compact' : 'standard';
  return value.toLocaleString('en-US', { maximumSignificantDigits: 2, notation });
}
