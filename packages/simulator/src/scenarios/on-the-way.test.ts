/**
 * Members that die on their way in or out hold up the others no longer than any crash does, and while
 * they do, blockers name them.
 */
import { describe, expect, test } from 'vitest';
import type { NodeRun } from '../node-run.js';
import type { Simulation } from '../simulation.js';
import { isGoneAt, isUnreachableAt } from '../view.js';
import { isWhole, keyOf, STABLE_AFTER_MS, soon, steady, TRIP_MS } from './script.testing.js';

const DYING = 'n9';
/** It holds up every change for as long as it stands still. */
const SLOW = 'n5';

type Way = readonly [
  status: 'joining' | 'leaving' | 'exiting',
  reach: (sim: Simulation) => Promise<unknown>,
];

const shows = (sim: Simulation, status: string) => () =>
  sim.running
    .filter(({ name }) => name !== SLOW && name !== DYING)
    .every(({ state }) => state?.members.some((each) => isDying(each) && each.status === status));

const isDying = ({ address }: { readonly address: string }) => address.includes(DYING);

async function isUp(sim: Simulation): Promise<void> {
  sim.start(DYING);
  await sim.runUntil(() => sim.running.length === 6 && isWhole(sim), 3_000, 'it is up');
}

const ways: readonly Way[] = [
  [
    'joining',
    async (sim) => {
      sim.pause(SLOW);
      sim.start(DYING);
      await sim.runUntil(shows(sim, 'joining'), 2_000, 'it is joining');
    },
  ],
  [
    'leaving',
    async (sim) => {
      await isUp(sim);
      sim.pause(SLOW);
      sim.leave(DYING);
      await sim.runUntil(shows(sim, 'leaving'), 2_000, 'it is leaving');
    },
  ],
  [
    'exiting',
    async (sim) => {
      await isUp(sim);
      // Nothing reaches it any more, once the others know: it never hears that it may go.
      sim.leave(DYING);
      await sim.runUntil(shows(sim, 'leaving'), 2_000, 'it is leaving');
      sim.isolate(DYING);
      await sim.runUntil(shows(sim, 'exiting'), 2_000, 'it is exiting');
    },
  ],
];

/** Dead, on its way, while those who are left can all move again. */
async function dies([status, reach]: Way, strategy: string, seed: number) {
  const sim = await steady(5, seed, { settings: { downing: { ...soon.downing, strategy } } });
  await reach(sim);
  const key = keyOf(sim.node(DYING));
  sim.crash(DYING, { silently: true });
  sim.resume(SLOW);
  await sim.runUntil(
    () => isUnreachableAt(sim.running, key),
    TRIP_MS + 2_000,
    `${status}, unreachable`,
  );
  for (const run of sim.running) expect(namedBy(run), run.name).toContain(key);
  return { sim, key };
}

const namedBy = ({ cluster }: NodeRun) => cluster.blockers.flatMap(({ nodes }) => nodes);

describe.each(ways)('A member that dies while %s', (...way) => {
  test.each([1, 2, 3])('is removed when it is stable (seed %s)', async (seed) => {
    const { sim, key } = await dies(way, 'keep-majority', seed);
    await sim.runUntil(() => isGoneAt(sim.running, key), STABLE_AFTER_MS + 2_000, 'it is gone');
    await sim.runUntil(() => isWhole(sim), 1_000, 'the rest is whole');
    expect(sim.running.flatMap(namedBy)).toEqual([]);
  });

  test.each([1, 2, 3])('stays until it is downed by hand, under manual (seed %s)', async (seed) => {
    const { sim, key } = await dies(way, 'manual', seed);
    await sim.run(60_000);
    for (const run of sim.running) expect(namedBy(run), run.name).toContain(key);
    sim.down('n2', key);
    await sim.runUntil(() => isGoneAt(sim.running, key), 1_000, 'it is gone');
    await sim.runUntil(() => isWhole(sim), 1_000, 'the rest is whole');
  });
});
