/**
 * What one setting is: its default, unit, range, and the sentence `--print-settings` shows. Reading
 * a value gives it in its unit or a sentence that names the setting and what it takes.
 */
import { isWord } from './member-facts.js';

export interface Setting<T> {
  readonly default: T;
  /** What a value looks like: `duration`, `count`, `number`, `one of …`, `text`. */
  readonly takes: string;
  /** One line: what it does. */
  readonly about: string;
  /** Must it be the same at every member? Then a difference is a refused join. */
  readonly agreed: boolean;
  /** The value in its unit, or why it cannot be used (without the name), perhaps with what may have been meant. */
  read(
    given: unknown,
  ): { readonly value: T } | { readonly problem: string; readonly hint?: string | undefined };
  /** The value as a person would write it. */
  show(value: T): string;
}

type Options = { readonly agreed?: boolean };

const UNITS_MS: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000 };

/** Milliseconds. Given as a number of ms or as text with `ms`, `s`, `m` or `h`. */
export function duration(
  defaultMs: number,
  [minMs, maxMs]: readonly [number, number],
  about: string,
  options: Options = {},
): Setting<number> {
  const range = `a duration from ${showDuration(minMs)} to ${showDuration(maxMs)}`;
  return {
    default: defaultMs,
    takes: range,
    about,
    agreed: options.agreed ?? false,
    read(given) {
      const ms = typeof given === 'number' ? given : durationMs(given);
      const isIn = (value: number) => value >= minMs && value <= maxMs;
      if (ms !== undefined && isIn(ms)) return { value: ms };
      return {
        problem: `takes ${range}`,
        hint: ms === undefined ? unitHint(given, isIn) : undefined,
      };
    },
    show: showDuration,
  };
}

function durationMs(given: unknown): number | undefined {
  const parts = typeof given === 'string' ? /^(\d+(?:\.\d+)?)(ms|s|m|h)$/.exec(given.trim()) : null;
  const unit = parts?.[2] === undefined ? undefined : UNITS_MS[parts[2]];
  return unit === undefined ? undefined : Number(parts?.[1]) * unit;
}

/** For a text that is no duration: what its unit may be. */
function unitHint(given: unknown, isIn: (ms: number) => boolean): string | undefined {
  if (typeof given !== 'string') return undefined;
  const number = given.trim();
  if (!/^\d+(?:\.\d+)?$/.test(number)) return 'written as a number and ms, s, m or h';
  const meant = Object.entries(UNITS_MS).find(([, unitMs]) => isIn(Number(number) * unitMs));
  const question = meant === undefined ? 'ms, s, m or h' : `${number}${meant[0]}?`;
  return `which has no unit: ${question}`;
}

/** Durations in the largest unit that keeps them whole. */
export function showDuration(ms: number): string {
  const fits = Object.entries(UNITS_MS).filter(([, unitMs]) => ms !== 0 && ms % unitMs === 0);
  const [unit, unitMs] = fits.at(-1) ?? ['ms', 1];
  return `${ms / unitMs}${unit}`;
}

/** A whole number, optionally with its unit in the docs (`bytes`, `frames`, …). */
export function count(
  defaultCount: number,
  [min, max]: readonly [number, number],
  about: string,
  options: Options = {},
): Setting<number> {
  const takes = `a whole number from ${min} to ${max}`;
  return {
    default: defaultCount,
    takes,
    about,
    agreed: options.agreed ?? false,
    read(given) {
      const value = asNumber(given);
      if (!Number.isInteger(value) || value < min || value > max)
        return { problem: `takes ${takes}` };
      return { value };
    },
    show: String,
  };
}

/** A number with a fraction. */
export function decimal(
  defaultValue: number,
  [min, max]: readonly [number, number],
  about: string,
): Setting<number> {
  const takes = `a number from ${min} to ${max}`;
  return {
    default: defaultValue,
    takes,
    about,
    agreed: false,
    read(given) {
      const value = asNumber(given);
      if (!(value >= min && value <= max)) return { problem: `takes ${takes}` };
      return { value };
    },
    show: String,
  };
}

const asNumber = (given: unknown): number =>
  typeof given === 'string' && given.trim() !== ''
    ? Number(given)
    : typeof given === 'number'
      ? given
      : Number.NaN;

/** One of a few words. */
export function choice<const T extends string>(
  values: readonly [T, ...T[]],
  about: string,
  options: Options = {},
): Setting<T> {
  const takes = `one of ${values.join(', ')}`;
  return {
    default: values[0],
    takes,
    about,
    agreed: options.agreed ?? false,
    read(given) {
      const value = values.find((each) => each === given);
      return value === undefined ? { problem: `takes ${takes}` } : { value };
    },
    show: String,
  };
}

/** On or off. */
export function toggle(isOn: boolean, about: string, options: Options = {}): Setting<boolean> {
  const takes = 'on or off';
  return {
    default: isOn,
    takes,
    about,
    agreed: options.agreed ?? false,
    read(given) {
      const value = [true, 'on', 'true'].includes(given as string)
        ? true
        : [false, 'off', 'false'].includes(given as string)
          ? false
          : undefined;
      return value === undefined ? { problem: `takes ${takes}` } : { value };
    },
    show: (value) => (value ? 'on' : 'off'),
  };
}

/** A short word such as a role; empty means none. */
export function word(about: string, options: Options = {}): Setting<string> {
  return {
    default: '',
    takes: 'a word, or nothing',
    about,
    agreed: options.agreed ?? false,
    read(given) {
      if (typeof given !== 'string' || (given !== '' && !isWord(given))) {
        return {
          problem:
            'takes a word of at most 64 letters, digits, dots, dashes and plus signs, or nothing',
        };
      }
      return { value: given };
    },
    show: (value) => (value === '' ? '(none)' : value),
  };
}
