import { describe, expect, it } from 'vitest';
import { board, VirtualCluster } from './virtual-cluster.testing.js';
import type { VirtualNode } from './virtual-node.testing.js';

type Five = [VirtualNode, VirtualNode, VirtualNode, VirtualNode, VirtualNode];

const MANUAL = { downing: { strategy: 'manual' } };

/** `e` is cut off for as long as it takes to be held unreachable, and then heard again, `times` times. */
function flapping(times: number, settings: Record<string, unknown> = MANUAL) {
  const cluster = new VirtualCluster(settings);
  const nodes = cluster.formed('abcde') as Five;
  cluster.run(15_000);
  const [a, b, c, d, e] = nodes;
  const rest = [a, b, c, d];
  for (let i = 0; i < times; i++) {
    cluster.split([e], rest);
    cluster.until(() => rest.every((node) => node.reachabilityOf(e) === 'unreachable'), 6_000);
    cluster.heal();
    cluster.run(5_000);
  }
  return { cluster, nodes, rest, a, e };
}

describe('a member that comes and goes', () => {
  it('stays unreachable when it turns the third time within a minute, until it was heard for half a minute', () => {
    const once = flapping(1);
    expect(once.a.reachabilityOf(once.e)).toBe('reachable');
    const { cluster, nodes, rest, a, e } = flapping(2);
    for (const node of rest) expect(board(node)).toBe('a up, b up, c up, d up, e up unreachable');
    const link = () => a.machine.links(cluster.nowMs).find(({ subject }) => subject === e.key);
    expect(link()?.heldForMs).toBeGreaterThan(20_000);
    expect(link()?.heldForMs).toBeLessThan(26_000);
    expect(cluster.until(() => cluster.isSettled(nodes), 31_000)).toBeGreaterThan(20_000);
    cluster.run(1_000);
    expect(link()).toMatchObject({ reachable: true, heldForMs: undefined });
    const logs = a.logs.filter(({ message }) => /comes and goes/.test(message));
    expect(logs).toHaveLength(1);
  });

  it('is held from the start again when it goes once more meanwhile', () => {
    const { cluster, nodes, rest, e } = flapping(2);
    cluster.run(10_000);
    cluster.split([e], rest);
    cluster.run(8_000);
    cluster.heal();
    expect(cluster.until(() => cluster.isSettled(nodes), 36_000)).toBeGreaterThan(26_000);
  });

  it('is not held where damping is off', () => {
    const { cluster, nodes } = flapping(3, { ...MANUAL, damping: { holdDown: 0 } });
    expect(cluster.isSettled(nodes)).toBe(true);
  });

  it('holds nothing against the others itself: it was cut off, so it was its own trouble', () => {
    const { cluster, e } = flapping(2);
    expect(e.machine.links(cluster.nowMs).filter(({ reachable }) => !reachable)).toEqual([]);
    expect(e.machine.links(cluster.nowMs).filter(({ heldForMs }) => heldForMs)).toEqual([]);
  });

  it('is downed like anybody who is unreachable, where downing is automatic', () => {
    const { cluster, rest } = flapping(2, { downing: { stableAfter: '10s' } });
    cluster.until(() => rest.every((node) => board(node) === 'a up, b up, c up, d up'), 10_000);
  });
});

describe('a network that comes and goes', () => {
  it('leaves no side without its quorum: a side that lost it forgets who came and went', () => {
    const cluster = new VirtualCluster({ downing: { stableAfter: '60s' } });
    const nodes = cluster.formed('abcde') as Five;
    cluster.run(15_000);
    const [a, b, c, d, e] = nodes;
    for (let i = 0; i < 3; i++) {
      cluster.split([a, b], [c, d, e]);
      cluster.until(() => board(c).startsWith('a up unreachable, b up unreachable'), 6_000);
      cluster.run(1_000);
      cluster.heal();
      cluster.run(6_000);
    }
    cluster.until(() => cluster.isSettled(nodes), 60_000);
    expect(nodes.map(({ isRunning }) => isRunning)).toEqual([true, true, true, true, true]);
  });
});
