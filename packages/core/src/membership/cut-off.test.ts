import type { Member, NodeKey, State } from '@rollcall/convergence';
import { describe, expect, it } from 'vitest';
import { Stage, stateOf, statusOf, told, upMember } from './stage.testing.js';
import { board, VirtualCluster } from './virtual-cluster.testing.js';
import type { VirtualNode } from './virtual-node.testing.js';

type Five = [VirtualNode, VirtualNode, VirtualNode, VirtualNode, VirtualNode];

function five(settings: Record<string, unknown> = {}) {
  const cluster = new VirtualCluster({ downing: { strategy: 'manual' }, ...settings });
  const all = cluster.formed('abcde') as Five;
  cluster.run(15_000);
  return { cluster, all };
}

/** The row a node last wrote of itself and sent to anybody. */
function lastRow(node: VirtualNode) {
  const own = node
    .said('patch')
    .flatMap(({ patch }) => patch.put.filter(({ key }) => key === node.key));
  return own.at(-1)?.row;
}
const lostBy = (node: VirtualNode, nowMs: number) =>
  node.machine
    .links(nowMs)
    .filter(({ reachable }) => !reachable)
    .map(({ subject }) => subject);

describe('a node that has lost sight of the quorum', () => {
  it('shows its own users what it has lost, and convicts nobody at others', () => {
    const { cluster, all } = five();
    const [a, ...rest] = all;
    cluster.split([a], rest);
    cluster.run(10_000);
    expect(board(a)).toBe(
      'a up, b up unreachable, c up unreachable, d up unreachable, e up unreachable',
    );
    for (const node of rest) expect(board(node)).toBe('a up unreachable, b up, c up, d up, e up');
    cluster.heal();
    cluster.until(() => cluster.isSettled(all), 5_000);
    const others = rest.flatMap((node) => node.told('memberUnreachable'));
    expect(new Set(others.map(({ member }) => member.node))).toEqual(new Set([a.key]));
  });

  it('begins half-grown silences anew on contact too: they are as old as the cut', () => {
    const { cluster, all } = five({ detector: { indirectProbes: 0 } });
    const [a, b, ...others] = all;
    cluster.split([a], others);
    cluster.run(20_000);
    cluster.split([a], [b]);
    cluster.run(1_800);
    // All but b are in contact again.
    cluster.heal();
    cluster.split([a], [b]);
    cluster.until(() => lostBy(a, cluster.nowMs).length === 0, 2_000);
    expect(a.machine.links(cluster.nowMs)[0]).toMatchObject({ subject: b.key, reachable: true });
    expect(a.machine.links(cluster.nowMs)[0]?.qos.setAside).toBe(0);
    const contactMs = cluster.nowMs;
    cluster.until(() => lostBy(a, cluster.nowMs).includes(b.key), 7_000);
    expect(cluster.nowMs - contactMs).toBeGreaterThan(4_000);
  });

  it('drops all that it holds on contact, and earns it again from fresh silence', () => {
    // Asked, b would say that it reaches them.
    const { cluster, all } = five({ detector: { indirectProbes: 0 } });
    const [a, b, ...others] = all;
    cluster.split([a], [b, ...others]);
    cluster.run(20_000);
    cluster.heal();
    // Only b is in contact again at first.
    cluster.split([a], others);
    cluster.until(() => lostBy(a, cluster.nowMs).length === 0, 3_000);
    const contactMs = cluster.nowMs;
    cluster.run(10);
    expect(lastRow(a)).toMatchObject({ unreachable: [], cutOff: false });
    cluster.until(() => lostBy(a, cluster.nowMs).length === 3, 7_000);
    expect(cluster.nowMs - contactMs).toBeGreaterThan(4_000);
    expect(lostBy(a, cluster.nowMs)).toEqual(others.map(({ key }) => key));
  });

  it('is itself again when the network is', () => {
    const { cluster, all } = five();
    const [a, ...rest] = all;
    cluster.split([a], rest);
    cluster.run(30_000);
    cluster.heal();
    cluster.until(() => cluster.isSettled(all), 5_000);
    expect(all.map((node) => node.ending)).toEqual(Array(5).fill(undefined));
  });
});

describe('a side that is still quorate', () => {
  it('is not cut off, however many it lost at once: it convicts them', () => {
    const { cluster, all } = five();
    const [a, b, c, d, e] = all;
    cluster.split([a, b, c], [d, e]);
    cluster.run(12_000);
    for (const node of [a, b, c]) {
      expect(board(node)).toBe('a up, b up, c up, d up unreachable, e up unreachable');
      expect(lastRow(node)).toMatchObject({ cutOff: false });
    }
    for (const node of [d, e]) expect(lastRow(node)).toMatchObject({ cutOff: true });
  });
});

describe('a node whose own links are fine', () => {
  const others = ['a', 'b', 'd', 'e'].map((name): NodeKey => `ws://${name}:7000#00000000000000c1`);
  const [A, B, D, E] = others as [NodeKey, NodeKey, NodeKey, NodeKey];
  const naming = (state: State, key: NodeKey, ...unreachable: readonly NodeKey[]) => {
    const member = state.get(key) as Member;
    const row = { version: member.row.version + 1, unreachable, unwell: false, cutOff: false };
    return state.with({ ...member, row });
  };

  it('does not stop for what others hold against each other: d names a and b, e names it', () => {
    const settings = { downing: { stableAfter: '2s', unstableAfter: '2s' } };
    const stage = new Stage(settings, ['ws://a:7000']);
    let state = stage.enters(stateOf(others.map((key) => upMember(key))), A);
    for (const key of others) stage.links(key);
    state = naming(state, D, A, B);
    stage.hears(D, told(null, state, D));
    state = naming(state, E, stage.self);
    stage.hears(E, told(null, state, E));
    for (let seq = 1; seq <= 60; seq++) {
      for (const key of others)
        stage.hears(key, {
          kind: 'heartbeat',
          seq,
          echo: seq - 1,
          observes: true,
          status: statusOf(state),
        });
      stage.passes(1_000);
      expect(stage.stopped).toBeUndefined();
    }
    expect(stage.machine.state.members.map(({ reachability }) => reachability)).toEqual([
      'suspected',
      'suspected',
      'reachable',
      'reachable',
      'suspected',
    ]);
    expect(stage.machine.state.convergence).toBe(true);
  });
});

describe('nodes that wait while somebody is unreachable', () => {
  it('are weakly up until it is back, and then up', () => {
    const { cluster, all } = five();
    const [, , , , e] = all;
    e.pause();
    cluster.run(10_000);
    const late = cluster.start('f');
    const seers = [...all.slice(0, 4), late];
    cluster.until(() => seers.every((node) => node.statusOf(late) === 'weaklyUp'), 3_000);
    expect(late.told('memberWeaklyUp')).toHaveLength(1);
    cluster.run(5_000);
    expect(late.told('selfUp')).toEqual([]);
    e.resume();
    cluster.until(() => cluster.isSettled([...all, late]), 5_000);
    expect(late.told('selfUp')).toHaveLength(1);
  });
});
