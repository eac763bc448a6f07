/**
 * Networks that lose, delay, double and reorder, from the first frame on. A cluster forms, a member crashes,
 * another leaves; nobody healthy is ever convicted, and all end with one digest.
 */
import { describe, expect, test } from 'vitest';
import { nodeNames } from '../node-name.js';
import {
  duplicate,
  latency,
  longTail,
  loss,
  type Rule,
  reorder,
  segmentLoss,
  uniform,
} from '../rule.js';
import { isFormed, isGoneAt } from '../view.js';
import {
  blank,
  cases,
  isWhole,
  keyOf,
  luckOf,
  named,
  pick,
  STABLE_AFTER_MS,
} from './script.testing.js';
import { Witness } from './witness.testing.js';

/** An attempt to join that loses a frame is made anew after `join.retryAfter`, and may lose one again. */
const FORMED_WITHIN_MS = 15_000;
/** Uneven heartbeats make a detector patient: mean and deviation grow. */
const REMOVED_WITHIN_MS = 12_000 + STABLE_AFTER_MS + 2_000;
const LEFT_WITHIN_MS = 5_000;

const networks: readonly (readonly [string, () => readonly Rule[]])[] = [
  ['one frame in ten lost', () => [loss(0.1)]],
  ['50 to 250 ms one way', () => [latency(uniform(50, 250))]],
  ['a long tail of delay, up to 2 s', () => [latency(longTail(5, 2_000))]],
  ['every third frame doubled', () => [duplicate(0.3, 300)]],
  ['every third frame overtaken', () => [reorder(0.3, 300)]],
  ['one segment in ten sent again, as TCP does', () => [segmentLoss(0.1)]],
  [
    'all of it at once',
    () => [loss(0.05), latency(uniform(1, 40)), duplicate(0.1), reorder(0.1, 100)],
  ],
];

describe.each(networks)('Bad network: %s', (_, rules) => {
  test.each(cases({ 5: 5, 25: 1 }))(
    `formed, one crashed, one left, one digest ${named}`,
    async ({ n, seed }) => {
      const witness = new Witness();
      const sim = blank(n, seed, { startCluster: witness.startCluster });
      for (const rule of rules()) sim.add(rule);
      sim.startAll(nodeNames(n));
      await sim.runUntil(() => isFormed(sim.nodes), FORMED_WITHIN_MS, 'all are up at all');
      await sim.run(20_000 + 1_000 * luckOf(seed).next());

      const [victim = '', leaver = ''] = pick(sim, 2);
      const key = keyOf(sim.node(victim));
      sim.crash(victim);
      const isRemoved = () => isGoneAt(sim.running, key) && isWhole(sim);
      await sim.runUntil(isRemoved, REMOVED_WITHIN_MS, 'the one that crashed is removed');

      const left = sim.leave(leaver);
      const isOver = () => left.state === 'done' && isWhole(sim);
      await sim.runUntil(isOver, LEFT_WITHIN_MS, 'the one that leaves has left');
      expect(sim.node(leaver).ending?.reason).toBe('left');

      await sim.run(30_000);
      await sim.runUntil(isWhole, 10_000, 'all hold one state');
      expect(new Set(sim.running.map((run) => run.state?.digest)).size).toBe(1);
      expect(sim.running).toHaveLength(n - 2);
      // A joiner whose introduction was lost starts over under a new uid; the old one is nobody.
      const healthy = sim.nodes.filter(({ name }) => name !== victim).map(keyOf);
      expect(witness.convictedRuns().filter((run) => healthy.includes(run))).toEqual([]);
      expect(witness.convictedRuns()).toContain(key);
    },
  );
});
