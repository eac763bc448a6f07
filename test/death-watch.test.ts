/** Actors at other nodes that are watched, over production nodes under virtual time: what is told of their end, and when. */
import { type ActorsCluster, createActors, type DeadLetter } from '@rollcall/routing';
import { isFormed } from '@rollcall/simulator';
import { describe, expect, test } from 'vitest';
import { formed, outcome, Shelf, watching } from './actor-places.testing.js';

describe('a watched actor', () => {
  test('is told of once: at once when it stops, and when there is none', async () => {
    const {
      simulation,
      places: [here, there],
    } = await formed(['n', 'o']);
    const told = watching(here.actors, there.key);
    const none = watching(here.actors, there.key, 'b');
    // Through several times that it is said to be watched.
    await simulation.run(45_000);
    expect([told, none]).toEqual([[], ['noActor', 'complete']]);
    expect(there.shelf.watchers.get('a')?.size).toBe(1);
    there.shelf.stop('a');
    await simulation.run(100);
    expect(told).toEqual(['stopped', 'complete']);
  });

  test('is not gone while its node is unreachable, and is when that is removed', async () => {
    const {
      simulation,
      places: [here, there],
    } = await formed(['n', 'o', 'p']);
    const told = watching(here.actors, there.key);
    const of = () => simulation.node('n').state?.members.find(({ node }) => node === there.key);
    await simulation.run(1_000);
    simulation.isolate('o');
    await simulation.runUntil(() => of()?.reachability === 'unreachable', 30_000);
    simulation.heal();
    await simulation.runUntil(() => of()?.reachability === 'reachable', 30_000);
    await simulation.run(20_000);
    expect(told).toEqual([]);
    simulation.crash('o', { silently: true });
    await simulation.runUntil(() => of()?.reachability === 'unreachable', 30_000);
    expect(told).toEqual([]);
    await simulation.runUntil(() => of() === undefined, 30_000);
    expect(told).toEqual(['removed', 'complete']);
    expect(watching(here.actors, there.key)).toEqual([]);
    // A reference to a node that is not known, or no more: for a while it may be one that news is still to come of.
    const late = watching(here.actors, there.key);
    await simulation.run(9_000);
    expect(late).toEqual([]);
    await simulation.run(2_000);
    expect(late).toEqual(['removed', 'complete']);
    // Unless another run has taken its place.
    simulation.restart('o');
    await simulation.runUntil(() => isFormed(simulation.nodes), 30_000);
    const replaced = watching(here.actors, there.key);
    await simulation.run(100);
    expect(replaced).toEqual(['removed', 'complete']);
  });

  test('of a node that nobody here has heard of yet is watched as soon as it is known', async () => {
    const {
      simulation,
      places: [here],
    } = await formed(['n', 'o']);
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
    await simulation.run(5_000);
    expect([told, shelf.watchers.get('a')?.size]).toEqual([[], 1]);
    shelf.stop('a');
    await simulation.run(100);
    expect(told).toEqual(['stopped', 'complete']);
  });

  test('that stopped and was started anew while its node was cut off is told of all the same', async () => {
    const {
      simulation,
      places: [here, there],
    } = await formed(['n', 'o', 'p']);
    const told = watching(here.actors, there.key);
    await simulation.run(1_000);
    simulation.isolate('o');
    await simulation.run(2_000);
    there.shelf.stop('a');
    there.shelf.add('a');
    await simulation.run(2_000);
    simulation.heal();
    await simulation.run(30_000);
    expect(told).toEqual(['stopped', 'complete']);
  });

  test('is one of thousands: neither asks nor the outbox run out, and each is told of', async () => {
    const {
      simulation,
      places: [here, there],
    } = await formed(['n', 'o']);
    const paths = Array.from({ length: 6_000 }, (_, i) => `actor/${i}`);
    for (const path of paths) there.shelf.add(path);
    const all = paths.map((path) => watching(here.actors, there.key, path));
    await simulation.run(3_000);
    const watched = paths.filter((path) => there.shelf.watchers.get(path)?.size === 1);
    expect(watched).toHaveLength(6_000);
    for (const path of paths) there.shelf.stop(path);
    const { cluster } = simulation.node('o');
    await outcome(simulation, cluster.tell(here.key, 'there is room for others'));
    await simulation.run(20_000);
    expect(new Set(all.map((told) => told.join()))).toEqual(new Set(['stopped,complete']));
  });

  test('is left alone when those who watch it are closed', async () => {
    const {
      simulation,
      places: [here, there],
    } = await formed(['n', 'o']);
    const told = watching(here.actors, there.key);
    await simulation.run(1_000);
    here.actors.close();
    await simulation.run(1_000);
    expect([told, there.shelf.watchers.get('a')?.size]).toEqual([['complete'], 0]);
    expect(watching(here.actors, there.key)).toEqual(['complete']);
  });

  test('is refused beyond watchesMax, and watched later by a node that has too many watchers', async () => {
    const {
      simulation,
      places: [, there],
    } = await formed(['n', 'o']);
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
    await simulation.run(1_000);
    expect(dead).toMatchObject([{ path: 'b', message: undefined, error: { name: 'RangeError' } }]);
    shelf.stop('a');
    await simulation.run(25_000);
    shelf.stop('b');
    await simulation.run(1_000);
    expect(said.slice(1)).toEqual([
      ['a', 'stopped'],
      ['b', 'stopped'],
    ]);
  });

  test('that stopped while its node was cut off is told of when it is back', async () => {
    const {
      simulation,
      places: [here, there],
    } = await formed(['n', 'o', 'p']);
    const told = watching(here.actors, there.key);
    await simulation.run(1_000);
    simulation.isolate('o');
    await simulation.run(2_000);
    there.shelf.stop('a');
    await simulation.run(2_000);
    expect(told).toEqual([]);
    simulation.heal();
    await simulation.run(40_000);
    expect(told).toHaveLength(2);
    expect(told[1]).toBe('complete');
  });

  test('is not said to be gone by a node that stops itself, nor once nobody asks', async () => {
    const {
      simulation,
      places: [here, there],
    } = await formed(['n', 'o']);
    const told = watching(here.actors, there.key);
    const whys: string[] = [];
    const ref = { node: there.key, path: 'a' };
    const subscription = here.actors.terminated$(ref).subscribe(({ why }) => whys.push(why));
    await simulation.run(1_000);
    expect(there.shelf.watchers.get('a')?.size).toBe(2);
    subscription.unsubscribe();
    await simulation.run(30_000);
    expect(there.shelf.watchers.get('a')?.size).toBe(1);
    simulation.stop('n');
    await simulation.run(60_000);
    expect([told, whys]).toEqual([['complete'], []]);
    expect(there.shelf.watchers.get('a')?.size).toBe(0);
  });
});

describe('watches', () => {
  test('at several nodes are all said again', async () => {
    const {
      simulation,
      places: [here, o, p],
    } = await formed(['n', 'o', 'p']);
    watching(here.actors, o.key);
    const told = watching(here.actors, p.key);
    p.shelf.add('b');
    const taken = here.actors.terminated$({ node: p.key, path: 'b' }).subscribe();
    await simulation.run(1_000);
    taken.unsubscribe();
    simulation.isolate('p');
    await simulation.run(2_000);
    p.shelf.stop('a');
    await simulation.run(2_000);
    simulation.heal();
    await simulation.run(40_000);
    expect([told, p.shelf.watchers.get('b')?.size]).toEqual([['stopped', 'complete'], 0]);
  });

  test('of nodes that nobody knows end, and leave nothing behind', async () => {
    const {
      simulation,
      places: [here],
    } = await formed(['n', 'o']);
    const { cluster } = simulation.node('n');
    const { clock, events$, messages$, random, self, state } = cluster;
    let tells = 0;
    const counted: ActorsCluster = {
      clock,
      events$,
      messages$,
      random,
      self,
      state,
      ask: cluster.ask.bind(cluster),
      guarded: cluster.guarded.bind(cluster),
      tell: (node, body) => {
        tells++;
        return cluster.tell(node, body);
      },
    };
    const mine = createActors(counted, here.shelf, { name: 'mine' });
    const all = Array.from({ length: 20 }, (_, i) =>
      watching(mine, `ws://gone:${7_000 + i}#00000000000000f1`),
    );
    await simulation.run(30_000);
    expect(new Set(all.map((told) => told.join()))).toEqual(new Set(['removed,complete']));
    tells = 0;
    await simulation.run(10_000);
    expect(tells).toBe(0);
  });

  test('of a node that becomes known after a first one was given up are told of', async () => {
    const {
      simulation,
      places: [here],
    } = await formed(['n', 'o']);
    simulation.start('q');
    await simulation.runUntil(() => simulation.node('q').cluster !== undefined, 1_000);
    const newcomer = simulation.node('q').cluster;
    const { node } = newcomer.self;
    const shelf = new Shelf();
    shelf.add('a');
    createActors(newcomer, shelf);
    simulation.isolate('q');
    const first = watching(here.actors, node);
    await simulation.run(12_000);
    const second = watching(here.actors, node);
    await simulation.run(3_000);
    simulation.heal();
    await simulation.run(30_000);
    shelf.stop('a');
    await simulation.run(15_000);
    expect([first, second]).toEqual([
      ['removed', 'complete'],
      ['stopped', 'complete'],
    ]);
  });

  test('of a system that was closed and made anew are not taken for those before', async () => {
    const {
      simulation,
      places: [here, there],
    } = await formed(['n', 'o', 'p']);
    there.shelf.add('b');
    watching(here.actors, there.key, 'a');
    await simulation.run(1_000);
    simulation.isolate('o');
    await simulation.run(500);
    here.actors.close();
    await simulation.run(2_000);
    simulation.heal();
    await simulation.run(5_000);
    const again = createActors(simulation.node('n').cluster, here.shelf);
    const told = watching(again, there.key, 'b');
    await simulation.run(15_000);
    const watchers = ['a', 'b'].map((path) => there.shelf.watchers.get(path)?.size);
    expect(watchers).toEqual([0, 1]);
    there.shelf.stop('a');
    await simulation.run(1_000);
    expect(told).toEqual([]);
  });

  test('of actors whose system is closed there are told that there are none', async () => {
    const {
      simulation,
      places: [here, there],
    } = await formed(['n', 'o']);
    const told = watching(here.actors, there.key);
    await simulation.run(1_000);
    there.actors.close();
    await simulation.run(1_000);
    expect([told, there.shelf.watchers.get('a')?.size]).toEqual([['noActor', 'complete'], 0]);
  });

  test('that a member makes up cost nothing that stays', async () => {
    const {
      simulation,
      places: [here, there],
    } = await formed(['n', 'o']);
    here.actors.close();
    const { cluster } = simulation.node('n');
    const watchers = new Set<() => void>();
    there.shelf.watchers.set('a', watchers);
    const letter = (...watches: unknown[]) => ['rollcall.actors.main', 'watch', 1, 0, watches];
    const same = Array.from({ length: 1_000 }, () => [1, 'a']);
    await outcome(simulation, cluster.tell(there.key, letter(...same)));
    expect(watchers.size).toBe(1);
    await outcome(simulation, cluster.tell(there.key, letter()));
    expect(watchers.size).toBe(0);
  });

  test('leave no room for none of what else is told', async () => {
    const {
      simulation,
      places: [here, there],
    } = await formed(['n', 'o']);
    for (let i = 0; i < 20_000; i++) watching(here.actors, there.key, `actor/${i}`);
    const { cluster } = simulation.node('n');
    const told = Array.from({ length: 100 }, (_, i) => cluster.tell(there.key, i));
    await simulation.run(5_000);
    const outcomes = await Promise.allSettled(told);
    expect(outcomes.filter(({ status }) => status === 'rejected')).toEqual([]);
  });

  test('are told of though another subscriber’s teardown throws', async () => {
    const {
      simulation,
      places: [here, there],
    } = await formed(['n', 'o', 'p', 'q']);
    const ref = { node: there.key, path: 'a' };
    const fails = () => {
      throw new Error('not today');
    };
    here.actors.terminated$(ref).subscribe().add(fails);
    const told = watching(here.actors, there.key);
    await simulation.run(1_000);
    there.shelf.stop('a');
    await simulation.run(100);
    expect(told).toEqual(['stopped', 'complete']);
  });

  test('that begin anew whenever they are told leave the node its turns', async () => {
    const {
      simulation,
      places: [here, there],
    } = await formed(['n', 'o', 'p', 'q']);
    simulation.crash('o');
    simulation.restart('o');
    await simulation.run(60_000);
    let count = 0;
    const begin = () =>
      here.actors.terminated$({ node: there.key, path: 'a' }).subscribe(() => {
        if (++count < 100_000) begin();
      });
    begin();
    let isTurn = false;
    setImmediate(() => {
      isTurn = true;
    });
    await new Promise((resolve) => setImmediate(resolve));
    expect([isTurn, count]).toEqual([true, 0]);
    here.actors.close();
  });
});
