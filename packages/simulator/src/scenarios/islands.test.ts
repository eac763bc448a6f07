/** Clusters of one name that came to be apart: founders that are still alone give way, anything larger never merges. */
import { describe, expect, test } from 'vitest';
import { nodeNames } from '../node-name.js';
import { Simulation } from '../simulation.js';
import { isFormed } from '../view.js';
import { cases, isWhole, keyOf, named, soon, steady } from './script.testing.js';
import { Witness } from './witness.testing.js';

const RECHECK_MS = 10_000;
const FAR_INTERVAL_MS = 5_000;

/** Each side knows all seeds, names its own first, and founds while it does not hear the other. */
async function apart(seed: number, left: readonly string[], right: readonly string[]) {
  const witness = new Witness();
  const { startCluster } = witness;
  const sim = new Simulation({ seed, settings: soon, startCluster });
  const heal = sim.partition(left, right);
  sim.startAll(left, { seeds: [left[0] as string, right[0] as string] });
  sim.startAll(right, { seeds: [right[0] as string, left[0] as string] });
  const sideOf = (names: readonly string[]) => names.map((name) => sim.node(name));
  const [lefts, rights] = [sideOf(left), sideOf(right)];
  const areApart = () => isFormed(lefts) && isFormed(rights);
  await sim.runUntil(areApart, 8_000, 'each side has founded');
  return { sim, witness, heal, lefts, rights };
}

describe('Islands: founders that nobody has joined', () => {
  test.each([1, 2, 3, 4, 5])(
    'the higher address gives way, once they meet (seed %s)',
    async (seed) => {
      const { sim, heal } = await apart(seed, ['a'], ['b']);
      const [a, b] = [keyOf(sim.node('a')), keyOf(sim.node('b'))];
      await sim.run(1_000 * seed);
      heal();
      const withinMs = RECHECK_MS + FAR_INTERVAL_MS + 3_000;
      await sim.runUntil(() => isFormed(sim.nodes), withinMs, 'both are one cluster');
      expect(sim.node('a').key).toBe(a);
      expect(sim.node('b').key).not.toBe(b);
      expect(sim.node('b').state?.clusterId).toBe(a);
    },
  );

  test.each([1, 2, 3, 4, 5])(
    'one that is alone gives way to one that is not (seed %s)',
    async (seed) => {
      const { sim, heal, witness } = await apart(seed, ['a'], ['b', 'c', 'd']);
      const [a, b] = [keyOf(sim.node('a')), keyOf(sim.node('b'))];
      await sim.run(1_000 * seed);
      heal();
      const withinMs = RECHECK_MS + FAR_INTERVAL_MS + 3_000;
      await sim.runUntil(() => isFormed(sim.nodes), withinMs, 'all are one cluster');
      expect(sim.node('a').key).not.toBe(a);
      expect(sim.node('a').state?.clusterId).toBe(b);
      expect(witness.of('memberDowned')).toEqual([]);
    },
  );
});

describe('Islands: larger ones', () => {
  test.each([1, 2, 3, 4, 5])(
    'report each other when they meet, and stay apart (seed %s)',
    async (seed) => {
      const { sim, heal, witness, lefts, rights } = await apart(
        seed,
        ['a', 'b', 'c'],
        ['d', 'e', 'f'],
      );
      heal();
      // Whoever misses a member asks its seeds whether they know of it.
      sim.crash('c');
      sim.crash('f');
      await sim.run(30_000);
      const reports = witness.of('islandDetected');
      const reporters = new Set(reports.map(({ by }) => by));
      for (const run of sim.running) expect(reporters).toContain(run.key);
      for (const run of sim.running) {
        const mine = lefts.includes(run) ? lefts : rights;
        const told = reports.filter(({ by }) => by === run.key);
        expect(told, 'once per island').toHaveLength(1);
        expect(told[0]?.event).toMatchObject({ via: expect.stringMatching(/^ws:\/\/[ad]:/) });
        expect(isFormed(mine.filter((each) => each.isRunning))).toBe(true);
      }
      expect(sim.running.map(({ name }) => name)).toEqual(['a', 'b', 'd', 'e']);
    },
  );

  test.each([1, 2, 3])(
    'report each other although neither misses anybody (seed %s)',
    async (seed) => {
      const { sim, heal, witness } = await apart(seed, ['a', 'b'], ['c', 'd', 'e']);
      await sim.run(20_000);
      heal();
      // A node that misses nobody asks at a tenth of the rate.
      await sim.run(10 * RECHECK_MS + FAR_INTERVAL_MS + 3_000);
      const reporters = new Set(witness.of('islandDetected').map(({ by }) => by));
      for (const run of sim.running) expect(reporters).toContain(run.key);
    },
  );

  test.each(cases({ 7: 3 }))(
    `all seeds lose, and start again together: a second cluster, and both say so ${named}`,
    async ({ n, seed }) => {
      const witness = new Witness();
      const sim = await steady(n, seed, { startCluster: witness.startCluster });
      const seeds = nodeNames(n).slice(0, 3);
      const rest = sim.nodes.slice(3);
      const heal = sim.partition(seeds);
      const isOver = () => seeds.every((name) => !sim.node(name).isRunning) && isFormed(rest);
      await sim.runUntil(isOver, 20_000, 'the seeds have stopped, the rest goes on');
      for (const name of seeds) sim.restart(name);
      await sim.run(2_000);
      heal();
      await sim.run(RECHECK_MS + FAR_INTERVAL_MS + 3_000);
      expect(isFormed(rest)).toBe(true);
      expect(isFormed(seeds.map((name) => sim.node(name)))).toBe(true);
      const reporters = new Set(witness.of('islandDetected').map(({ by }) => by));
      for (const run of rest) expect(reporters).toContain(run.key);
      expect(isWhole(sim)).toBe(false);
    },
  );
});
