import { describe, expect, test } from 'vitest';
import { nodeNames, shortKey } from './node-name.js';
import { Simulation } from './simulation.js';
import { describe as describeRun, isAgreed, isFormed, isGoneAt, isUnreachableAt } from './view.js';

describe('views', () => {
  test('a cluster is formed when everybody sees exactly everybody, up and reachable', async () => {
    const sim = new Simulation({ seed: 3, settings: { downing: { strategy: 'manual' } } });
    sim.startAll(['a', 'b', 'c']);
    expect(isFormed(sim.nodes)).toBe(false);
    await sim.runUntil(() => isFormed(sim.nodes) && isAgreed(sim.nodes), 5_000, 'all agree');
    expect(isFormed(sim.nodes.slice(1))).toBe(false);
    const key = sim.node('c').key ?? '';
    sim.crash('c');
    expect(isFormed(sim.nodes)).toBe(false);
    await sim.runUntil(() => isUnreachableAt(sim.running, key), 15_000, 'c is unreachable');
    expect(isAgreed(sim.running)).toBe(false);
    const seen = new RegExp(`${shortKey(key)} up \\(unreachable by a#\\w+ and b#\\w+\\)$`);
    expect(describeRun(sim.node('a'))).toMatch(seen);
    expect(describeRun(sim.node('c'))).toBe('c crashed');
    expect(sim.down('a', 'c').state).toBe('pending');
    await sim.runUntil(() => isGoneAt(sim.running, key), 5_000, 'c is gone');
  });

  test('many plain members are counted, not listed', async () => {
    const sim = new Simulation({ seed: 3 });
    sim.startAll(nodeNames(20));
    await sim.runUntil(() => isFormed(sim.nodes), 5_000, 'all are up');
    expect(describeRun(sim.node('n01'))).toMatch(/: 20 more up$/);
  });
});
