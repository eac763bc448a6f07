import { describe, expect, test } from 'vitest';
import { Simulation } from './simulation.js';
import { isFormed } from './view.js';

const settings = {
  downing: { strategy: 'lease-majority', stableAfter: '2s', unstableAfter: '5s' },
} as const;

async function halves(seed: number) {
  const sim = new Simulation({ seed, settings });
  sim.startAll(['a', 'b', 'c', 'd']);
  await sim.runUntil(() => isFormed(sim.nodes), 3_000);
  await sim.run(10_000);
  sim.partition(['a', 'b'], ['c', 'd']);
  return sim;
}

describe('a lease that all nodes share', () => {
  test.each([1, 2, 3, 4])('one half stays, the other stops at once (seed %s)', async (seed) => {
    const sim = await halves(seed);
    await sim.runUntil(() => sim.running.length === 2 && isFormed(sim.running), 10_000);
    const [owner] = [...sim.lease.granted.values()];
    expect(sim.lease.granted.size).toBe(1);
    expect(sim.running.map((run) => run.key)).toContain(owner);
    const stopped = sim.nodes.filter((run) => !run.isRunning);
    expect(stopped.map((run) => run.ending?.reason)).toEqual(['minority', 'minority']);
  });

  test('that cannot be reached: both halves stop', async () => {
    const sim = await halves(1);
    sim.lease.conduct = 'refusing';
    await sim.runUntil(() => sim.running.length === 0, 15_000);
    expect(sim.lease.granted.size).toBe(0);
  });

  test('an answer waits while its process stands still', async () => {
    const sim = await halves(1);
    sim.lease.delayMs = 500;
    await sim.runUntil(() => sim.lease.granted.size === 1, 10_000);
    for (const { name } of sim.running) sim.pause(name);
    await sim.run(1_000);
    expect(sim.running).toHaveLength(4);
    for (const { name } of sim.running) sim.resume(name);
    await sim.runUntil(() => sim.running.length === 2 && isFormed(sim.running), 10_000);
  });
});
