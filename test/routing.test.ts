/**
 * Routing over production nodes under virtual time: who owns a key and who gets a message, through joins, crashes,
 * partitions and leaves.
 */
import type { NodeKey } from '@rollcall/core';
import {
  consistentHash,
  createPlacement,
  createRouter,
  type PlacementChange,
  type Router,
} from '@rollcall/routing';
import { isFormed, type NodeRun, Simulation } from '@rollcall/simulator';
import { describe, expect, test } from 'vitest';

const KEYS = Array.from({ length: 10_000 }, (_, i) => `order-${i}`);
const NAMES = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i', 'j'];

async function formed(count: number, roles: readonly string[] = ['worker']) {
  const simulation = new Simulation({ seed: 5 });
  simulation.startAll(NAMES.slice(0, count), { roles });
  await simulation.runUntil(() => isFormed(simulation.nodes), 30_000);
  await simulation.run(15_000);
  return simulation;
}

const ownersAt = ({ cluster }: NodeRun): readonly (NodeKey | undefined)[] => {
  const placement = createPlacement(cluster);
  return KEYS.map((key) => placement.ownerOf(key));
};
const moved = (before: readonly unknown[], after: readonly unknown[]): number =>
  before.filter((owner, i) => owner !== after[i]).length;

/** What one node was told of keys that move, from now on. */
function movesAt({ cluster }: NodeRun): PlacementChange[] {
  const changes: PlacementChange[] = [];
  createPlacement(cluster)
    .moves$(() => KEYS)
    .subscribe((change) => changes.push(change));
  changes.length = 0;
  return changes;
}

describe('placement', () => {
  test('every node says the same owner for 10,000 keys, and a join or a crash among n moves at most 1.5 × keys / n', async () => {
    const simulation = await formed(9);
    const agreed = () => {
      const [first, ...others] = simulation.running.map(ownersAt);
      for (const each of others) expect(each).toEqual(first);
      return first ?? [];
    };
    const nine = agreed();
    simulation.start('j', { roles: ['worker'] });
    await simulation.runUntil(() => isFormed(simulation.running), 30_000);
    const ten = agreed();
    expect(new Set(ten).size).toBe(10);
    expect(moved(nine, ten)).toBeGreaterThan(0);
    expect(moved(nine, ten)).toBeLessThanOrEqual((1.5 * KEYS.length) / 10);

    const changes = movesAt(simulation.node('a'));
    const crashedAtMs = simulation.nowMs;
    simulation.crash('j');
    const unreachable = () =>
      simulation.running.every(({ state }) =>
        state?.members.some(({ reachability }) => reachability === 'unreachable'),
      );
    const suspectedMs = await simulation.runUntil(unreachable, 30_000);
    expect(agreed()).toEqual(ten);
    expect(changes).toEqual([]);
    const gone = () => simulation.running.every(({ state }) => state?.members.length === 9);
    await simulation.runUntil(gone, 60_000);
    expect(suspectedMs).toBeLessThan(simulation.nowMs - crashedAtMs);
    expect(agreed()).toEqual(nine);
    expect(changes.at(-1)).toMatchObject({ phase: 'moved', moves: { length: moved(nine, ten) } });
  });

  test('equal epochs mean equal owners, at every moment of a cluster that joins, is cut, heals and leaves', async () => {
    const simulation = new Simulation({ seed: 11 });
    const byEpoch = new Map<string, string>();
    const keys = KEYS.slice(0, 200);
    const watch = ({ cluster }: NodeRun) => {
      const placement = createPlacement(cluster);
      cluster.state$.subscribe(({ epoch, members, clusterId }) => {
        if (members.length === 0) return;
        const owners = keys.map((key) => placement.ownerOf(key)).join();
        const name = `${clusterId} ${epoch}`;
        expect(owners).toBe(byEpoch.get(name) ?? owners);
        byEpoch.set(name, owners);
      });
    };
    const watched = new Set<NodeRun>();
    const run = async (ms: number) => {
      for (let left = ms; left > 0; left -= 5) {
        await simulation.run(5);
        for (const each of simulation.running) {
          if (!watched.has(each)) watch(each);
          watched.add(each);
        }
      }
    };
    simulation.startAll(NAMES.slice(0, 5));
    await run(5_000);
    simulation.startAll(NAMES.slice(5, 7));
    await run(5_000);
    simulation.partition(['a', 'b'], ['c', 'd', 'e', 'f', 'g']);
    await run(10_000);
    simulation.heal();
    await run(10_000);
    simulation.leave('c');
    await run(5_000);
    simulation.crash('d');
    await run(40_000);
    expect(byEpoch.size).toBeGreaterThan(5);
  });

  test('keys of a member that leaves are announced before they move, and to the same members', async () => {
    const simulation = await formed(5);
    const changes = movesAt(simulation.node('a'));
    simulation.leave('e');
    await simulation.run(10_000);
    expect(changes.map(({ phase }) => phase)).toEqual(['coming', 'moved']);
    const [coming, moves] = changes.map((change) =>
      change.moves.map(({ key, from, to }) => `${key} ${from} ${to}`),
    );
    expect(moves).toEqual(coming);
    expect(changes[1]?.moves[0]?.former).toBe('left');
  });

  test('a node that is cut off moves nothing, and at its end everything to nobody', async () => {
    const simulation = await formed(5);
    const changes = movesAt(simulation.node('e'));
    const before = ownersAt(simulation.node('e'));
    simulation.isolate('e');
    await simulation.run(30_000);
    expect(ownersAt(simulation.node('e'))).toEqual(before);
    expect(changes).toEqual([]);
    await simulation.run(30_000);
    expect(simulation.node('e').ending?.reason).toBe('minority');
    expect(changes.map(({ moves }) => new Set(moves.map(({ to }) => to)))).toEqual([
      new Set([undefined]),
    ]);
  });
});

describe('a router', () => {
  const workers = (simulation: Simulation, options: Parameters<typeof createRouter>[1] = {}) => {
    for (const { name, cluster } of simulation.running) cluster.answer(({ body }) => [name, body]);
    return createRouter(simulation.node('a').cluster, { role: 'worker', ...options });
  };

  /** Asks a hundred times a second for so long; what became of each, and when it was sent to whom. */
  async function load(simulation: Simulation, router: Router, ms: number) {
    const failures: unknown[] = [];
    const answers: { by: string; atMs: number }[] = [];
    for (let left = ms; left > 0; left -= 10) {
      const ask = router.ask(left, { timeoutMs: 2_000 });
      ask.then(
        (answer) => answers.push({ by: (answer as [string])[0], atMs: simulation.nowMs }),
        (error: unknown) => failures.push(error),
      );
      await simulation.run(10);
    }
    await simulation.run(10_000);
    return { failures, answers };
  }

  test('with retries loses no ask when a worker is killed under load; without, only those to it', async () => {
    for (const retries of [2, 0]) {
      const simulation = await formed(5);
      const router = workers(simulation, { avoidPhi: 3, retries });
      simulation.after(1_000, () => simulation.crash('c'));
      const { failures, answers } = await load(simulation, router, 8_000);
      expect(answers.length + failures.length).toBe(800);
      if (retries > 0) expect(failures).toEqual([]);
      else {
        const key = simulation.node('c').key;
        expect(failures.length).toBeGreaterThan(0);
        for (const error of failures) expect(String(error)).toContain(String(key));
      }
    }
  });

  test('sends nothing more to a member once avoidPhi is crossed, seconds before the cluster convicts', async () => {
    const simulation = await formed(5);
    const router = workers(simulation, { avoidPhi: 3 });
    const { cluster } = simulation.node('a');
    const lost = simulation.node('c').key as NodeKey;
    const at: Record<string, number> = {};
    const note = (what: string) => {
      at[what] ??= simulation.nowMs;
    };
    simulation.crash('c', { silently: true });
    const crashedAtMs = simulation.nowMs;
    router.routees$.subscribe((all) => all.some(({ node }) => node === lost) || note('avoided'));
    cluster.member$(lost).subscribe(({ reachability }) => {
      if (reachability === 'unreachable') note('convicted');
    });
    await simulation.runUntil(() => at.convicted !== undefined, 30_000);
    const avoidedMs = (at.avoided ?? Number.NaN) - crashedAtMs;
    const convictedMs = (at.convicted ?? Number.NaN) - crashedAtMs;
    expect(avoidedMs).toBeLessThan(2_500);
    expect(convictedMs - avoidedMs).toBeGreaterThan(1_500);
    const picks = Array.from({ length: 50 }, () => router.pick());
    expect(picks).not.toContain(lost);
  });

  test('of every node agrees on the member of a key', async () => {
    const simulation = await formed(6);
    const picks = simulation.running.map(({ cluster }) => {
      const router = createRouter(cluster, { strategy: consistentHash() });
      return KEYS.map((key) => router.pick(key));
    });
    for (const each of picks) expect(each).toEqual(picks[0]);
  });
});
