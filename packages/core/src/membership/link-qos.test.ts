import { describe, expect, it } from 'vitest';
import { VirtualCluster } from './virtual-cluster.testing.js';
import type { VirtualNode } from './virtual-node.testing.js';

type Five = [VirtualNode, VirtualNode, VirtualNode, VirtualNode, VirtualNode];

function five(settings: Record<string, unknown> = {}) {
  const cluster = new VirtualCluster({ downing: { strategy: 'manual' }, ...settings });
  const all = cluster.formed('abcde') as Five;
  cluster.run(60_000);
  const linkOf = (of: VirtualNode, to: VirtualNode) => {
    const link = of.machine.links(cluster.nowMs).find(({ subject }) => subject === to.key);
    if (link === undefined) throw new Error(`${of.name} does not observe ${to.name}`);
    return link;
  };
  const qos = (of: VirtualNode, to: VirtualNode) => linkOf(of, to).qos;
  return { cluster, all, linkOf, qos };
}

describe('the quality of a link', () => {
  it('that was never mistaken is accuracy 1, and T_D is what the detector tolerates', () => {
    const { all, qos } = five();
    const [a, b] = all;
    const { detectionTimeMs, observedMs, ...rest } = qos(a, b);
    expect(detectionTimeMs).toBeGreaterThan(4_500);
    expect(detectionTimeMs).toBeLessThan(4_700);
    expect(observedMs).toBeGreaterThan(59_000);
    expect(rest).toEqual({
      mistakes: 0,
      mistakeMs: 0,
      setAside: 0,
      mistakeRecurrenceMs: undefined,
      mistakeDurationMs: undefined,
      queryAccuracy: 1,
    });
  });

  it('T_D is when it convicts, to the millisecond', () => {
    const { cluster, all, linkOf } = five();
    const [a, b] = all;
    const { qos, silenceMs = 0 } = linkOf(a, b);
    b.kill({ silently: true });
    const heardMs = cluster.nowMs - silenceMs;
    cluster.run(heardMs + (qos.detectionTimeMs ?? 0) - 2 - cluster.nowMs);
    expect(linkOf(a, b).reachable).toBe(true);
    cluster.run(3);
    expect(linkOf(a, b).reachable).toBe(false);
  });

  it('has gaps between heartbeats, whatever answers to probes come in between', () => {
    const { cluster, all } = five();
    const [a, b] = all;
    const longest = () =>
      Math.max(...(a.machine.gaps.find(({ subject }) => subject === b.key)?.longestMs ?? []));
    expect(longest()).toBeLessThan(1_100);
    const noBeats = cluster.rule(({ from, to, message }) =>
      from === b.name && to === a.name && message.kind === 'heartbeat' ? 'drop' : 'pass',
    );
    cluster.run(4_000);
    noBeats();
    cluster.run(2_000);
    expect(a.said('probe', b).length).toBeGreaterThan(0);
    expect(longest()).toBeGreaterThan(3_900);
  });

  it('counts a verdict that was taken back, with how long it stood', () => {
    const { cluster, all, qos } = five({ detector: { indirectProbes: 0 } });
    const [a, b] = all;
    const isBetween = (from: string, to: string) => new Set([from, to, a.name, b.name]).size === 2;
    const lose = ({ from, to }: { from: string; to: string }) =>
      isBetween(from, to) ? ('drop' as const) : ('pass' as const);
    cluster.rules.add(lose);
    cluster.run(10_000);
    expect(qos(a, b)).toMatchObject({ mistakes: 0, queryAccuracy: 1 });
    cluster.rules.delete(lose);
    cluster.run(10_000);
    for (const [of, to] of [
      [a, b],
      [b, a],
    ] as const) {
      const { mistakes, mistakeMs, mistakeDurationMs, queryAccuracy, observedMs, setAside } = qos(
        of,
        to,
      );
      expect([mistakes, setAside]).toEqual([1, 0]);
      expect(mistakeMs).toBeGreaterThan(4_400);
      expect(mistakeMs).toBeLessThan(7_600);
      expect(mistakeDurationMs).toBe(mistakeMs);
      expect(queryAccuracy).toBeCloseTo(1 - mistakeMs / observedMs, 12);
    }
    const { longestMs = [] } = a.machine.gaps.find(({ subject }) => subject === b.key) ?? {};
    expect(longestMs[0]).toBeGreaterThan(9_000);
    expect(longestMs[1]).toBeLessThan(1_100);
    expect(qos(a, all[2])).toMatchObject({ mistakes: 0, queryAccuracy: 1 });
  });

  it('a node that was cut off was not mistaken, the others about it were', () => {
    const { cluster, all, qos } = five();
    const [a, ...rest] = all;
    cluster.split([a], rest);
    cluster.run(10_000);
    cluster.heal();
    cluster.run(15_000);
    for (const other of rest) {
      expect(qos(a, other)).toMatchObject({ mistakes: 0, setAside: 1, queryAccuracy: 1 });
      expect(qos(other, a)).toMatchObject({ mistakes: 1, setAside: 0 });
    }
    const longest = a.machine.gaps.flatMap(({ longestMs }) => longestMs);
    expect(Math.max(...longest)).toBeLessThan(1_100);
  });

  it('a pause of its own is neither time nor a gap nor a mistake', () => {
    const { cluster, all, qos } = five();
    const [a, b] = all;
    const before = qos(a, b).observedMs;
    a.pause();
    cluster.run(8_000);
    a.resume();
    cluster.run(10_000);
    for (const other of all.slice(1)) expect(qos(a, other).mistakes).toBe(0);
    expect(qos(a, b).observedMs - before).toBeGreaterThan(9_500);
    expect(qos(a, b).observedMs - before).toBeLessThan(11_500);
    const longest = a.machine.gaps.flatMap(({ longestMs }) => longestMs);
    expect(Math.max(...longest)).toBeLessThan(1_100);
  });

  it('a crash makes no observer look inaccurate', () => {
    const { cluster, all, linkOf } = five();
    const [a, b] = all;
    b.kill({ silently: true });
    cluster.run(600_000);
    expect(linkOf(a, b)).toMatchObject({
      reachable: false,
      qos: { mistakes: 0, queryAccuracy: 1 },
    });
    expect(linkOf(a, b).qos.observedMs).toBeLessThan(70_000);
  });
});
