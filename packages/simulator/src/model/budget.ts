/**
 * The one word of a position that is about the adversary: the partition there is, and how often it
 * may still do what it may not do without end.
 */
import type { Plan } from './plan.js';

export type Budget = 'downs' | 'leaves' | 'quits' | 'crashes' | 'splits' | 'marks' | 'flags';

const ORDER: readonly Budget[] = [
  'downs',
  'leaves',
  'quits',
  'crashes',
  'splits',
  'marks',
  'flags',
];

/** Processes a side has room for. */
const SIDE_BITS = 6;
const SIDE_MASK = (1 << SIDE_BITS) - 1;
const WIDTH = 3;
const UNLIMITED = 7;

const shiftOf = (budget: Budget): number => SIDE_BITS + WIDTH * ORDER.indexOf(budget);

export const SHIFT: Readonly<Record<Budget, number>> = Object.freeze(
  Object.fromEntries(ORDER.map((budget) => [budget, shiftOf(budget)])) as Record<Budget, number>,
);

export function startingEnv(plan: Plan): number {
  let env = 0;
  for (const budget of ORDER) {
    const count = Math.min(plan[budget], UNLIMITED);
    env |= count << SHIFT[budget];
  }
  return env;
}

export const hasLeft = (env: number, shift: number): boolean => ((env >> shift) & UNLIMITED) !== 0;

/** The word after the adversary has done it once more. */
export const spend = (env: number, shift: number): number =>
  ((env >> shift) & UNLIMITED) === UNLIMITED ? env : env - (1 << shift);

export const sideOf = (env: number): number => env & SIDE_MASK;

export const withSide = (env: number, side: number): number => (env & ~SIDE_MASK) | side;
