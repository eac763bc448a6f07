/** Nodes with actors on them, and what is told of those: for the tests of actors at other nodes. */
import type { NodeKey } from '@rollcall/core';
import {
  type ActorSystemBridge,
  type Actors,
  createActors,
  type LocalActor,
  type Terminated,
} from '@rollcall/routing';
import { isFormed, Simulation } from '@rollcall/simulator';

/** Actors that keep what they are told, answer with how much that is, and stop when told to. */
export class Shelf implements ActorSystemBridge {
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

export interface Place {
  readonly shelf: Shelf;
  readonly actors: Actors;
  readonly key: NodeKey;
}

/** A place for each name. */
export async function formed<const Names extends readonly string[]>(names: Names) {
  const simulation = new Simulation({ seed: 3, settings: { downing: { stableAfter: '5s' } } });
  simulation.startAll(names);
  await simulation.runUntil(() => isFormed(simulation.nodes), 30_000);
  await simulation.run(15_000);
  const places = simulation.nodes.map(({ cluster }): Place => {
    const shelf = new Shelf();
    shelf.add('a');
    return { shelf, actors: createActors(cluster, shelf), key: cluster.self.node };
  });
  return { simulation, places: places as unknown as { [Name in keyof Names]: Place } };
}

/** What becomes of a promise while time goes on. */
export async function outcome<T>(simulation: Simulation, promise: Promise<T>): Promise<T> {
  promise.catch(() => {});
  await simulation.run(1_000);
  return promise;
}

export function watching(here: Actors, node: NodeKey, path = 'a') {
  const told: (Terminated['why'] | 'complete')[] = [];
  const next = ({ why }: Terminated) => told.push(why);
  here.terminated$({ node, path }).subscribe({ next, complete: () => told.push('complete') });
  return told;
}
