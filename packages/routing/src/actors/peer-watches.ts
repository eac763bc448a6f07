/**
 * What this node watches at one other. Watches are numbered, and said in blocks of consecutive numbers: a block that says all of
 * its watches needs no word for one that ended, and one more watch costs a block and not everything that is watched there.
 */
import { type Clock, ClusterError } from '@rollcall/core';
import type { GoneWhy } from './letter.js';

const BLOCK = 64;

/** Under way at once: the outbox to that node is there for what its user says as well. */
const AT_ONCE = 8;

/** Pause after what could not be said: a link is being made, or there is no room. */
const AGAIN_MS = 1_000;

export interface Watch {
  readonly path: string;
  readonly sinceMs: number;
  over(why: GoneWhy | 'removed'): void;
  fail(error: unknown): void;
  complete(): void;
}

export interface PeerWatchesOwner {
  say(block: number, watches: Iterable<readonly [id: number, path: string]>): Promise<void>;
  /** No member of that name is known here. */
  unknown(): void;
}

const blockOf = (id: number): number => Math.floor(id / BLOCK);

export class PeerWatches {
  readonly #clock: Clock;
  readonly #owner: PeerWatchesOwner;
  readonly #blocks = new Map<number, Map<number, Watch>>();
  /** Blocks to be said, and those that could not be. */
  readonly #due = new Set<number>();
  readonly #unsaid = new Set<number>();
  #last = -1;
  #size = 0;
  #isSaying = false;
  #cancel: (() => void) | undefined;
  #isOver = false;

  constructor(clock: Clock, owner: PeerWatchesOwner) {
    this.#clock = clock;
    this.#owner = owner;
  }

  get size(): number {
    return this.#size;
  }

  add(watch: Watch): number {
    const id = ++this.#last;
    const block = blockOf(id);
    const watches = this.#blocks.get(block) ?? new Map<number, Watch>();
    this.#blocks.set(block, watches.set(id, watch));
    this.#size++;
    this.#due.add(block);
    this.#saySoon();
    return id;
  }

  remove(id: number): void {
    if (this.#blocks.get(blockOf(id))?.delete(id)) this.#size--;
  }

  /** Takes one out, as it is over. */
  take(id: number): Watch | undefined {
    const watch = this.#blocks.get(blockOf(id))?.get(id);
    this.remove(id);
    return watch;
  }

  /** Takes out those that are as old as that. */
  takeSince(untilMs: number): readonly Watch[] {
    const all = [...this.#blocks.values()].flatMap((watches) => [...watches]);
    const old = all.filter(([, { sinceMs }]) => sinceMs <= untilMs);
    for (const [id] of old) this.remove(id);
    return old.map(([, watch]) => watch);
  }

  /** Says everything again; false when there is nothing to say. */
  renew(): boolean {
    for (const block of this.#blocks.keys()) this.#due.add(block);
    this.#saySoon();
    return this.#blocks.size > 0;
  }

  /** Takes all out, says so if there is anybody to say it to, and nothing more. */
  end(): readonly Watch[] {
    if (this.#isOver) return [];
    this.#isOver = true;
    this.#cancel?.();
    for (const block of this.#blocks.keys()) this.#owner.say(block, []).catch(() => {});
    return this.takeSince(Number.POSITIVE_INFINITY);
  }

  /** In a turn of its own, so that many that begin at once are said together. */
  #saySoon(): void {
    if (this.#isSaying || this.#isOver) return;
    this.#isSaying = true;
    queueMicrotask(() => void this.#sayAll());
  }

  async #sayAll(): Promise<void> {
    while (this.#due.size > 0 && !this.#isOver) {
      const blocks = [...this.#due].slice(0, AT_ONCE);
      for (const block of blocks) this.#due.delete(block);
      await Promise.all(blocks.map((block) => this.#say(block)));
    }
    this.#isSaying = false;
  }

  async #say(block: number): Promise<void> {
    const watches = this.#blocks.get(block) ?? new Map<number, Watch>();
    const said = [...watches].map(([id, { path }]) => [id, path] as const);
    try {
      await this.#owner.say(block, said);
      // Said to be empty: there is nothing of it at the other end.
      if (said.length === 0 && this.#blocks.get(block)?.size === 0) this.#blocks.delete(block);
    } catch (error) {
      if (!this.#isOver) this.#notSaid(block, error);
    }
  }

  #notSaid(block: number, error: unknown): void {
    const code = error instanceof ClusterError ? error.code : undefined;
    if (code === 'stopped') return;
    if (code === 'unknownMember' || code === 'memberGone') this.#owner.unknown();
    else if (code !== 'noLink' && code !== 'backPressure') return this.#failed(block, error);
    if (this.#isOver) return;
    this.#unsaid.add(block);
    this.#cancel ??= this.#clock.schedule(AGAIN_MS, () => {
      this.#cancel = undefined;
      for (const each of this.#unsaid) this.#due.add(each);
      this.#unsaid.clear();
      this.#saySoon();
    });
  }

  /** Such as too large for any message: it is the newest one's doing, as without that the block was said. */
  #failed(block: number, error: unknown): void {
    const newest = [...(this.#blocks.get(block)?.keys() ?? [])].at(-1);
    if (newest === undefined) return;
    this.take(newest)?.fail(error);
    this.#due.add(block);
  }
}
