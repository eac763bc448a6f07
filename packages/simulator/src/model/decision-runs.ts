/** The R runs: rows and the real decision function, with decisions at any moment. */
import { decisions, type Plan } from './plan.js';

export const decisionRuns: readonly Plan[] = [
  decisions('R02', 'the lowest joins, a partition that stays', {
    up: 'BCD',
    join: 'A',
    splits: 1,
    splitSides: 'AB',
    heals: false,
  }),
  decisions('R05', 'four up, half and half, for ever', {
    up: 'ABCD',
    splits: 1,
    splitSides: 'AB',
    heals: false,
  }),
  decisions('R07-q2', 'q = 2, a partition that heals', { up: 'ABC', splits: 1, observers: 2 }),
  decisions('R09-q2', 'q = 2 and a flag, a partition that stays', {
    up: 'ABC',
    splits: 1,
    splitSides: 'A',
    heals: false,
    flags: 1,
    observers: 2,
  }),
];

export const longDecisionRuns: readonly Plan[] = [
  decisions('R03', 'a partition that heals, a false accusation', {
    up: 'ABC',
    splits: 1,
    marks: 1,
  }),
  decisions('R04', 'a partition that heals, one leaves', { up: 'ABC', splits: 1, leaves: 1 }),
  decisions('R08-q2', 'q = 2, a partition that heals, a false accusation', {
    up: 'ABC',
    splits: 1,
    marks: 1,
    observers: 2,
  }),
  decisions('R10-q2', 'q = 2 and a flag, a partition of A that heals', {
    up: 'ABC',
    splits: 1,
    splitSides: 'A',
    flags: 1,
    observers: 2,
  }),
];
