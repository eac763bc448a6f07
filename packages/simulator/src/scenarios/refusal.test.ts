/** Who is not let in learns why and by whom, and whoever refused it goes on untouched. */
import type { Hello } from '@rollcall/core';
import { describe, expect, test } from 'vitest';
import type { NodeOptions } from '../node-options.js';
import { Simulation } from '../simulation.js';
import { isFormed } from '../view.js';
import { cases, formed, isWhole, keyOf, named, SEED_TIMEOUT_MS, soon } from './script.testing.js';
import { Witness } from './witness.testing.js';

const protocol2 = (hello: Hello): Hello => ({ ...hello, protocol: { min: 2, max: 2 } });

const strangers: readonly (readonly [string, NodeOptions, RegExp])[] = [
  [
    'another cluster name',
    { cluster: 'other' },
    /^could not join: refused by ws:\/\/n1:7355: ws:\/\/n1:7355 is in a cluster named 'simulated', not 'other'$/,
  ],
  [
    'another protocol',
    { alterHello: protocol2 },
    /^could not join: refused by ws:\/\/n1:7355: ws:\/\/n1:7355 speaks protocol 1, this node 2$/,
  ],
  [
    'other downing settings',
    { settings: { downing: { strategy: 'down-all', stableAfter: '9s' } } },
    /refused by ws:\/\/n1:7355: .*downing\.stableAfter is 5s at ws:\/\/n1:7355 and 9s at .*downing\.strategy is keep-majority at ws:\/\/n1:7355 and down-all at /,
  ],
];

describe.each(strangers)('Refusal: %s', (_, given, message) => {
  test.each(cases({ 5: 3 }))(`ends the joiner with the reason ${named}`, async ({ n, seed }) => {
    const sim = await formed(n, seed);
    await sim.runUntil(isWhole, 1_000, 'all hold one state');
    const digest = sim.node('n1').state?.digest;
    const stranger = sim.start('x', given);
    const isOver = () => stranger.ending !== undefined;
    await sim.runUntil(isOver, SEED_TIMEOUT_MS, 'the stranger has stopped');
    expect(stranger.ending?.reason).toBe('refused');
    expect(stranger.ending?.message).toMatch(message);
    await sim.run(5_000);
    expect(sim.node('n1').state?.digest).toBe(digest);
    expect(isFormed(sim.running)).toBe(true);
  });
});

describe('Refusal: one advertised address, two processes', () => {
  test.each(cases({ 5: 5 }))(
    `the second is refused, the first untouched ${named}`,
    async ({ n, seed }) => {
      const witness = new Witness();
      const sim = await formed(n, seed, { startCluster: witness.startCluster });
      const first = keyOf(sim.node('n4'));
      const second = sim.start('x', { advertise: 'ws://n4:7355' });
      await sim.runUntil(() => second.ending !== undefined, 5_000, 'the second has stopped');
      expect(second.ending?.reason).toBe('refused');
      expect(second.ending?.message).toMatch(/refused by ws:\/\/n\d:7355: .*ws:\/\/n4:7355/);
      const refused = witness.of('joinRefused').map(({ event }) => event);
      expect(refused).toMatchObject([{ refusal: { code: 'addressInUse' } }]);
      await sim.run(20_000);
      expect(sim.node('n4').key).toBe(first);
      expect(isWhole(sim)).toBe(true);
      expect(witness.suspected()).toEqual([]);
      expect(witness.of('memberDowned')).toEqual([]);
    },
  );
});

describe('Refusal: seeds that cannot be resolved', () => {
  test.each([1, 2, 3])('say so while it lasts and at the end (seed %s)', async (seed) => {
    const witness = new Witness();
    const { startCluster } = witness;
    const hosts = { nowhere: [], neither: [] };
    const sim = new Simulation({ seed, seeds: ['nowhere', 'neither'], hosts, startCluster });
    const run = sim.start('x');
    await sim.run(10_000);
    const problem = 'the host of ws://nowhere:7355 cannot be resolved';
    expect(run.cluster.blockers[0]?.text).toContain(problem);
    const [stalled] = witness.of('joinStalled').map(({ event }) => event);
    expect(stalled).toMatchObject({ tried: expect.arrayContaining([problem]) });
    await sim.runUntil(() => run.ending !== undefined, 51_000, 'it has given up');
    expect(run.ending?.reason).toBe('gaveUp');
    expect(run.ending?.message).toContain(problem);
  });

  test.each([1, 2, 3])(
    'are looked up again: one that comes to life is found (seed %s)',
    async (seed) => {
      const hosts: Record<string, readonly string[]> = { service: [] };
      const sim = new Simulation({ seed, seeds: ['service'], hosts, settings: soon });
      const a = sim.start('a');
      await sim.run(12_000);
      expect(a.state?.members).toEqual([]);
      hosts.service = ['a', 'b'];
      sim.start('b');
      await sim.runUntil(() => isFormed(sim.nodes), SEED_TIMEOUT_MS + 3_000, 'both are up');
    },
  );
});
