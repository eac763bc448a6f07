/**
 * A hundred nodes: what size must not change. All of it is one story, since forming the cluster is what
 * costs most: all join at once, run, one stands still, one crashes, one leaves, all leave.
 */
import { expect, test } from 'vitest';
import { nodeNames } from '../node-name.js';
import type { Simulation } from '../simulation.js';
import { isFormed, isGoneAt, isUnreachableAt } from '../view.js';
import { blank, formed, isWhole, keyOf, STABLE_AFTER_MS, TRIP_MS } from './script.testing.js';
import { Witness } from './witness.testing.js';

/** The kind byte of a heartbeat. */
const HEARTBEAT = 0;
const NEIGHBOURS_MAX = 2 * 5;
const FAR_INTERVAL_S = 5;
/** What steady traffic is measured over: whole intervals of everything that repeats. */
const MEASURED_S = 20;

interface Traffic {
  readonly heartbeatsMost: number;
  readonly bytesMost: number;
  /** Per node, beyond heartbeats. */
  readonly otherFrames: number;
  /** Per observed link. */
  readonly heartbeatsPerLink: number;
  readonly bytesPerHeartbeat: number;
}

/** Per second and node, while nothing happens. */
async function steadyTraffic(sim: Simulation): Promise<Traffic> {
  const counted = () =>
    sim.running.map(({ counters }) => ({
      frames: counters.framesSent,
      bytes: counters.bytesSent,
      heartbeats: counters.framesByKind[HEARTBEAT] ?? 0,
      heartbeatBytes: counters.bytesByKind[HEARTBEAT] ?? 0,
    }));
  const before = counted();
  await sim.run(MEASURED_S * 1_000);
  const rates = counted().map((after, i) => {
    const rate = (what: keyof typeof after) =>
      (after[what] - (before[i]?.[what] ?? 0)) / MEASURED_S;
    return { bytes: rate('bytes'), heartbeats: rate('heartbeats'), frames: rate('frames') };
  });
  const sum = (each: (index: number) => number) => rates.reduce((all, _, i) => all + each(i), 0);
  const heartbeats = sum((i) => rates[i]?.heartbeats ?? 0);
  const observed = sim.running.reduce((all, run) => all + run.cluster.links.length, 0);
  const heartbeatBytes = counted().reduce((all, each) => all + each.heartbeatBytes, 0);
  const heartbeatsEver = counted().reduce((all, each) => all + each.heartbeats, 0);
  return {
    heartbeatsMost: Math.max(...rates.map((rate) => rate.heartbeats)),
    bytesMost: Math.max(...rates.map((rate) => rate.bytes)),
    otherFrames: (sum((i) => rates[i]?.frames ?? 0) - heartbeats) / rates.length,
    heartbeatsPerLink: heartbeats / observed,
    bytesPerHeartbeat: heartbeatBytes / heartbeatsEver,
  };
}

function expectSteady(traffic: Traffic): void {
  expect(traffic.heartbeatsMost).toBeLessThanOrEqual(NEIGHBOURS_MAX);
  expect(traffic.bytesMost).toBeLessThanOrEqual(600);
  // Each far link is greeted from both ends.
  expect(traffic.otherFrames).toBeLessThanOrEqual((2 / FAR_INTERVAL_S) * 1.1);
  expect(traffic.heartbeatsPerLink).toBeCloseTo(1, 6);
}

async function joinAtOnce(sim: Simulation, n: number): Promise<void> {
  sim.startAll(nodeNames(n));
  await sim.run(0);
  const sizes = new Set<number>();
  for (const { cluster } of sim.nodes) {
    cluster.state$.subscribe(({ members }) => {
      sizes.add(members.filter(({ status }) => status === 'up').length);
    });
  }
  await sim.runUntil(() => isFormed(sim.nodes), 3_000, 'all are up at all');
  expect(sizes.size).toBeLessThanOrEqual(10);
}

/** Ten seconds of work, and a busy machine may take its time over it. */
const TIMEOUT_MS = 300_000;

test('a hundred nodes (seed 100)', { timeout: TIMEOUT_MS }, async () => {
  const witness = new Witness();
  const sim = blank(100, 100, { startCluster: witness.startCluster });
  await joinAtOnce(sim, 100);
  await sim.run(15_000);

  const traffic = await steadyTraffic(sim);
  expectSteady(traffic);
  const small = await formed(25, 100);
  await small.run(15_000);
  const smallTraffic = await steadyTraffic(small);
  expectSteady(smallTraffic);
  expect(traffic.bytesPerHeartbeat / smallTraffic.bytesPerHeartbeat).toBeLessThan(1.1);
  for (const run of [...sim.nodes, ...small.nodes])
    expect(run.counters.connections).toBeLessThanOrEqual(NEIGHBOURS_MAX + 8);

  sim.pause('n041', 3_000);
  await sim.run(10_000);
  expect(witness.suspected()).toEqual([]);

  const key = keyOf(sim.node('n077'));
  sim.crash('n077');
  await sim.runUntil(() => isUnreachableAt(sim.running, key), TRIP_MS + 1_000, 'it is unreachable');
  await sim.runUntil(() => isGoneAt(sim.running, key), STABLE_AFTER_MS + 2_000, 'it is removed');
  expect(witness.suspected()).toEqual(['n077']);

  sim.restart('n077');
  await sim.runUntil(() => isFormed(sim.nodes) && isWhole(sim), 3_000, 'it is back');

  sim.leave('n001');
  await sim.runUntil(isWhole, 2_000, 'n001 has left');
  const outcomes = sim.running.map(({ name }) => sim.leave(name));
  const isOver = () => outcomes.every(({ state }) => state === 'done');
  await sim.runUntil(isOver, 2_000, 'all have left');
  expect(new Set(sim.nodes.map((run) => run.ending?.reason))).toEqual(new Set(['left']));
  expect(witness.suspected()).toEqual(['n077']);
});
