/**
 * Actors of this node that others watch. An end is told at once, and again for as long as its watcher says that it watches: what
 * was lost on the way is told the next time, also if another actor has started at that path meanwhile.
 */
import type { NodeKey } from '@rollcall/core';
import type { LocalActor } from './bridge.js';
import type { GoneWhy } from './letter.js';

export interface WatchedOwner {
  /** Undefined if there is none; throws what the adapter throws. */
  resolve(path: string): LocalActor | undefined;
  say(to: NodeKey, watcher: number, gone: readonly (readonly [id: number, why: GoneWhy])[]): void;
  /** The adapter threw, or more is watched than may be. */
  failed(from: NodeKey, path: string, error: unknown): void;
}

interface Watched {
  readonly path: string;
  gone: GoneWhy | undefined;
  unwatch: () => void;
}

type Block = Map<number, Watched>;

/** One actor system of another node, of which a later one takes the place. */
interface Watcher {
  readonly from: NodeKey;
  readonly number: number;
  readonly blocks: Map<number, Block>;
  /** To be told to it. */
  news: [id: number, why: GoneWhy][];
}

export class WatchedActors {
  readonly #owner: WatchedOwner;
  readonly #max: number;
  readonly #watchers = new Map<NodeKey, Watcher>();
  #size = 0;
  #isClosed = false;

  constructor(owner: WatchedOwner, max: number) {
    this.#owner = owner;
    this.#max = max;
  }

  /** All that this watcher at `from` watches of this block. */
  watch(
    from: NodeKey,
    number: number,
    block: number,
    watches: readonly (readonly [id: number, path: string])[],
  ): void {
    if (this.#isClosed) return;
    const watcher = this.#watcher(from, number);
    const before: Block = watcher.blocks.get(block) ?? new Map();
    const now: Block = new Map();
    for (const [id, path] of watches) {
      if (now.has(id)) continue;
      const watched = takeOut(before, id, path) ?? this.#begin(watcher, id, path);
      if (watched === undefined) continue;
      now.set(id, watched);
      if (watched.gone !== undefined) this.#tell(watcher, id, watched.gone);
    }
    this.#forget(before);
    // What began here is the adapter's, and may have closed this.
    if (this.#isClosed) this.#forget(now);
    else if (now.size > 0) watcher.blocks.set(block, now);
    else watcher.blocks.delete(block);
  }

  #watcher(from: NodeKey, number: number): Watcher {
    const known = this.#watchers.get(from);
    if (known?.number === number) return known;
    this.removed(from);
    const watcher: Watcher = { from, number, blocks: new Map(), news: [] };
    this.#watchers.set(from, watcher);
    return watcher;
  }

  /** It is no member any more, or another watcher is in its place, and it hears nothing. */
  removed(from: NodeKey): void {
    const watcher = this.#watchers.get(from);
    this.#watchers.delete(from);
    for (const block of watcher?.blocks.values() ?? []) this.#forget(block);
    watcher?.blocks.clear();
  }

  /** Nobody here has an actor any more, which those who watch are told. */
  close(): void {
    this.#isClosed = true;
    for (const watcher of [...this.#watchers.values()]) {
      const watches = [...watcher.blocks.values()].flatMap((block) => [...block]);
      for (const [id, { gone }] of watches)
        if (gone === undefined) this.#tell(watcher, id, 'noActor');
      this.removed(watcher.from);
    }
  }

  #forget(block: Block): void {
    for (const watched of block.values()) {
      this.#size--;
      watched.unwatch();
    }
    block.clear();
  }

  /** Undefined where it could not be begun: its watcher will say it again. */
  #begin(watcher: Watcher, id: number, path: string): Watched | undefined {
    try {
      if (this.#size >= this.#max)
        throw new RangeError(`${this.#max} actors are watched here already (watchesMax)`);
      const actor = this.#owner.resolve(path);
      const watched: Watched = { path, gone: actor ? undefined : 'noActor', unwatch: () => {} };
      if (actor !== undefined) this.#follow(actor, watched, watcher, id);
      this.#size++;
      return watched;
    } catch (error) {
      this.#owner.failed(watcher.from, path, error);
      return undefined;
    }
  }

  #follow(actor: LocalActor, watched: Watched, watcher: Watcher, id: number): void {
    const unwatch: unknown = actor.watch(() => {
      if (watched.gone !== undefined) return;
      watched.gone = 'stopped';
      this.#tell(watcher, id, 'stopped');
    });
    if (typeof unwatch !== 'function') throw new TypeError('watch returned nothing that ends it');
    watched.unwatch = () => {
      // It is the adapter's, and runs where nobody waits for it: what it throws ends nothing.
      try {
        unwatch();
      } catch (error) {
        this.#owner.failed(watcher.from, watched.path, error);
      }
    };
  }

  /** In a turn of its own, so that many that stop at once are told together. */
  #tell(watcher: Watcher, id: number, why: GoneWhy): void {
    watcher.news.push([id, why]);
    if (watcher.news.length > 1) return;
    queueMicrotask(() => {
      const { from, number, news } = watcher;
      watcher.news = [];
      this.#owner.say(from, number, news);
    });
  }
}

/** The same number for another actor is another watch. */
function takeOut(block: Block, id: number, path: string): Watched | undefined {
  const watched = block.get(id);
  if (watched?.path !== path) return undefined;
  block.delete(id);
  return watched;
}
