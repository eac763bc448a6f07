/** Actors at other nodes, over production nodes under virtual time: what arrives, what is told of those that are gone, and when. */
import type { NodeKey } from '@rollcall/core';
import {
  type ActorSystemBridge,
  type Actors,
  createActors,
  type DeadLetter,
  type LocalActor,
  type Terminated,
} from '@rollcall/routing';
import { isFormed, Simulation } from '@rollcall/simulator';
import { describe, expect, test } from 'vitest';

/** Actors that keep what they are told, answer with how much that is, and stop when told to. */
class Shelf implements ActorSystemBridge {
  readonly kept = new Map<string, unknown[]>();
  readonly watchers = new Map<string, Set<() => void>>();

  resolve(path: string): LocalActor | undefined {
    if (path === 'elsewhere') throw new Error('it is elsewhere');
    const kept = this.kept.get(path);
    if (kept === undefined) return undefined;
    return {
      deliver: (message, { isAsk }) => {
        if (message === 'throw') throw new RangeError('it threw');
        if (message === 'large') return 'x'.repeat(20_000_000);
        if (!isAsk) kept.push(message);
        return kept.length;
      },
      watch: (stopped) => {
        this.watchers.get(path)?.add(stopped);
        return () => this.watchers.get(path)?.delete(stopped);
      },
    };
  }

  add(path: string): void {
    this.kept.set(path, []);
    this.watchers.set(path, new Set());
  }

  stop(path: string): void {
    this.kept.delete(path);
    for (const stopped of this.watchers.get(path) ?? []) stopped();
  }
}

interface Place {
  readonly shelf: Shelf;
  readonly actors: Actors;
  readonly key: NodeKey;
}

async function formed(names: readonly string[]) {
  const simulation = new Simulation({ seed: 3, settings: { downing: { stableAfter: '5s' } } });
  simulation.startAll(names);
  await simulation.runUntil(() => isFormed(simulation.nodes), 30_000);
  await simulation.run(15_000);
  const places = simulation.nodes.map(({ cluster }): Place => {
    const shelf = new Shelf();
    shelf.add('a');
    return { shelf, actors: createActors(cluster, shelf), key: cluster.self.node };
  });
  return { simulation, places };
}

/** Lets time go by in small steps: promises of what is built on a node come true between them. */
async function pass(simulation: Simulation, ms: number): Promise<void> {
  for (let left = ms; left > 0; left -= 20) await simulation.run(20);
}

/** What becomes of a promise while time goes on. */
async function outcome<T>(simulation: Simulation, promise: Promise<T>): Promise<T> {
  promise.catch(() => {});
  await pass(simulation, 1_000);
  return promise;
}

function watching(here: Actors, node: NodeKey, path = 'a') {
  const told: (Terminated['why'] | 'complete')[] = [];
  const next = ({ why }: Terminated) => told.push(why);
  here.terminated$({ node, path }).subscribe({ next, complete: () => told.push('complete') });
  return told;
}

describe('actors at other nodes', () => {
  test('are told in order, answer, and fail with what they threw', async () => {
    const { simulation, places } = await formed(['n', 'o']);
    const [here, there] = places as [Place, Place];
    const ref = { node: there.key, path: 'a' };
    for (let i = 0; i < 20; i++) void here.actors.tell(ref, i);
    expect(await outcome(simulation, here.actors.ask(ref, 'how many'))).toBe(20);
    expect(there.shelf.kept.get('a')).toEqual(Array.from({ length: 20 }, (_, i) => i));
    const failure = (path: string, message: unknown) =>
      outcome(simulation, here.actors.ask({ node: there.key, path }, message)).catch(
        (error: unknown) => error,
      );
    const askFailed = { code: 'askFailed' };
    expect(await failure('a', 'throw')).toMatchObject({ ...askFailed, message: 'it threw' });
    expect(await failure('a', 'large')).toMatchObject({ data: { code: 'tooLarge' } });
    expect(await failure('b', 1)).toMatchObject({ ...askFailed, data: { code: 'noActor' } });
    expect(await failure('elsewhere', 1)).toMatchObject({
      ...askFailed,
      message: 'it is elsewhere',
    });
  });

  test('that took nothing leave a dead letter at their node', async () => {
    const { simulation, places } = await formed(['n', 'o']);
    const [here, there] = places as [Place, Place];
    const dead: DeadLetter[] = [];
    there.actors.deadLetters$.subscribe((letter) => dead.push(letter));
    void here.actors.tell({ node: there.key, path: 'b' }, 'lost');
    void here.actors.tell({ node: there.key, path: 'a' }, 'throw');
    await pass(simulation, 1_000);
    expect(dead).toMatchObject([
      { from: here.key, path: 'b', message: 'lost', error: { code: 'noActor' } },
      { from: here.key, path: 'a', message: 'throw', error: { message: 'it threw' } },
    ]);
  });

  test('of systems with other names, and other messages, are left alone', async () => {
    const { simulation, places } = await formed(['n', 'o']);
    const [here, there] = places as [Place, Place];
    const other = new Shelf();
    other.add('a');
    const { cluster } = simulation.node('o');
    createActors(cluster, other, { name: 'other' });
    const bodies: unknown[] = [];
    cluster.messages$.subscribe(({ body }) => bodies.push(body));
    void simulation.node('n').cluster.tell(there.key, ['rollcall.actors.main', 'deliver']);
    await outcome(simulation, here.actors.tell({ node: there.key, path: 'a' }, 1));
    expect([there.shelf.kept.get('a'), other.kept.get('a')]).toEqual([[1], []]);
    expect(bodies).toHaveLength(2);
  });
});

describe('a watched actor', () => {
  test('is told of once: at once when it stops, and when there is none', async () => {
    const { simulation, places } = await formed(['n', 'o']);
    const [here, there] = places as [Place, Place];
    const told = watching(here.actors, there.key);
    const none = watching(here.actors, there.key, 'b');
    // Through several times that it is said to be watched.
    await pass(simulation, 45_000);
    expect([told, none]).toEqual([[], ['noActor', 'complete']]);
    expect(there.shelf.watchers.get('a')?.size).toBe(1);
    there.shelf.stop('a');
    await pass(simulation, 100);
    expect(told).toEqual(['stopped', 'complete']);
  });

  test('is not gone while its node is unreachable, and is when that is removed', async () => {
    const { simulation, places } = await formed(['n', 'o', 'p']);
    const [here, there] = places as [Place, Place];
    const told = watching(here.actors, there.key);
    const of = () => simulation.node('n').state?.members.find(({ node }) => node === there.key);
    await pass(simulation, 1_000);
    simulation.isolate('o');
    await simulation.runUntil(() => of()?.reachability === 'unreachable', 30_000);
    simulation.heal();
    await simulation.runUntil(() => of()?.reachability === 'reachable', 30_000);
    await pass(simulation, 20_000);
    expect(told).toEqual([]);
    simulation.crash('o', { silently: true });
    await simulation.runUntil(() => of()?.reachability === 'unreachable', 30_000);
    expect(told).toEqual([]);
    await simulation.runUntil(() => of() === undefined, 30_000);
    expect(told).toEqual(['removed', 'complete']);
    expect(watching(here.actors, there.key)).toEqual([]);
    // A reference to a node that is not known, or no more: for a while it may be one that news is still to come of.
    const late = watching(here.actors, there.key);
    await pass(simulation, 9_000);
    expect(late).toEqual([]);
    await pass(simulation, 2_000);
    expect(late).toEqual(['removed', 'complete']);
    // Unless another run has taken its place.
    simulation.restart('o');
    await simulation.runUntil(() => isFormed(simulation.nodes), 30_000);
    const replaced = watching(here.actors, there.key);
    await pass(simulation, 100);
    expect(replaced).toEqual(['removed', 'complete']);
  });

  test('of a node that nobody here has heard of yet is watched as soon as it is known', async () => {
    const { simulation, places } = await formed(['n', 'o']);
    const [here] = places as [Place];
    const cluster = simulation.node('n').cluster;
    simulation.start('q');
    await simulation.runUntil(() => simulation.node('q').cluster !== undefined, 1_000);
    const newcomer = simulation.node('q').cluster;
    const shelf = new Shelf();
    shelf.add('a');
    createActors(newcomer, shelf);
    const { node } = newcomer.self;
    expect(cluster.state.members.some((member) => member.node === node)).toBe(false);
    const told = watching(here.actors, node);
    await pass(simulation, 5_000);
    expect([told, shelf.watchers.get('a')?.size]).toEqual([[], 1]);
    shelf.stop('a');
    await pass(simulation, 100);
    expect(told).toEqual(['stopped', 'complete']);
  });

  test('that stopped and was started anew while its node was cut off is told of all the same', async () => {
    const { simulation, places } = await formed(['n', 'o', 'p']);
    const [here, there] = places as [Place, Place];
    const told = watching(here.actors, there.key);
    await pass(simulation, 1_000);
    simulation.isolate('o');
    await pass(simulation, 2_000);
    there.shelf.stop('a');
    there.shelf.add('a');
    await pass(simulation, 2_000);
    simulation.heal();
    await pass(simulation, 30_000);
    expect(told).toEqual(['stopped', 'complete']);
  });

  test('is one of thousands: neither asks nor the outbox run out, and each is told of', async () => {
    const { simulation, places } = await formed(['n', 'o']);
    const [here, there] = places as [Place, Place];
    const paths = Array.from({ length: 6_000 }, (_, i) => `actor/${i}`);
    for (const path of paths) there.shelf.add(path);
    const all = paths.map((path) => watching(here.actors, there.key, path));
    await pass(simulation, 3_000);
    const watched = paths.filter((path) => there.shelf.watchers.get(path)?.size === 1);
    expect(watched).toHaveLength(6_000);
    for (const path of paths) there.shelf.stop(path);
    const { cluster } = simulation.node('o');
    await outcome(simulation, cluster.tell(here.key, 'there is room for others'));
    await pass(simulation, 20_000);
    expect(new Set(all.map((told) => told.join()))).toEqual(new Set(['stopped,complete']));
  });

  test('is left alone when those who watch it are closed', async () => {
    const { simulation, places } = await formed(['n', 'o']);
    const [here, there] = places as [Place, Place];
    const told = watching(here.actors, there.key);
    await pass(simulation, 1_000);
    here.actors.close();
    await pass(simulation, 1_000);
    expect([told, there.shelf.watchers.get('a')?.size]).toEqual([['complete'], 0]);
    expect(watching(here.actors, there.key)).toEqual(['complete']);
  });

  test('is refused beyond watchesMax, and watched later by a node that has too many watchers', async () => {
    const { simulation, places } = await formed(['n', 'o']);
    const [, there] = places as [Place, Place];
    const options = { name: 'few', watchesMax: 2 };
    const { cluster } = simulation.node('n');
    const few = createActors(cluster, new Shelf(), options);
    const shelf = new Shelf();
    for (const path of ['a', 'b', 'c']) shelf.add(path);
    const other = createActors(simulation.node('o').cluster, shelf, { name: 'few', watchesMax: 1 });
    const dead: DeadLetter[] = [];
    other.deadLetters$.subscribe((letter) => dead.push(letter));
    const said: unknown[] = [];
    const watch = (path: string) =>
      few.terminated$({ node: there.key, path }).subscribe({
        next: ({ why }) => said.push([path, why]),
        error: (error: unknown) => said.push([path, (error as { code?: string }).code]),
      });
    for (const path of ['a', 'b', 'c']) watch(path);
    expect(said).toEqual([['c', 'backPressure']]);
    await pass(simulation, 1_000);
    expect(dead).toMatchObject([{ path: 'b', message: undefined, error: { name: 'RangeError' } }]);
    shelf.stop('a');
    await pass(simulation, 25_000);
    shelf.stop('b');
    await pass(simulation, 1_000);
    expect(said.slice(1)).toEqual([
      ['a', 'stopped'],
      ['b', 'stopped'],
    ]);
  });

  test('that stopped while its node was cut off is told of when it is back', async () => {
    const { simulation, places } = await formed(['n', 'o', 'p']);
    const [here, there] = places as [Place, Place];
    const told = watching(here.actors, there.key);
    await pass(simulation, 1_000);
    simulation.isolate('o');
    await pass(simulation, 2_000);
    there.shelf.stop('a');
    await pass(simulation, 2_000);
    expect(told).toEqual([]);
    simulation.heal();
    await pass(simulation, 40_000);
    expect(told).toHaveLength(2);
    expect(told[1]).toBe('complete');
  });

  test('is not said to be gone by a node that stops itself, nor once nobody asks', async () => {
    const { simulation, places } = await formed(['n', 'o']);
    const [here, there] = places as [Place, Place];
    const told = watching(here.actors, there.key);
    const whys: string[] = [];
    const ref = { node: there.key, path: 'a' };
    const subscription = here.actors.terminated$(ref).subscribe(({ why }) => whys.push(why));
    await pass(simulation, 1_000);
    expect(there.shelf.watchers.get('a')?.size).toBe(2);
    subscription.unsubscribe();
    await pass(simulation, 30_000);
    expect(there.shelf.watchers.get('a')?.size).toBe(1);
    simulation.stop('n');
    await pass(simulation, 60_000);
    expect([told, whys]).toEqual([['complete'], []]);
    expect(there.shelf.watchers.get('a')?.size).toBe(0);
  });
});

test('what cannot be used is named', async () => {
  const { simulation, places } = await formed(['n']);
  const [here] = places as [Place];
  const { cluster } = simulation.node('n');
  expect(() => createActors(cluster, {} as never)).toThrow('bridge takes an object with resolve()');
  expect(() => createActors(cluster, here.shelf, { watchMs: 0 })).toThrow('watchMs takes');
  expect(() => here.actors.terminated$('a' as never)).toThrow('ref takes a reference');
  await expect(here.actors.tell({ path: 'a' } as never, 1)).rejects.toThrow('ref takes');
  const byAddress = { node: cluster.self.address, path: 'a' };
  await expect(here.actors.ask(byAddress, 1)).rejects.toThrow('ref takes a reference');
});
