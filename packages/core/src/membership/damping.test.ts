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

  it('is held by whoever is well, and not by a node that is not', () => {
    const cluster = new VirtualCluster({
      ...MANUAL,
      localHealth: { scoreMax: 1, cleanIntervals: 1_000 },
    });
    const [a, b, c, d, e] = cluster.formed('abcde') as Five;
    cluster.run(15_000);
    a.pause();
    cluster.run(2_000);
    a.resume();
    cluster.run(2_000);
    const linkOf = (node: VirtualNode) =>
      node.machine.links(cluster.nowMs).find(({ subject }) => subject === e.key);
    for (let i = 0; i < 2; i++) {
      cluster.split([e], [a, b, c, d]);
      cluster.run(9_000);
      expect(linkOf(a)?.reachable).toBe(false);
      cluster.heal();
      cluster.run(5_000);
    }
    expect(linkOf(b)?.heldForMs).toBeGreaterThan(20_000);
    expect(linkOf(a)).toMatchObject({ reachable: true, heldForMs: undefined });
  });

  it('is downed like anybody who is unreachable, where downing is automatic', () => {
    const { cluster, rest } = flapping(2, { downing: { stableAfter: '10s' } });
    cluster.until(() => rest.every((node) => board(node) === 'a up, b up, c up, d up'), 10_000);
  });
});

describe('a hold', () => {
  it('ends though the link stays broken, as others reach the member', () => {
    const cluster = new VirtualCluster(MANUAL);
    const nodes = cluster.formed('abcde') as Five;
    cluster.run(15_000);
    const [a, b, , , e] = nodes;
    cluster.split([a, b], [e]);
    cluster.run(30_000);
    for (let i = 0; i < 3; i++) {
      e.pause();
      cluster.run(7_000);
      e.resume();
      cluster.run(8_000);
    }
    expect(board(a)).toBe('a up, b up, c up, d up, e up unreachable');
    cluster.until(() => cluster.isSettled(nodes), 180_000);
    cluster.run(600_000);
    expect(cluster.isSettled(nodes)).toBe(true);
  });

  it('begins with a verdict and never with the end of one: nothing is left for the next time', () => {
    const { cluster, nodes, rest, a, e } = flapping(2);
    cluster.until(() => cluster.isSettled(nodes), 31_000);
    const outage = () => {
      cluster.split([e], rest);
      cluster.until(() => rest.every((node) => node.reachabilityOf(e) === 'unreachable'), 6_000);
      cluster.heal();
      return cluster.until(() => cluster.isSettled(nodes), 200_000);
    };
    expect(outage()).toBeLessThan(5_000);
    const link = () => a.machine.links(cluster.nowMs).find(({ subject }) => subject === e.key);
    cluster.run(5_000);
    expect(link()).toMatchObject({ reachable: true, heldForMs: undefined });
    cluster.run(3_600_000);
    expect(outage()).toBeLessThan(5_000);
  });

  it('asks nobody about a member that is heard meanwhile', () => {
    const { cluster, a } = flapping(2);
    cluster.rule(({ from, to }) => (from === 'e' && to === 'a' ? { delayMs: 30 } : 'pass'));
    const before = [a.said('probeFor').length, a.logs.length];
    cluster.run(20_000);
    expect([a.said('probeFor').length, a.logs.length]).toEqual(before);
  });

  it('ends for one that beats more slowly than it is listened to', () => {
    const cluster = new VirtualCluster(MANUAL);
    const slow = { heartbeat: { interval: '10s' }, detector: { acceptablePause: '10s' } };
    const rest = [...'abcd'].map((name) => cluster.start(name));
    const e = cluster.start('e', { settings: slow });
    const nodes = [...rest, e];
    cluster.until(() => cluster.isSettled(nodes), 40_000);
    cluster.run(120_000);
    cluster.split([e], rest);
    cluster.until(() => rest.every((node) => node.reachabilityOf(e) === 'unreachable'), 30_000);
    cluster.heal();
    cluster.until(() => cluster.isSettled(nodes), 120_000);
  });
});

describe('a member of which little comes', () => {
  /** Of `e` every eighth heartbeat arrives, and no answer. */
  function faint(forMs: number) {
    const cluster = new VirtualCluster(MANUAL);
    const nodes = cluster.formed('abcde') as Five;
    cluster.run(15_000);
    const [a, b, c, d, e] = nodes;
    const sent = new Map<string, number>();
    cluster.rule(({ from, to, message }) => {
      if (from !== 'e' || message.kind === 'probed') return from === 'e' ? 'drop' : 'pass';
      if (message.kind !== 'heartbeat') return 'pass';
      const count = (sent.get(to) ?? 0) + 1;
      sent.set(to, count);
      return count % 8 === 0 ? 'pass' : 'drop';
    });
    cluster.run(forMs);
    return { cluster, nodes, rest: [a, b, c, d], a, e };
  }

  it('is not believed again whenever something comes, and is when it has been heard for half a minute', () => {
    const { cluster, nodes, rest, a } = faint(60_000);
    for (let second = 0; second < 60; second++) {
      for (const node of rest) expect(board(node)).toBe('a up, b up, c up, d up, e up unreachable');
      cluster.run(1_000);
    }
    const told = a.logs.filter(({ message }) =>
      /e:7000 (is hardly heard|comes and goes):/.test(message),
    );
    expect(told).toHaveLength(1);
    cluster.rules.clear();
    expect(cluster.until(() => cluster.isSettled(nodes), 40_000)).toBeGreaterThan(30_000);
  });

  it('teaches nobody patience', () => {
    const { cluster, a, e } = faint(120_000);
    const link = a.machine.links(cluster.nowMs).find(({ subject }) => subject === e.key);
    expect(link?.meanMs).toBeLessThan(1_500);
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
