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
  say(to: NodeKey, gone: readonly (readonly [id: number, why: GoneWhy])[]): void;
  /** The adapter threw, or more is watched than may be. */
  failed(from: NodeKey, path: string, error: unknown): void;
}

interface Watched {
  gone: GoneWhy | undefined;
  unwatch: () => void;
}

type Block = Map<number, Watched>;

export class WatchedActors {
  readonly #owner: WatchedOwner;
  readonly #max: number;
  readonly #blocks = new Map<NodeKey, Map<number, Block>>();
  readonly #news = new Map<NodeKey, [id: number, why: GoneWhy][]>();
  #size = 0;

  constructor(owner: WatchedOwner, max: number) {
    this.#owner = owner;
    this.#max = max;
  }

  /** All that `from` watches of this block. */
  watch(from: NodeKey, block: number, watches: readonly (readonly [id: number, path: string])[]) {
    const blocks = this.#blocks.get(from) ?? new Map<number, Block>();
    const before: Block = blocks.get(block) ?? new Map();
    const now: Block = new Map();
    for (const [id, path] of watches) {
      const watched = before.get(id) ?? this.#begin(from, id, path);
      before.delete(id);
      if (watched === undefined) continue;
      now.set(id, watched);
      if (watched.gone !== undefined) this.#tell(from, id, watched.gone);
    }
    this.#forget(before);
    if (now.size > 0) this.#blocks.set(from, blocks.set(block, now));
    else if (blocks.delete(block) && blocks.size === 0) this.#blocks.delete(from);
  }

  /** It is no member any more, and hears nothing. */
  removed(from: NodeKey): void {
    for (const block of this.#blocks.get(from)?.values() ?? []) this.#forget(block);
    this.#blocks.delete(from);
  }

  close(): void {
    for (const from of [...this.#blocks.keys()]) this.removed(from);
  }

  #forget(block: Block): void {
    for (const watched of block.values()) {
      this.#size--;
      watched.unwatch();
    }
  }

  /** Undefined where it could not be begun: its watcher will say it again. */
  #begin(from: NodeKey, id: number, path: string): Watched | undefined {
    try {
      if (this.#size >= this.#max)
        throw new RangeError(`${this.#max} actors are watched here already (watchesMax)`);
      const actor = this.#owner.resolve(path);
      const watched: Watched = { gone: actor ? undefined : 'noActor', unwatch: () => {} };
      if (actor !== undefined) this.#follow(actor, watched, { from, id, path });
      this.#size++;
      return watched;
    } catch (error) {
      this.#owner.failed(from, path, error);
      return undefined;
    }
  }

  #follow(
    actor: LocalActor,
    watched: Watched,
    { from, id, path }: { readonly from: NodeKey; readonly id: number; readonly path: string },
  ): void {
    const unwatch: unknown = actor.watch(() => {
      if (watched.gone !== undefined) return;
      watched.gone = 'stopped';
      this.#tell(from, id, 'stopped');
    });
    if (typeof unwatch !== 'function') throw new TypeError('watch returned nothing that ends it');
    watched.unwatch = () => {
      // It is the adapter's, and runs where nobody waits for it: what it throws ends nothing.
      try {
        unwatch();
      } catch (error) {
        this.#owner.failed(from, path, error);
      }
    };
  }

  /** In a turn of its own, so that many that stop at once are told together. */
  #tell(to: NodeKey, id: number, why: GoneWhy): void {
    const waiting = this.#news.get(to);
    if (waiting !== undefined) return void waiting.push([id, why]);
    this.#news.set(to, [[id, why]]);
    queueMicrotask(() => {
      const gone = this.#news.get(to) ?? [];
      this.#news.delete(to);
      this.#owner.say(to, gone);
    });
  }
}
