/** Processes that stand still: a short while costs nobody anything, a long one costs the process itself. */
import { describe, expect, test } from 'vitest';
import { isGoneAt, isUnreachableAt } from '../view.js';
import {
  cases,
  isWhole,
  keyOf,
  named,
  pick,
  STABLE_AFTER_MS,
  steady,
  TRIP_MS,
} from './script.testing.js';
import { Witness } from './witness.testing.js';

describe('Pause: for 3 s', () => {
  test.each(cases({ 5: 10, 25: 2 }))(
    `nothing is convicted, by it or of it ${named}`,
    async ({ n, seed }) => {
      const witness = new Witness();
      const sim = await steady(n, seed, { startCluster: witness.startCluster });
      const [name = ''] = pick(sim, 1);
      sim.pause(name, 3_000);
      await sim.run(20_000);
      expect(witness.suspected()).toEqual([]);
      expect(witness.of('localPauseDetected').map(({ by }) => by)).toEqual([sim.node(name).key]);
      expect(isWhole(sim)).toBe(true);
    },
  );

  test.each(cases({ 5: 4, 25: 1 }))(`all of them at once ${named}`, async ({ n, seed }) => {
    const witness = new Witness();
    const sim = await steady(n, seed, { startCluster: witness.startCluster });
    for (const { name } of sim.nodes) sim.pause(name, 3_000);
    await sim.run(20_000);
    expect(witness.suspected()).toEqual([]);
    expect(isWhole(sim)).toBe(true);
  });

  test.each(cases({ 5: 4 }))(`again and again ${named}`, async ({ n, seed }) => {
    const witness = new Witness();
    const sim = await steady(n, seed, { startCluster: witness.startCluster });
    const [name = ''] = pick(sim, 1);
    for (let round = 0; round < 5; round++) {
      sim.pause(name, 3_000);
      await sim.run(6_000);
    }
    expect(witness.convicted()).toEqual([]);
    expect(isWhole(sim)).toBe(true);
  });
});

describe('Pause: for 30 s', () => {
  test.each(cases({ 5: 10, 25: 2 }))(
    `the others remove it, and it accuses nobody ${named}`,
    async ({ n, seed }) => {
      const witness = new Witness();
      const sim = await steady(n, seed, { startCluster: witness.startCluster });
      const [name = ''] = pick(sim, 1);
      const paused = sim.node(name);
      const key = keyOf(paused);
      const others = sim.nodes.filter((run) => run !== paused);
      sim.pause(name, 30_000);
      const seen = () => isUnreachableAt(others, key);
      const seenMs = await sim.runUntil(seen, TRIP_MS + 1_000, 'it is unreachable');
      const gone = () => isGoneAt(others, key);
      const goneMs = await sim.runUntil(gone, STABLE_AFTER_MS + 2_000, 'it is removed');
      await sim.run(30_000 - seenMs - goneMs);
      await sim.runUntil(() => !paused.isRunning, 1_000, 'it has learned of it');
      expect(paused.ending?.reason).toBe('removed');
      await sim.run(10_000);
      expect(witness.accusedBy(key)).toEqual([]);
      expect(witness.suspected()).toEqual([name]);
      expect(isWhole(sim)).toBe(true);
      expect(sim.running).toHaveLength(n - 1);
    },
  );
});
