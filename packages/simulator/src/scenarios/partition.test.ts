/** Networks that part: whole again if they heal in time, the larger side alone if they do not. */
import type { GivenSettings, NodeKey } from '@rollcall/core';
import { describe, expect, test } from 'vitest';
import { nodeNames } from '../node-name.js';
import type { Simulation } from '../simulation.js';
import { isFormed, isGoneAt, isUnreachableAt } from '../view.js';
import {
  cases,
  INTERVAL_MS,
  isWhole,
  keyOf,
  named,
  pick,
  STABLE_AFTER_MS,
  soon,
  steady,
  TRIP_MS,
  UNSTABLE_AFTER_MS,
} from './script.testing.js';
import { Witness } from './witness.testing.js';

/** A dial under way when the network heals has to time out first; then the next one, and a heartbeat. */
const HEALED_WITHIN_MS = 8_000;

/** Parts a steady cluster, 3|2 or 13|12, drawn by the seed. */
async function parted(n: number, seed: number, settings: GivenSettings = soon) {
  const witness = new Witness();
  const { startCluster } = witness;
  const sim = await steady(n, seed, { settings, startCluster });
  const smallerSize = Math.floor(n / 2);
  const smallerNames = pick(sim, smallerSize);
  const smaller = sim.nodes.filter(({ name }) => smallerNames.includes(name));
  const larger = sim.nodes.filter((run) => !smaller.includes(run));
  sim.partition(
    larger.map(({ name }) => name),
    smallerNames,
  );
  return { sim, witness, smaller, larger };
}

/** The larger side agrees on all of the smaller one; on that one, each knows of itself that it has no quorum. */
const isNoticed = ({ smaller, larger }: Pick<Story, 'smaller' | 'larger'>) =>
  smaller.every((run) => isUnreachableAt(larger, keyOf(run))) &&
  smaller.every((run) => run.cluster.blockers[0]?.kind === 'notQuorate');

type Story = Awaited<ReturnType<typeof parted>>;

describe('Partition: not healed', () => {
  test.each(cases({ 5: 10, 25: 2 }))(
    `the larger side goes on alone, the smaller stops ${named}`,
    async ({ n, seed }) => {
      const story = await parted(n, seed);
      const { sim, smaller, larger } = story;
      const keys = smaller.map(keyOf);
      const isOver = () => keys.every((key) => isUnreachableAt(larger, key));
      const seenMs = await sim.runUntil(isOver, TRIP_MS + 1_000, 'the larger side has noticed');
      const isRemoved = () => keys.every((key) => isGoneAt(larger, key));
      const downedMs = await sim.runUntil(isRemoved, STABLE_AFTER_MS + 2_000, 'it is alone');
      const fateMs = TRIP_MS + 1_000 + STABLE_AFTER_MS + UNSTABLE_AFTER_MS;
      const isStopped = () => smaller.every((run) => !run.isRunning);
      await sim.runUntil(isStopped, fateMs - seenMs - downedMs, 'the smaller side has stopped');
      expect(new Set(smaller.map((run) => run.ending?.reason))).toEqual(new Set(['minority']));
      sim.heal();
      // Seeds that were all on the smaller side, started together, would found a second cluster.
      const seeds = larger.map(({ name }) => name).slice(0, 3);
      for (const { name } of smaller) sim.restart(name, { seeds });
      await sim.runUntil(() => isFormed(sim.nodes) && isWhole(sim), 3_000, 'all are one again');
      expect(larger.every((run) => sim.node(run.name) === run)).toBe(true);
    },
  );
});

describe('Partition: healed before anybody is downed', () => {
  test.each(cases({ 5: 10, 25: 1 }))(
    `whole again, nobody restarted, nobody removed ${named}`,
    async ({ n, seed }) => {
      const story = await parted(n, seed, { downing: { stableAfter: '20s' } });
      const { sim, witness } = story;
      const keys = sim.nodes.map(keyOf);
      await sim.runUntil(() => isNoticed(story), TRIP_MS + 1_000, 'both sides have noticed');
      await sim.run(10_000);
      sim.heal();
      await sim.runUntil(isWhole, HEALED_WITHIN_MS, 'all are one again');
      await sim.run(40_000);
      expect(isWhole(sim)).toBe(true);
      expect(sim.nodes.map(keyOf)).toEqual(keys);
      expect(witness.of('memberRemoved')).toEqual([]);
      expect(witness.of('memberDowned')).toEqual([]);
      expect(new Set(sim.nodes.map((run) => run.state?.digest)).size).toBe(1);
    },
  );

  test.each(cases({ 5: 5 }))(`three times in a row ${named}`, async ({ n, seed }) => {
    const { sim, smaller } = await parted(n, seed, {
      downing: { stableAfter: '20s' },
      damping: { holdDown: 0 },
    });
    for (let round = 0; round < 3; round++) {
      await sim.run(10_000);
      sim.heal();
      await sim.runUntil(isWhole, HEALED_WITHIN_MS, 'all are one again');
      sim.partition(smaller.map(({ name }) => name));
    }
    sim.heal();
    await sim.runUntil(isWhole, HEALED_WITHIN_MS, 'all are one again');
    expect(sim.running).toHaveLength(n);
  });

  test.each(cases({ 5: 5, 25: 1 }))(`before it was noticed ${named}`, async ({ n, seed }) => {
    const { sim, witness } = await parted(n, seed);
    await sim.run(2_000);
    sim.heal();
    await sim.run(10_000);
    expect(witness.suspected()).toEqual([]);
    expect(isWhole(sim)).toBe(true);
  });
});

describe('Partition: of one link, one way', () => {
  const doesNotReach = (sim: Simulation, observer: string, subject: NodeKey) =>
    sim
      .node(observer)
      .cluster.links.some((link) => link.subject === subject && (link.broken || !link.reachable));

  /** How long until each end has its verdict on the other. */
  async function noticed(seed: number, n: number, bothWays: boolean): Promise<number> {
    const sim = await steady(n, seed);
    const [a = '', b = ''] = pick(sim, 2);
    const [keyA, keyB] = [keyOf(sim.node(a)), keyOf(sim.node(b))];
    sim.cut(a, b);
    if (bothWays) sim.cut(b, a);
    const isMutual = () => doesNotReach(sim, a, keyB) && doesNotReach(sim, b, keyA);
    return sim.runUntil(isMutual, TRIP_MS + 5_000, 'both ends have noticed');
  }

  test.each(cases({ 2: 8, 5: 8 }))(
    `noticed at both ends, within two intervals of a cut both ways ${named}`,
    async ({ n, seed }) => {
      const bothMs = await noticed(seed, n, true);
      const oneMs = await noticed(seed, n, false);
      expect(bothMs).toBeLessThanOrEqual(TRIP_MS + 10);
      expect(oneMs - bothMs).toBeLessThanOrEqual(2 * INTERVAL_MS);
      expect(oneMs).toBeGreaterThan(3_500);
    },
  );

  test.each(cases({ 5: 5 }))(`convicts and suspects nobody ${named}`, async ({ n, seed }) => {
    const witness = new Witness();
    const sim = await steady(n, seed, { startCluster: witness.startCluster });
    const [a = '', b = ''] = pick(sim, 2);
    const heal = sim.cut(a, b);
    await sim.run(30_000);
    expect(witness.convicted()).toEqual([]);
    expect(witness.suspected()).toEqual([]);
    heal();
    await sim.runUntil(isWhole, HEALED_WITHIN_MS, 'nothing is held against anybody');
  });

  test.each(cases({ 5: 5 }))(
    `a node that nobody hears is removed ${named}`,
    async ({ n, seed }) => {
      const sim = await steady(n, seed);
      const [deaf = ''] = pick(sim, 1);
      const others = nodeNames(n).filter((name) => name !== deaf);
      for (const name of others) sim.cut(deaf, name);
      const rest = sim.nodes.filter(({ name }) => name !== deaf);
      const key = keyOf(sim.node(deaf));
      const withinMs = TRIP_MS + 3_000 + STABLE_AFTER_MS + 2_000;
      await sim.runUntil(() => isGoneAt(rest, key), withinMs, 'it is removed');
      expect(rest.every((run) => run.isRunning)).toBe(true);
      await sim.runUntil(
        isWhole,
        STABLE_AFTER_MS + UNSTABLE_AFTER_MS,
        'the rest is one, it has ended',
      );
      expect(sim.node(deaf).isRunning).toBe(false);
    },
  );
});
