/**
 * A few thousand short histories, each step chosen by chance, each followed by every question that
 * can be asked of the whole cluster: the seed of the model checker.
 */
import { expect, test, vi } from 'vitest';
import { plainRules } from './cluster.testing.js';
import type { DowningStrategy } from './index.js';
import { seeded, type Walk, walk } from './walk.testing.js';

/** A busy machine makes these slow, not wrong. */
vi.setConfig({ testTimeout: 60_000 });

const calm: Omit<Walk, 'up' | 'joining'> = {
  steps: 200,
  rules: plainRules,
  downs: 3,
  leaves: 1,
  quits: 1,
  crashes: 0,
  rows: false,
};

const plans: readonly (readonly [string, Walk])[] = [
  ['three up, anybody downs anybody', { ...calm, up: ['A', 'B', 'C'], joining: [] }],
  ['two up, two join', { ...calm, up: ['B', 'C'], joining: ['A', 'D'] }],
  ['the founder alone, four join', { ...calm, up: ['E'], joining: ['A', 'B', 'C', 'D'] }],
  ['a crash and a restart', { ...calm, up: ['A', 'B', 'C'], joining: ['B2', 'D'], crashes: 1 }],
  ['five up', { ...calm, up: ['A', 'B', 'C', 'D', 'E'], joining: [], downs: 6 }],
  ['rows', { ...calm, up: ['A', 'B', 'C'], joining: ['D'], rows: true, downs: 2 }],
];

const strategies: readonly DowningStrategy[] = [
  'keep-majority',
  'lease-majority',
  'static-quorum',
  'keep-oldest',
  'down-all',
];

/**
 * PROTOCOL "Invariants": I1, I2, I4, I5, I6a, I6b, I6d. A failure prints the seed; `walk(plan,
 * seeded(seed))` repeats it.
 */
test.each(plans)('no walk of "%s" breaks an invariant', (_, plan) => {
  let fires = 0;
  for (let seed = 0; seed < 375; seed += 1) {
    const strategy = strategies[seed % 5] as DowningStrategy;
    const tieOldest = (seed & 8) !== 0;
    // Two sets of Q are disjoint in anything larger than 2Q - 1, and `f` lets nothing grow so far.
    const quorum = Math.floor(plan.up.length / 2) + 1;
    const rules = { ...plan.rules, strategy, tieOldest, quorum };
    try {
      fires += walk({ ...plan, rules }, seeded(seed)).fires;
    } catch (cause) {
      throw new Error(`seed ${seed}, ${strategy}`, { cause });
    }
  }
  expect(fires).toBeGreaterThan(75);
});
