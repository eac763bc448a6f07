/** When members are asked about, how often, and that it puts off no verdict. */
import { describe, expect, it } from 'vitest';
import { VirtualCluster } from './virtual-cluster.testing.js';
import type { VirtualNode } from './virtual-node.testing.js';

const MANUAL = { downing: { strategy: 'manual' } };

/** Settled, and for long enough that detectors know the pace. */
function settled(names: string, settings: Record<string, unknown> = MANUAL) {
  const cluster = new VirtualCluster(settings);
  const nodes = [...names].map((name) => cluster.start(name));
  cluster.until(() => cluster.isSettled(nodes), 60_000);
  cluster.run(15_000);
  return { cluster, nodes };
}

/** How often its probe timer fires from now on. */
function countProbeTimers(node: VirtualNode): () => number {
  let count = 0;
  const step = node.machine.step.bind(node.machine);
  node.machine.step = (input, nowMs) => {
    if (input.kind === 'timer' && input.timer.kind === 'probe') count++;
    return step(input, nowMs);
  };
  return () => count;
}

describe('a round of probes', () => {
  it('that ended while the process stood still for a moment arms no timer', () => {
    const { cluster, nodes } = settled('abcde');
    const [b, e] = [nodes[1], nodes[4]] as [VirtualNode, VirtualNode];
    e.kill({ silently: true });
    cluster.until(() => b.reachabilityOf(e) === 'unreachable', 6_000);
    const before = b.said('probeFor').length;
    cluster.until(() => b.said('probeFor').length > before, 10_000);
    cluster.run(300);
    b.pause();
    cluster.run(400);
    b.resume();
    const fired = countProbeTimers(b);
    cluster.run(4_000);
    expect(fired()).toBeLessThan(10);
  });

  it.each([5_000, 6_000, 7_000])(
    'is cut short when its node trusts itself again, %i ms after a stall: no verdict is later for it',
    (afterMs) => {
      const untilConvicted = (indirectProbes: number) => {
        const { cluster, nodes } = settled('abc', { ...MANUAL, detector: { indirectProbes } });
        const [a, b, c] = nodes as [VirtualNode, VirtualNode, VirtualNode];
        const others = [a, b];
        for (const node of others) node.pause();
        cluster.run(900);
        for (const node of others) node.resume();
        cluster.run(afterMs);
        c.kill({ silently: true });
        return cluster.until(
          () => others.every((node) => node.reachabilityOf(c) === 'unreachable'),
          20_000,
        );
      };
      // Others are asked for half a second all the same.
      expect(untilConvicted(3)).toBeLessThanOrEqual(untilConvicted(0) + 600);
    },
  );

  it('asks a silent member at most 33 times before it asks others, however long the pause is', () => {
    const { cluster, nodes } = settled('abc', {
      ...MANUAL,
      detector: { kind: 'deadline', acceptablePause: '10m' },
    });
    const [a, , c] = nodes as [VirtualNode, VirtualNode, VirtualNode];
    c.pause();
    cluster.run(590_000);
    expect(a.said('probe', c).length).toBeGreaterThan(20);
    expect(a.said('probe', c).length).toBeLessThanOrEqual(33);
  });
});
