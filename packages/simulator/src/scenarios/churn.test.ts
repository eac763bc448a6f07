/**
 * A thousand come and go, and nothing stays of them: what nodes hold is measured against a cluster of
 * the same members that nobody has ever left.
 */
import { describe, expect, test } from 'vitest';
import { nodeNames } from '../node-name.js';
import { Simulation } from '../simulation.js';
import { isFormed } from '../view.js';
import { Meters } from './metered.testing.js';
import { isWhole, luckOf, SEED_TIMEOUT_MS, soon } from './script.testing.js';

const CYCLES = 1_000;
/** Half a minute on a machine that is idle. */
const TIMEOUT_MS = 300_000;
/** The kinds of timers that docs/PROTOCOL.md lists; a node arms one of each at most. */
const TIMER_KINDS = 8;
const settings = { ...soon, downing: { stableAfter: '1s' } } as const;
const base = nodeNames(5, 'base');
const SETTLED_WITHIN_MS = 15_000;

function blankWith(seed: number, startCluster: Meters['startCluster']): Simulation {
  return new Simulation({ seed, settings, startCluster, seeds: base.slice(0, 3) });
}

/** What a cluster holds when it has been left alone for longer than anything takes to be let go. */
async function holdings(sim: Simulation, meters: Meters) {
  await sim.run(40_000);
  // The second one is welcomed after a fire that removed nobody.
  for (const name of ['newcomer1', 'newcomer2']) {
    sim.start(name);
    await sim.runUntil(() => isFormed(sim.running) && isWhole(sim), 5_000, `${name} is up`);
  }
  const timers = base.map((name) => meters.timers.get(`ws://${name}:7355`)?.size ?? 0);
  const links = base.map((name) => sim.node(name).counters.connections);
  const { members = [] } = sim.node('base1').state ?? {};
  return { welcome: meters.lastWelcome, timers, links, members: members.length };
}

/** Somebody new comes, and by turns leaves, is killed, or is killed and comes back first. */
async function cycle(sim: Simulation, round: number, luck: { next(): number }): Promise<void> {
  const name = `guest${round % 7}`;
  sim.start(name);
  await sim.runUntil(() => isFormed(sim.running), SETTLED_WITHIN_MS, `${name} is up`);
  await sim.run(2_000 * luck.next());
  if (round % 4 === 0) {
    sim.crash(name, { silently: round % 8 === 0 });
    if (round % 12 === 0) return;
  } else {
    sim.leave(name);
  }
  await sim.runUntil(
    () => isFormed(sim.running) && isWhole(sim),
    SETTLED_WITHIN_MS,
    `${name} is gone`,
  );
}

describe('Churn', () => {
  test(`${CYCLES} come and go`, { timeout: TIMEOUT_MS }, async () => {
    const seed = 1;
    const meters = new Meters();
    const sim = blankWith(seed, meters.startCluster);
    sim.startAll(base);
    await sim.runUntil(() => isFormed(sim.nodes), SEED_TIMEOUT_MS, 'the base is up');
    const luck = luckOf(seed);
    for (let round = 1; round <= CYCLES; round++) await cycle(sim, round, luck);
    await sim.runUntil(
      () => isWhole(sim) && sim.running.length === 5,
      30_000,
      'all guests are gone',
    );
    const after = await holdings(sim, meters);

    const fresh = new Meters();
    const other = blankWith(seed, fresh.startCluster);
    other.startAll(base);
    await other.runUntil(() => isFormed(other.nodes), SEED_TIMEOUT_MS, 'the base is up');
    const before = await holdings(other, fresh);

    expect(after.members).toBe(7);
    expect(after.welcome).toMatchObject({ members: 6, tombstones: 0, accusations: 0 });
    // Epochs and versions of rows have grown by a digit.
    expect(after.welcome?.bytes).toBeLessThanOrEqual(1.1 * (before.welcome?.bytes ?? 0));
    expect(after.links).toEqual(before.links);
    expect(after.timers).toEqual(before.timers);
    expect(meters.timersPeak, 'one of each kind').toBeLessThanOrEqual(TIMER_KINDS);
  });
});
