/**
 * XState actors as entities of a cluster: each runs at the member that owns its key, starts there from the stored
 * snapshot, and stops when the key moves. This class is the adapter, one per node.
 */
import {
  type ActorSystemBridge,
  type Actors,
  createActors,
  createPlacement,
  type LocalActor,
  type Move,
  type Placement,
  type TakeOver,
  takeOver,
} from '@rollcall/routing';
import { type Cluster, ClusterError } from 'rollcall';
import { firstValueFrom, timer } from 'rxjs';
import { type Actor, createActor, type Snapshot } from 'xstate';
import { type Add, counter } from './counter.js';

/** Stands for a database that all nodes reach. */
export type Store = Map<string, Snapshot<unknown>>;

interface Entity {
  readonly actor: Promise<Actor<typeof counter>>;
}

/** The path at which each node hands its keys over. */
const SHARD = 'shard';

export class Counters implements ActorSystemBridge {
  /** Why keys could be used here, one for each that came. */
  readonly taken: TakeOver[] = [];
  readonly placement: Placement;
  readonly #cluster: Cluster;
  readonly #actors: Actors;
  readonly #store: Store;
  readonly #entities = new Map<string, Entity>();

  constructor(cluster: Cluster, keys: readonly string[], store: Store) {
    this.#cluster = cluster;
    this.#store = store;
    this.#actors = createActors(cluster, this);
    this.placement = createPlacement(cluster);
    this.placement
      .moves$(() => keys)
      .subscribe(({ phase, moves }) => {
        if (phase === 'moved') for (const move of moves) this.#moved(move);
      });
  }

  get keys(): readonly string[] {
    return [...this.#entities.keys()];
  }

  resolve(path: string): LocalActor | undefined {
    if (path === SHARD)
      return { deliver: (key) => this.#release(String(key)), watch: () => () => {} };
    const entity = this.#entities.get(path);
    // Who asked has heard of a move before this node, or has not heard of it yet.
    if (entity === undefined)
      throw Object.assign(new Error(`${path} is not here`), { code: 'notHere' });
    return {
      deliver: async (message) => {
        const actor = await entity.actor;
        actor.send(message as Add);
        this.#store.set(path, actor.getPersistedSnapshot());
        return actor.getSnapshot().context.count;
      },
      watch: (stopped) => {
        const watched = entity.actor.then((actor) => actor.subscribe({ complete: stopped }));
        // It was never taken over: there is nothing here to watch.
        watched.catch(stopped);
        return () => void watched.then((subscription) => subscription.unsubscribe(), stopped);
      },
    };
  }

  /** Adds one, at whatever node the counter is by then; resolves with its count. */
  async add(key: string, id: number): Promise<number> {
    for (;;) {
      const node = this.placement.ownerOf(key) ?? this.#cluster.self.node;
      try {
        return (await this.#actors.ask({ node, path: key }, { type: 'add', id })) as number;
      } catch (error) {
        if (!(error instanceof ClusterError) || error.code === 'stopped') throw error;
        await firstValueFrom(timer(100));
      }
    }
  }

  #moved(move: Move): void {
    if (move.to !== this.#cluster.self.node) return void this.#release(move.key);
    const actor = this.#take(move);
    actor.catch(() => this.#entities.delete(move.key));
    this.#entities.set(move.key, { actor });
  }

  /** Messages wait meanwhile: the former owner may be counting still. */
  async #take(move: Move): Promise<Actor<typeof counter>> {
    const { key, from, former } = move;
    const isThere = former === 'there' && from !== undefined;
    const handedOver = isThere ? this.#actors.ask({ node: from, path: SHARD }, key) : undefined;
    handedOver?.catch(() => {});
    const why = await takeOver(this.#cluster, move, {
      ...(handedOver === undefined ? {} : { handedOver }),
    });
    this.taken.push(why);
    const snapshot = this.#store.get(key);
    return createActor(counter, snapshot === undefined ? {} : { snapshot }).start();
  }

  /** Resolves when nothing of it runs here. What this node waits for itself its successor has to wait for, too. */
  async #release(key: string): Promise<void> {
    const entity = this.#entities.get(key);
    if (entity === undefined) return;
    this.#entities.delete(key);
    await entity.actor.then(
      (actor) => actor.stop(),
      () => {},
    );
  }
}
