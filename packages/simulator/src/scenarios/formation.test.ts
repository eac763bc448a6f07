/** From nothing to one cluster, whoever starts first and whoever is missing. */
import { describe, expect, test } from 'vitest';
import { nodeNames } from '../node-name.js';
import { Simulation } from '../simulation.js';
import { isFormed } from '../view.js';
import {
  blank,
  cases,
  isWhole,
  luckOf,
  named,
  SEED_TIMEOUT_MS,
  shuffled,
  soon,
} from './script.testing.js';

/** After the last one listens. */
const FORMED_WITHIN_MS = 3_000;

describe('Formation: one cluster', () => {
  test.each(cases({ 5: 12, 25: 2 }))(`in any order of starts ${named}`, async (each) => {
    const sim = blank(each.n, each.seed);
    const luck = luckOf(each.seed);
    let lastMs = 0;
    for (const name of shuffled(nodeNames(each.n), luck)) {
      lastMs += Math.floor((5_000 / each.n) * luck.next());
      sim.after(lastMs, () => sim.start(name));
    }
    await sim.run(lastMs);
    await sim.runUntil(() => isFormed(sim.nodes), FORMED_WITHIN_MS, 'all are up at all');
    await sim.runUntil(isWhole, 1_000, 'all hold one state');
    expect(sim.nodes).toHaveLength(each.n);
  });

  test.each(cases({ 5: 4, 25: 2 }))(`with the first seed last ${named}`, async ({ n, seed }) => {
    const sim = blank(n, seed);
    const [first = '', ...others] = nodeNames(n);
    sim.startAll(others);
    await sim.run(8_000 + 2_000 * luckOf(seed).next());
    expect(sim.nodes.map((run) => run.state?.members)).toEqual(others.map(() => []));
    sim.start(first);
    await sim.runUntil(() => isFormed(sim.nodes), FORMED_WITHIN_MS, 'all are up at all');
  });

  describe.each([
    ['second', 1],
    ['third', 2],
  ])('with the %s of three seeds dead', (_, dead) => {
    test.each(cases({ 5: 3, 25: 1 }))(`it takes the seed timeout ${named}`, async ({ n, seed }) => {
      const sim = blank(n, seed);
      sim.startAll(nodeNames(n).filter((_, i) => i !== dead));
      const within = SEED_TIMEOUT_MS + FORMED_WITHIN_MS;
      const ms = await sim.runUntil(() => isFormed(sim.nodes), within, 'all are up at all');
      expect(ms).toBeGreaterThanOrEqual(SEED_TIMEOUT_MS);
    });
  });

  test.each(cases({ 5: 3, 25: 1 }))(
    `never without the first seed, and blockers say so ${named}`,
    async ({ n, seed }) => {
      const sim = blank(n, seed);
      const [first = '', ...others] = nodeNames(n);
      sim.startAll(others);
      await sim.run(30_000);
      for (const run of sim.nodes) {
        expect(run.state?.members).toEqual([]);
        expect(run.cluster.blockers).toMatchObject([{ kind: 'notMember', nodes: [run.key] }]);
        const text = run.cluster.blockers[0]?.text;
        expect(text).toContain(`ws://${first}:7355 does not take connections`);
        expect(text).toContain(`only the first seed may, and that is ws://${first}:7355`);
      }
      sim.start(first);
      await sim.runUntil(() => isFormed(sim.nodes), FORMED_WITHIN_MS, 'all are up at all');
    },
  );
});

describe('Formation: two nodes that each name themselves first', () => {
  // Around the seed timeout both may be about to found.
  const gaps = [0, 1, 300, 1_000, 4_000, 4_900, 4_998, 4_999, 5_000, 5_001, 5_003, 5_100, 9_000];
  const orders = gaps.flatMap((ms) => [['a', 'b', ms] as const, ['b', 'a', ms] as const]);
  test.each(orders)('%s, and %s %s ms later', async (first, second, gapMs) => {
    const sim = new Simulation({ seed: 17 + gapMs, settings: soon });
    const one = sim.start(first, { seeds: [first, second] });
    await sim.run(gapMs);
    const two = sim.start(second, { seeds: [second, first] });
    await sim.run(0);
    const runs = [one.key, two.key];
    await sim.runUntil(() => isFormed(sim.nodes), FORMED_WITHIN_MS, 'both are one cluster');
    // They came to an agreement before either founded, so that neither had to start over.
    if (Math.abs(gapMs - SEED_TIMEOUT_MS) > 5) expect([one.key, two.key]).toEqual(runs);
  });
});
