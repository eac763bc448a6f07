import { describe, expect, it } from 'vitest';
import { VirtualCluster } from './virtual-cluster.testing.js';
import type { VirtualNode } from './virtual-node.testing.js';

type Five = [VirtualNode, VirtualNode, VirtualNode, VirtualNode, VirtualNode];

function five(settings: Record<string, unknown> = {}) {
  const cluster = new VirtualCluster({ downing: { strategy: 'manual' }, ...settings });
  const nodes = cluster.formed('abcde') as Five;
  cluster.run(15_000);
  const sleep = (node: VirtualNode, ms: number) => {
    node.pause();
    cluster.run(ms);
    node.resume();
  };
  const untilHeld = (of: VirtualNode, on: VirtualNode) => {
    const isHeld = () =>
      of.machine
        .links(cluster.nowMs)
        .some(({ subject, reachable }) => subject === on.key && !reachable);
    cluster.until(isHeld, 60_000);
  };
  return { cluster, nodes, sleep, untilHeld };
}

describe('local health', () => {
  it('is worse by one for each pause, and better by one for ten intervals without', () => {
    const { cluster, nodes, sleep } = five();
    const [a] = nodes;
    sleep(a, 2_000);
    expect(a.machine.healthScore).toBe(1);
    cluster.run(3_000);
    sleep(a, 2_000);
    expect(a.machine.healthScore).toBe(2);
    cluster.run(11_000);
    expect(a.machine.healthScore).toBe(1);
    cluster.run(10_000);
    expect(a.machine.healthScore).toBe(0);
    expect(nodes.map((node) => node.machine.healthScore)).toEqual([0, 0, 0, 0, 0]);
  });

  it('makes a node wait an acceptable pause more for each step, and its word count for nothing', () => {
    const { cluster, nodes, sleep, untilHeld } = five();
    const [a, b] = nodes;
    sleep(a, 2_000);
    cluster.run(1_000);
    b.kill({ silently: true });
    const killedMs = cluster.nowMs;
    const others = nodes.slice(2);
    cluster.until(() => others.every((node) => node.reachabilityOf(b) === 'unreachable'), 5_600);
    const observedBy = a.state.members.find(({ node }) => node === b.key)?.observedBy;
    expect(observedBy).not.toContain(a.key);
    untilHeld(a, b);
    expect(cluster.nowMs - killedMs).toBeGreaterThan(6_500);
  });

  it('stays as it is without a score', () => {
    const { nodes, sleep } = five({ localHealth: { scoreMax: 0 } });
    sleep(nodes[0], 5_000);
    expect(nodes[0].machine.healthScore).toBe(0);
  });

  it('is worse when two ticks in a row come late by more than half a pause', () => {
    const { cluster, nodes, sleep } = five();
    const [a] = nodes;
    const beats = a.said('heartbeat').length;
    cluster.until(() => a.said('heartbeat').length > beats, 1_500);
    cluster.run(900);
    sleep(a, 400);
    expect(a.machine.healthScore).toBe(0);
    cluster.run(900);
    sleep(a, 400);
    expect(a.machine.healthScore).toBe(1);
    expect(a.told('localPauseDetected')).toEqual([]);
  });

  it('is worse when several hold the node unreachable', () => {
    const { cluster, nodes } = five();
    const [a, ...others] = nodes;
    const hear = cluster.rule(({ from, message }) =>
      from === 'a' && ['heartbeat', 'probed'].includes(message.kind) ? 'drop' : 'pass',
    );
    cluster.until(() => others.every((node) => node.reachabilityOf(a) === 'unreachable'), 8_000);
    hear();
    cluster.until(() => cluster.isSettled(nodes), 5_000);
    expect(a.machine.healthScore).toBeGreaterThan(0);
  });

  it('is worse for each go-between that is heard and leaves the node without an answer', () => {
    const { cluster, nodes } = five();
    const [a, b] = nodes;
    cluster.rule(({ to, message }) => (to === 'b' && message.kind === 'probed' ? 'drop' : 'pass'));
    a.kill({ silently: true });
    cluster.until(() => b.reachabilityOf(a) === 'unreachable', 6_000);
    expect(b.machine.healthScore).toBe(0);
    cluster.run(3_000);
    expect(b.machine.healthScore).toBe(3);
  });

  it('is not worse for a go-between that was away itself', () => {
    const { cluster, nodes } = five();
    const [, , , d, e] = nodes;
    e.pause();
    cluster.run(2_000);
    d.pause();
    cluster.run(4_000);
    d.resume();
    e.resume();
    cluster.run(2_000);
    const others = nodes.slice(0, 3).map((node) => node.machine.healthScore);
    expect(others).toEqual([0, 0, 0]);
  });

  it('of everybody at once does not let one observer convict', () => {
    const { cluster, nodes } = five({ downing: { stableAfter: '5s' } });
    const [a, b] = nodes;
    // One observer does not hear one member, and does not believe others that do.
    cluster.rule(({ from, to, message }) =>
      to === 'b' && (from === 'a' || message.kind === 'probed') ? 'drop' : 'pass',
    );
    for (let round = 0; round < 12; round++) {
      for (const node of nodes) node.pause();
      cluster.run(1_500);
      for (const node of nodes) node.resume();
      cluster.run(8_500);
    }
    expect(nodes.map((node) => node.reachabilityOf(a))).not.toContain('unreachable');
    expect(b.isRunning && a.isRunning).toBe(true);
  });
});
