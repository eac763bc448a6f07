/** The kinds of options that routers and placements take, each with the words that say what fits. */
import { isText, type OptionShape } from '@rollcall/core';

const DAY_MS = 86_400_000;

/** On or off. */
export const toggle: OptionShape = {
  takes: 'true or false',
  fits: (value) => typeof value === 'boolean',
};
export const KEY: OptionShape = { takes: 'text', fits: isText };

/** A whole number within a range. */
export const whole = (from: number, to: number): OptionShape => ({
  takes: `a whole number from ${from} to ${to}`,
  fits: (value) => Number.isInteger(value) && Number(value) >= from && Number(value) <= to,
  isOpen: true,
});

/** A time in milliseconds. */
export const milliseconds = (from: number): OptionShape => ({
  takes: `a number of milliseconds from ${from} to ${DAY_MS}`,
  fits: (value) => typeof value === 'number' && value >= from && value <= DAY_MS,
  isOpen: true,
});

/** One word of a list. */
export const oneOf = (...words: readonly string[]): OptionShape => ({
  takes: `one of ${words.map((word) => `'${word}'`).join(', ')}`,
  fits: (value) => words.includes(value as string),
});

export const ROLE: OptionShape = {
  takes: "the name of a role, such as 'worker'",
  fits: (value) => isText(value) && value !== '',
};

export const PHI: OptionShape = {
  takes: 'a number above 0, such as 3',
  fits: (value) => typeof value === 'number' && value > 0 && value < Number.POSITIVE_INFINITY,
  isOpen: true,
};

/** Those of a ring, wherever one is asked for. */
export const RING_SHAPES = { points: whole(1, 1_024), probes: whole(1, 16) };
