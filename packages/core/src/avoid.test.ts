import { describe, expect, it } from 'vitest';
import { PuppetPeer, puppetNode } from './puppet-ports.testing.js';

const K = 'ws://z:7000#00000000000000f1';

async function two(settings: Record<string, unknown> = {}) {
  const node = await puppetNode({ settings });
  const peer = new PuppetPeer(K, node.cluster, node.transport);
  peer.joins();
  return { ...node, peer };
}

describe('a consumer’s own threshold', () => {
  it('give phi of a member as a value too, by either name, where this node has one', async () => {
    const { cluster, clock, peer } = await two();
    peer.beats();
    clock.advance(8_000);
    expect(cluster.phi(K)).toBeGreaterThan(1);
    expect(cluster.phi('ws://z:7000')).toBe(cluster.phi(K));
    expect([cluster.phi(cluster.self.node), cluster.phi('ws://nobody:1')]).toEqual([
      undefined,
      undefined,
    ]);
  });

  it('say whom to avoid by a threshold of the consumer’s own, long before the cluster convicts', async () => {
    const { cluster, clock, peer } = await two({
      downing: { strategy: 'manual' },
      agreement: { observers: 1 },
    });
    const said: { set: string[]; atMs: number; reachability: string | undefined }[] = [];
    cluster.avoid$({ phi: 3 }).subscribe((set) => {
      const reachability = cluster.state.members.find(({ node }) => node === K)?.reachability;
      said.push({ set: [...set], atMs: clock.nowMs(), reachability });
    });
    expect(said).toEqual([{ set: [], atMs: 0, reachability: 'reachable' }]);
    for (let i = 0; i < 10; i++) {
      peer.beats();
      clock.advance(1_000);
    }
    expect(said).toHaveLength(1);
    clock.advance(20_000);
    // One that is held unreachable stays avoided: no second emission when that comes.
    expect(said.slice(1)).toEqual([
      { set: [K], atMs: expect.any(Number), reachability: 'reachable' },
    ]);
    expect(cluster.state.members[1]?.reachability).toBe('unreachable');
    peer.beats();
    clock.advance(250);
    expect(said.at(-1)).toMatchObject({ set: [], reachability: 'reachable' });
  });

  it('say whom to avoid within a sample of the moment when phi gets there, and in time order of thresholds', async () => {
    const { cluster, clock, peer } = await two({ downing: { strategy: 'manual' } });
    const crossedAtMs = new Map<number, number>();
    for (const phi of [1, 3, 6]) {
      cluster.avoid$({ phi }).subscribe((set) => {
        if (set.has(K) && !crossedAtMs.has(phi)) crossedAtMs.set(phi, clock.nowMs());
      });
    }
    const reachedAtMs = new Map<number, number>();
    for (let ms = 0; ms < 20_000; ms += 10) {
      if (ms < 10_000 && ms % 1_000 === 0) peer.beats();
      clock.advance(10);
      for (const phi of [1, 3, 6])
        if ((cluster.phi(K) ?? 0) >= phi && !reachedAtMs.has(phi))
          reachedAtMs.set(phi, clock.nowMs());
    }
    expect([...crossedAtMs.keys()]).toEqual([1, 3, 6]);
    for (const [phi, atMs] of crossedAtMs) {
      const lateMs = atMs - (reachedAtMs.get(phi) ?? Number.NaN);
      expect(lateMs).toBeGreaterThanOrEqual(-10);
      expect(lateMs).toBeLessThanOrEqual(250);
    }
  });

  it.each([
    ['phi-normal', 2_500],
    ['deadline', 2_500],
    ['phi-exponential', 0],
  ])('let a consumer have less patience, where the detector has any: %s', async (kind, aheadMs) => {
    const { cluster, clock, peer } = await two({ detector: { kind } });
    const hasty: (number | undefined)[] = [];
    const patient: (number | undefined)[] = [];
    for (let ms = 0; ms < 16_000; ms += 100) {
      if (ms < 10_000 && ms % 1_000 === 0) peer.beats();
      clock.advance(100);
      hasty.push(cluster.phi(K, { pauseMs: 500 }));
      patient.push(cluster.phi(K));
    }
    // In the silence at the end, and until that shows in the state: the same curve, so much earlier.
    const silence = 101;
    for (let i = silence; i < 130; i++)
      expect(hasty[i]).toBeCloseTo(patient[i + aheadMs / 100] ?? Number.NaN, 6);
  });
});
