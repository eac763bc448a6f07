/** Members that go without a word: seen unreachable in time, removed in time, and back under a new uid. */
import { describe, expect, test } from 'vitest';
import { hostOf, nodeNames } from '../node-name.js';
import { isFormed, isGoneAt, isUnreachableAt } from '../view.js';
import {
  type Case,
  cases,
  isWhole,
  keyOf,
  named,
  pick,
  STABLE_AFTER_MS,
  soon,
  steady,
  TRIP_MS,
} from './script.testing.js';
import { Witness } from './witness.testing.js';

/** The last heartbeat may be an interval old when a node goes. */
const EARLIEST_MS = 3_500;

async function crash({ n, seed }: Case, count: number, silently: boolean) {
  const witness = new Witness();
  const sim = await steady(n, seed, { startCluster: witness.startCluster });
  const epoch = sim.nodes[0]?.state?.epoch ?? 0;
  const victims = pick(sim, count);
  const keys = victims.map((name) => keyOf(sim.node(name)));
  for (const name of victims) sim.crash(name, { silently });
  const rest = sim.running;
  const all = (holds: typeof isGoneAt) => () => keys.every((key) => holds(rest, key));
  const seenMs = await sim.runUntil(all(isUnreachableAt), TRIP_MS + 1_000, 'all are unreachable');
  const goneMs = await sim.runUntil(all(isGoneAt), STABLE_AFTER_MS + 2_000, 'all are removed');
  await sim.runUntil(isWhole, 1_000, 'the rest holds one state');
  return { sim, witness, victims, keys, rest, seenMs, goneMs, epochs: epochOf(rest) - epoch };
}

const epochOf = (runs: readonly { readonly state: { epoch: number } | undefined }[]): number =>
  runs[0]?.state?.epoch ?? 0;

describe('Crash: unreachable everywhere, then removed', () => {
  const one = cases({ 5: 10, 25: 1 });
  test.each(one)(`of a process ${named}`, async (each) => {
    const { witness, victims, seenMs, goneMs } = await crash(each, 1, false);
    expect(seenMs).toBeGreaterThan(EARLIEST_MS);
    expect(goneMs).toBeGreaterThan(STABLE_AFTER_MS - 1_000);
    expect(witness.suspected()).toEqual(victims);
  });

  test.each(cases({ 5: 8, 25: 1 }))(`of a machine's power ${named}`, async (each) => {
    const { witness, victims, seenMs } = await crash(each, 1, true);
    expect(seenMs).toBeGreaterThan(EARLIEST_MS);
    expect(witness.suspected()).toEqual(victims);
  });

  test.each(cases({ 5: 5 }))(
    `of two at once: the last majority there is ${named}`,
    async (each) => {
      const { witness, victims } = await crash(each, 2, false);
      expect(witness.suspected()).toEqual([...victims].sort());
    },
  );

  test.each(cases({ 25: 1 }))(
    `of ten at once: one agreed change, not ten ${named}`,
    async (each) => {
      const { epochs, witness, keys, rest } = await crash(each, 10, true);
      expect(epochs).toBe(1);
      for (const key of keys) {
        const removals = witness.removalsOf(key);
        expect([...removals.keys()].sort()).toEqual(rest.map(keyOf).sort());
        expect(new Set(removals.values())).toEqual(new Set([1]));
      }
    },
  );

  test.each(cases({ 5: 3 }))(
    `of three at once: nobody who is left stays ${named}`,
    async (each) => {
      const sim = await steady(each.n, each.seed);
      for (const name of pick(sim, 3)) sim.crash(name);
      const rest = sim.running;
      const fateMs = TRIP_MS + STABLE_AFTER_MS + 3_750;
      await sim.runUntil(() => sim.running.length === 0, fateMs + 1_000, 'the rest has stopped');
      expect(rest.map((run) => run.ending?.reason)).toEqual(['minority', 'minority']);
    },
  );
});

describe('Crash: a restart on the same address', () => {
  test.each(cases({ 5: 6, 25: 1 }))(`one second later, three rounds ${named}`, async (each) => {
    const witness = new Witness();
    const sim = await steady(each.n, each.seed, { startCluster: witness.startCluster });
    const past: string[] = [];
    for (const name of pick(sim, 3)) {
      const old = keyOf(sim.node(name));
      past.push(old);
      sim.crash(name);
      await sim.run(1_000);
      sim.restart(name);
      await sim.runUntil(() => isFormed(sim.nodes), 3_000, `${name} is back under a new uid`);
      expect(past).not.toContain(sim.node(name).key);
      for (const run of sim.running.filter((other) => other.name !== name))
        expect(witness.removalsOf(old).get(keyOf(run))).toBe(1);
    }
    await sim.run(20_000);
    // The checker has seen to it that nobody removed came back.
    expect(isFormed(sim.nodes)).toBe(true);
    expect(isWhole(sim)).toBe(true);
  });

  test.each(cases({ 5: 4 }))(`three rounds of one and the same node ${named}`, async (each) => {
    const sim = await steady(each.n, each.seed);
    const [name = ''] = pick(sim, 1);
    const uids = new Set<string>();
    for (let round = 0; round < 3; round++) {
      uids.add(keyOf(sim.node(name)));
      sim.crash(name, { silently: round === 1 });
      await sim.run(1_000);
      sim.restart(name);
      await sim.runUntil(() => isFormed(sim.nodes), 3_000, `${name} is back under a new uid`);
    }
    expect(uids.add(keyOf(sim.node(name))).size).toBe(4);
  });

  test.each(cases({ 5: 4 }))(`of all at once: they found anew ${named}`, async ({ n, seed }) => {
    const sim = await steady(n, seed, { settings: soon });
    const before = sim.nodes[0]?.state?.clusterId;
    for (const name of nodeNames(n)) sim.crash(name);
    await sim.run(1_000);
    for (const name of nodeNames(n)) sim.restart(name);
    await sim.runUntil(() => isFormed(sim.nodes), 3_000, 'all are up at all');
    expect(sim.nodes[0]?.state?.clusterId).not.toBe(before);
  });
});

/** Each dead member behind a dead one is found a detection later. */
const WAYS_PAST_MS = 6 * (TRIP_MS + 2_000) + STABLE_AFTER_MS;

describe('Crash: as many at once as leave a majority, and among them all neighbours of one', () => {
  const worst = [
    { rings: 5, n: 13, seed: 3 },
    { rings: 5, n: 25, seed: 1 },
    { rings: 3, n: 21, seed: 1 },
    { rings: 2, n: 15, seed: 1 },
    { rings: 1, n: 12, seed: 1 },
    { rings: 1, n: 12, seed: 2 },
  ];
  test.each(worst)('nobody else goes (n = $n, rings $rings, seed $seed)', async (each) => {
    const { rings, n, seed } = each;
    const sim = await steady(n, seed, { settings: { ...soon, heartbeat: { rings } } });
    // The one with the fewest neighbours: it is the first to be alone.
    const watched = (name: string) =>
      sim.node(name).cluster.links.map(({ subject }) => hostOf(subject));
    const [lonely = ''] = [...nodeNames(n)].sort((a, b) => watched(a).length - watched(b).length);
    const most = Math.floor((n - 1) / 2);
    const others = nodeNames(n).filter(
      (name) => name !== lonely && !watched(lonely).includes(name),
    );
    const victims = [...watched(lonely), ...others].slice(0, most);
    const keys = victims.map((name) => keyOf(sim.node(name)));
    for (const name of victims) sim.crash(name, { silently: true });
    const rest = sim.running;
    const areGone = () => keys.every((key) => isGoneAt(rest, key));
    await sim.runUntil(areGone, WAYS_PAST_MS, 'all are removed');
    await sim.runUntil(() => isWhole(sim), 5_000, 'the rest is whole');
    expect(sim.running).toEqual(rest);
  });
});
