/**
 * Two nodes, where every loss is a tie and the lower address wins it: the survivor of the higher one goes
 * on; the survivor of the lower one stops, and its supervisor brings it back.
 */
import { describe, expect, test } from 'vitest';
import { Simulation } from '../simulation.js';
import { isFormed, isUnreachableAt } from '../view.js';
import {
  INTERVAL_MS,
  isWhole,
  keyOf,
  luckOf,
  STABLE_AFTER_MS,
  soon,
  TRIP_MS,
  UNSTABLE_AFTER_MS,
} from './script.testing.js';
import { Witness } from './witness.testing.js';

const seeds = [1, 2, 3, 4, 5, 6];
const WITHIN_MS = 3_000;

async function pair(seed: number) {
  const witness = new Witness();
  const { startCluster } = witness;
  const sim = new Simulation({ seed, settings: soon, seeds: ['a', 'b'], startCluster });
  sim.startAll(['a', 'b']);
  await sim.runUntil(() => isFormed(sim.nodes), WITHIN_MS, 'both are up');
  await sim.run(15_000 + INTERVAL_MS * luckOf(seed).next());
  return { sim, witness };
}

describe('Two nodes: the lower one is killed', () => {
  test.each(seeds)('the survivor stops in its time and says why (seed %s)', async (seed) => {
    const { sim } = await pair(seed);
    sim.crash('a');
    const b = sim.node('b');
    const seen = () => isUnreachableAt([b], keyOf(sim.node('a')));
    await sim.runUntil(seen, TRIP_MS + 1_000, 'b holds a unreachable');
    expect(b.cluster.blockers[0]).toMatchObject({ kind: 'notQuorate', by: [b.key] });
    const fateMs = STABLE_AFTER_MS + UNSTABLE_AFTER_MS;
    const ms = await sim.runUntil(() => !b.isRunning, fateMs + 10, 'b has stopped');
    expect(ms).toBeGreaterThanOrEqual(fateMs - 10);
    expect(b.ending?.reason).toBe('minority');
    expect(b.ending?.message).toContain('without ws://a:7355 this side has no quorum');
    expect(sim.running).toEqual([]);
  });

  test.each(seeds)(
    'restarted at once, it founds when the survivor has stopped, and the survivor joins it (seed %s)',
    async (seed) => {
      const { sim } = await pair(seed);
      const before = keyOf(sim.node('a'));
      sim.crash('a');
      await sim.run(1_000);
      const a = sim.restart('a');
      const b = sim.node('b');
      const fateMs = TRIP_MS + STABLE_AFTER_MS + UNSTABLE_AFTER_MS;
      await sim.runUntil(() => !b.isRunning, fateMs, 'the survivor has stopped');
      const founded = () => a.state?.members.length === 1;
      await sim.runUntil(founded, WITHIN_MS, 'a has founded anew');
      expect(a.state?.clusterId).toBe(a.key);
      expect(a.key).not.toBe(before);
      sim.restart('b');
      await sim.runUntil(() => isFormed(sim.nodes), WITHIN_MS, 'both are up again');
      expect(sim.node('b').state?.clusterId).toBe(a.key);
    },
  );

  test.each(seeds)(
    'with defaults that is stableAfter and unstableAfter, 35 s (seed %s)',
    async (seed) => {
      const sim = new Simulation({ seed, seeds: ['a', 'b'] });
      sim.startAll(['a', 'b']);
      await sim.run(15_000 + INTERVAL_MS * luckOf(seed).next());
      sim.crash('a');
      const b = sim.node('b');
      const ms = await sim.runUntil(() => !b.isRunning, TRIP_MS + 35_000, 'b has stopped');
      expect(ms).toBeGreaterThan(35_000 + TRIP_MS - 1_100);
    },
  );
});

describe('Two nodes: the higher one is killed', () => {
  test.each(seeds)('and restarted: it is up again under a new uid (seed %s)', async (seed) => {
    const { sim } = await pair(seed);
    const { clusterId } = sim.node('a').state ?? {};
    for (let round = 0; round < 3; round++) {
      sim.crash('b', { silently: round === 1 });
      await sim.run(1_000);
      sim.restart('b');
      await sim.runUntil(() => isFormed(sim.nodes), WITHIN_MS, 'both are up again');
      expect(sim.node('b').state?.clusterId).toBe(clusterId);
    }
  });

  test.each(seeds)('and not restarted: the lower one removes it (seed %s)', async (seed) => {
    const { sim } = await pair(seed);
    sim.crash('b', { silently: seed % 2 === 0 });
    const removedMs = TRIP_MS + STABLE_AFTER_MS + 1_000;
    await sim.runUntil(isWhole, removedMs, 'a is alone and whole');
    await sim.run(30_000);
    expect(sim.node('a').isRunning).toBe(true);
  });
});

describe('Two nodes: neither is killed', () => {
  test.each(['a', 'b'])('%s leaves and comes back, three rounds', async (name) => {
    for (const seed of seeds) {
      const { sim, witness } = await pair(seed);
      const other = sim.node(name === 'a' ? 'b' : 'a');
      for (let round = 0; round < 3; round++) {
        const left = sim.leave(name);
        const isOver = () => left.state === 'done' && isWhole(sim);
        await sim.runUntil(isOver, 2_000, `${name} has left`);
        expect(sim.node(name).ending?.reason).toBe('left');
        await sim.run(500);
        sim.restart(name);
        await sim.runUntil(() => isFormed(sim.nodes), WITHIN_MS, `${name} is back`);
      }
      expect(other.incarnation).toBe(0);
      expect(witness.suspected()).toEqual([]);
    }
  });

  test.each(seeds)(
    'an interrupted network heals before anybody is downed (seed %s)',
    async (seed) => {
      const { sim } = await pair(seed);
      const [a, b] = [keyOf(sim.node('a')), keyOf(sim.node('b'))];
      sim.partition(['a'], ['b']);
      await sim.runUntil(() => isUnreachableAt([sim.node('a')], b), TRIP_MS + 1_000);
      await sim.runUntil(() => isUnreachableAt([sim.node('b')], a), 2 * INTERVAL_MS);
      await sim.run(2_000);
      sim.heal();
      await sim.runUntil(isWhole, 5_000, 'they see each other again');
      await sim.run(30_000);
      expect([sim.node('a').key, sim.node('b').key]).toEqual([a, b]);
      expect(isWhole(sim)).toBe(true);
    },
  );

  test('one node: up at once, alone, leaves, comes back', async () => {
    const sim = new Simulation({ seed: 5 });
    sim.start('a');
    await sim.runUntil(() => isFormed(sim.nodes), 10, 'it is up');
    const left = sim.leave('a');
    await sim.runUntil(() => left.state === 'done', 10, 'it has left');
    expect(sim.node('a').ending?.reason).toBe('left');
    sim.restart('a');
    await sim.runUntil(() => isFormed(sim.nodes), 10, 'it is up again');
  });
});
