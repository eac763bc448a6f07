import type { NodeKey } from '@rollcall/convergence';
import { describe, expect, it } from 'vitest';
import type { Standing } from './message.js';
import { outside, Stage, stateOf, upMember } from './stage.testing.js';
import { board, VirtualCluster } from './virtual-cluster.testing.js';
import type { VirtualNode } from './virtual-node.testing.js';

const K = 'ws://z:7000#00000000000000f1';
const elsewhere = (clusterId: NodeKey, change: Partial<Standing> = {}): Standing => ({
  ...outside,
  clusterId,
  size: 3,
  acceptors: [clusterId],
  ...change,
});

describe('two nodes that founded, each on its own', () => {
  it.each(['ab', 'ba'])(
    'become one cluster when they can reach each other: the higher address yields (%s)',
    (order) => {
      const cluster = new VirtualCluster({ join: { recheckSeeds: '2s' } });
      const seeds = { a: ['ws://a:7000', 'ws://b:7000'], b: ['ws://b:7000', 'ws://a:7000'] };
      const [first, second] = [...order].map((name) =>
        cluster.start(name, { seeds: seeds[name as 'a' | 'b'] }),
      ) as [VirtualNode, VirtualNode];
      cluster.split([first], [second]);
      cluster.run(8_000);
      expect([first, second].map(board).sort()).toEqual(['a up', 'b up']);
      const uids = [first.key, second.key];
      cluster.heal();
      cluster.until(() => cluster.isSettled([first, second]), 12_000);
      const [a, b] = order === 'ab' ? [first, second] : [second, first];
      expect(uids).toContain(a.key);
      expect(uids).not.toContain(b.key);
      expect(b.told('memberRemoved').map(({ member }) => member.address)).toEqual(['ws://b:7000']);
      expect([...a.told('islandDetected'), ...b.told('islandDetected')]).toEqual([]);
    },
  );

  it('become one when one of them has grown meanwhile: the lone one yields, lower or not', () => {
    const cluster = new VirtualCluster({ join: { recheckSeeds: '2s' } });
    const lone = cluster.start('a', { seeds: ['ws://a:7000', 'ws://b:7000'] });
    const b = cluster.start('b', { seeds: ['ws://b:7000', 'ws://a:7000'] });
    const c = cluster.start('c', { seeds: ['ws://b:7000'] });
    cluster.split([lone], [b, c]);
    cluster.run(8_000);
    expect([lone, b].map(board)).toEqual(['a up', 'b up, c up']);
    cluster.heal();
    cluster.until(() => cluster.isSettled([lone, b, c]), 12_000);
  });
});

describe('a founder that was the only seed', () => {
  it('comes back and joins the others, though no seed of its own is among them', () => {
    const cluster = new VirtualCluster({ downing: { stableAfter: '1s' } });
    const seeds = ['ws://a:7000'];
    const [a, b, c] = ['a', 'b', 'c'].map((name) => cluster.start(name, { seeds })) as [
      VirtualNode,
      VirtualNode,
      VirtualNode,
    ];
    cluster.until(() => cluster.isSettled([a, b, c]), 10_000);
    a.kill();
    cluster.until(() => cluster.isSettled([b, c]), 20_000);
    const again = cluster.start('a2', { at: 'a', seeds });
    cluster.until(() => cluster.isSettled([again, b, c]), 30_000);
    expect([...b.told('islandDetected'), ...c.told('islandDetected')]).toEqual([]);
  });

  it('founds anew when those whom it met are gone', () => {
    const stage = new Stage({ join: { seedTimeout: '2s' } }).founds();
    const { self } = stage;
    stage.hears(K, { kind: 'seedAsk', standing: elsewhere(K) });
    expect(stage.self).not.toBe(self);
    expect(stage.out).toContainEqual({ kind: 'link', address: 'ws://z:7000' });
    stage.resolves();
    stage.passes(1_500);
    expect(stage.machine.state.members).not.toContainEqual(
      expect.objectContaining({ node: stage.self }),
    );
    stage.passes(1_000);
    expect(stage.machine.state.members).toContainEqual(
      expect.objectContaining({ node: stage.self, status: 'up' }),
    );
  });
});

describe('another cluster of this name', () => {
  it('is reported once, with both member lists, and never merged', () => {
    const cluster = new VirtualCluster({ join: { recheckSeeds: '2s' } });
    const seeds = ['ws://a:7000', 'ws://c:7000'];
    const [a, b] = [cluster.start('a', { seeds }), cluster.start('b', { seeds: ['ws://a:7000'] })];
    const c = cluster.start('c', { seeds: ['ws://c:7000'] });
    const d = cluster.start('d', { seeds: ['ws://c:7000'] });
    cluster.split([a, b], [c, d]);
    cluster.run(8_000);
    // It misses a member, so it asks its seeds again, for ever.
    b.leave();
    cluster.heal();
    cluster.run(60_000);
    expect(board(a)).toBe('a up');
    expect(board(c)).toBe('c up, d up');
    const islands = a.told('islandDetected');
    expect(islands).toHaveLength(1);
    expect(islands[0]?.theirs).toEqual(expect.arrayContaining([c.key]));
    expect(islands[0]?.ours).toEqual([a.key]);
    expect(islands[0]?.via).toBe(c.key);
  });

  it('is told of this one in turn, once: both sides report, whoever met whom', () => {
    const stage = new Stage().founds();
    stage.admits(K);
    const from = 'ws://x:7000#1';
    stage.hears(from, { kind: 'seedAnswer', standing: elsewhere(from) });
    const { clusterId, size } = stage.sent('seedAnswer', from)[0]?.standing ?? outside;
    expect([clusterId, size]).toEqual([stage.machine.state.clusterId, 2]);
    stage.hears(from, { kind: 'seedAnswer', standing: elsewhere(from) });
    expect(stage.sent('seedAnswer', from)).toEqual([]);
  });

  it('is nothing to a node that belongs to it', () => {
    const stage = new Stage().founds();
    stage.hears(K, { kind: 'seedAnswer', standing: elsewhere(stage.self) });
    expect(stage.out).toEqual([]);
  });

  it('is told apart by its founder: each is reported once', () => {
    const stage = new Stage().founds();
    stage.admits(K);
    const reported = [1, 2, 1, 2, 3].map((number) => {
      stage.hears('ws://x:7000#1', {
        kind: 'seedAnswer',
        standing: elsewhere(`ws://x${number}:7000#1`),
      });
      return stage.told('islandDetected').length;
    });
    expect(reported).toEqual([1, 1, 0, 0, 1]);
  });

  it('whose founder is alone there is not reported: it will yield', () => {
    const stage = new Stage().founds();
    stage.admits(K);
    stage.hears('ws://x:7000#1', {
      kind: 'seedAnswer',
      standing: elsewhere('ws://x:7000#1', { loner: true, size: 1 }),
    });
    expect(stage.told('islandDetected')).toEqual([]);
  });

  it('makes a lone founder yield, but for a lone one of a higher address', () => {
    for (const [address, loner, yields] of [
      ['ws://a:7000', true, true],
      ['ws://y:7000', true, false],
      ['ws://y:7000', false, true],
    ] as const) {
      const stage = new Stage().founds();
      const { self } = stage;
      stage.hears(`${address}#1`, {
        kind: 'seedAsk',
        standing: elsewhere(`${address}#1`, { loner }),
      });
      expect(stage.self !== self, `${address} ${loner}`).toBe(yields);
    }
  });
});

describe('a far member', () => {
  const keys = Array.from({ length: 20 }, (_, i): NodeKey => `ws://n${i}:7000#00000000000000b1`);

  function among() {
    const gossip = { farInterval: '1s' };
    const stage = new Stage({ heartbeat: { rings: 1 }, gossip }, ['ws://n0:7000']);
    stage.enters(stateOf(keys.map((key) => upMember(key))), keys[0] as NodeKey);
    return stage;
  }

  it('that is linked already is shown what this node holds', () => {
    const stage = among();
    const near = new Set(stage.machine.links(stage.nowMs).map(({ subject }) => subject));
    for (const key of keys) stage.links(key);
    stage.passes(900);
    const shown = stage
      .passes(200)
      .flatMap((each) => (each.kind === 'send' && each.message.kind === 'status' ? [each.to] : []));
    expect(shown.filter((key) => !near.has(key))).toHaveLength(1);
  });

  it('that closes the link is not dialled again: it need not keep what it does not want', () => {
    const stage = among();
    const far = stage.passes(1_100).flatMap((each) => (each.kind === 'link' ? [each.address] : []));
    expect(far).toHaveLength(1);
    const peer = keys.find((key) => key.startsWith(`${far[0]}#`)) as NodeKey;
    stage.links(peer, far[0]);
    stage.step({ kind: 'linkDown', peer });
    expect(stage.out).toContainEqual({ kind: 'unlink', address: far[0] });
  });
});

describe('a node that misses members', () => {
  it('asks its seeds again at a slow rate, for ever; one that misses nobody at a tenth of that', () => {
    const asked = (misses: boolean) => {
      const stage = new Stage({ gossip: { farInterval: '1s' } }).founds();
      stage.admits(K);
      const { members } = stage.machine.state;
      expect(members).toHaveLength(2);
      if (misses) stage.step({ kind: 'down', subject: K, ticket: 1 });
      if (misses) expect(stage.machine.state.members).toHaveLength(1);
      else stage.step({ kind: 'linkUp', peer: helloOf(K), dialled: undefined });
      const out = misses ? stage.passes(200_000) : beating(stage, 200);
      return out.filter((each) => each.kind === 'resolve').length;
    };
    expect(asked(true)).toBe(20);
    expect(asked(false)).toBe(2);
  });

  it('dials the seeds that are no members, and asks them where they stand', () => {
    const stage = new Stage({}, ['ws://m:7000', 'ws://s:7000']);
    stage.step({ kind: 'start' });
    stage.resolves();
    stage.passes(10_500);
    stage.passes(12_000);
    expect(stage.out).toContainEqual({ kind: 'resolve', seeds: ['ws://m:7000', 'ws://s:7000'] });
    stage.resolves();
    expect(stage.out).toContainEqual({ kind: 'link', address: 'ws://s:7000' });
    stage.links('ws://s:7000#1', 'ws://s:7000');
    expect(stage.sent('seedAsk', 'ws://s:7000#1')[0]?.standing).toMatchObject({
      loner: true,
      size: 1,
    });
    stage.passes(11_000);
    expect(stage.out).toContainEqual({ kind: 'unlink', address: 'ws://s:7000' });
  });
});

describe('a seed whose old run is down here', () => {
  it('is asked: another run may answer there, in another cluster', () => {
    const stage = new Stage().founds();
    stage.admits('ws://y:7000#00000000000000f2');
    stage.admits(K);
    stage.step({ kind: 'down', subject: K, ticket: 1 });
    expect(stage.machine.state.members).toContainEqual(
      expect.objectContaining({ node: K, status: 'down' }),
    );
    stage.resolves('ws://z:7000');
    expect(stage.out).toContainEqual({ kind: 'link', address: 'ws://z:7000' });
  });
});

const helloOf = (self: NodeKey) => ({
  cluster: 'test',
  protocol: { min: 1, max: 1 },
  self,
  settings: [],
});

/** Seconds in which the other member is heard. */
function beating(stage: Stage, seconds: number) {
  return Array.from({ length: seconds }, (_, i) => {
    const { digest, epoch } = stage.machine.state;
    stage.hears(K, {
      kind: 'heartbeat',
      seq: i + 1,
      echo: i,
      observes: true,
      status: { epoch, digest, seen: 'all' },
    });
    return stage.passes(1_000);
  }).flat();
}
