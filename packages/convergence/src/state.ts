/**
 * The replicated state of PROTOCOL "State" as an immutable value: members, epoch, and whom the last
 * fire removed. A change that brings nothing returns the very same object, so "did anything
 * happen?" is `!==`. `seen` is not part of it (R3).
 *
 * One changed entry copies one of 64 buckets and adjusts a sum. Lists are made when asked for and
 * kept; the order of keys is shared between states that have the same keys.
 */
import { assert } from './assert.js';
import { Bucket, BucketEdit, bucketIndex, noBuckets } from './bucket.js';
import { Entry } from './entry.js';
import { type Digest, Fingerprint } from './fingerprint.js';
import { Head } from './head.js';
import { KeyOrder } from './key-order.js';
import { allows, emptyRow, isCounted, isLive, type Member } from './member.js';
import { type NodeKey, searchKeys } from './node-key.js';
import { Recollection } from './recollection.js';

/** What a member says about itself when it comes; it never changes afterwards. */
export type Introduced = Pick<Member, 'key' | 'roles' | 'appVersion'>;

export interface StateParts {
  readonly clusterId: NodeKey;
  readonly epoch: number;
  readonly members: Iterable<Member>;
  readonly removed: Iterable<NodeKey>;
}

/** A slot packs bucket and place in it; no bucket comes near this many entries. */
const SLOT = 0x10000;

export class State {
  /** For this package: the parts that merging, comparing and firing work on. */
  readonly head: Head;
  readonly buckets: readonly Bucket[];
  readonly sum: Fingerprint;
  readonly recollection = new Recollection();

  readonly size: number;
  readonly #live: number;
  readonly #roster: KeyOrder;
  readonly #electors: KeyOrder;
  #members: readonly Member[] | null = null;
  #electorate: readonly Member[] | null = null;
  #counted: readonly Member[] | null = null;
  #digest: Digest | null = null;

  private constructor(head: Head, buckets: readonly Bucket[], before: State | null) {
    this.head = head;
    this.buckets = buckets;
    const { sum, size, live } = totals(head, buckets, before);
    this.sum = sum;
    this.size = size;
    this.#live = live;
    const all = () => keysOf(buckets, () => true);
    const electors = () => keysOf(buckets, (entry) => isLive(entry.status));
    const moves = before ? movesBetween(before.buckets, buckets) : null;
    this.#roster =
      before && moves ? before.#roster.changed(moves.came, moves.went, all) : KeyOrder.of(all);
    if (live === size) this.#electors = this.#roster;
    else if (before && moves) {
      this.#electors = before.#electors.changed(moves.entered, moves.left, electors);
    } else this.#electors = KeyOrder.of(electors);
  }

  /**
   * The first member of a cluster: up already, so that no empty configuration exists (R14, X22,
   * X23).
   */
  static found(founder: Introduced): State {
    const member: Member = { ...founder, status: 'Up', upNumber: 1, row: emptyRow };
    return State.from({ clusterId: founder.key, epoch: 2, members: [member], removed: [] });
  }

  /** A state from its parts, in canonical form: rows sorted and filtered to members. */
  static from(parts: StateParts): State {
    const edit = new BucketEdit(noBuckets);
    const entries = new Map<NodeKey, Entry>();
    for (const member of parts.members) entries.set(member.key, Entry.of(member));
    for (const entry of entries.values()) edit.put(entry.withoutNames((key) => !entries.has(key)));
    const head = new Head(parts.clusterId, parts.epoch, parts.removed);
    assert(!head.removed.some((key) => entries.has(key)), 'nobody is both member and removed');
    return new State(head, edit.buckets, null);
  }

  /**
   * For this package: the state of these parts, which must be canonical; `before` lends its order.
   */
  static assemble(head: Head, buckets: readonly Bucket[], before: State | null): State {
    return new State(head, buckets, before);
  }

  /** What the constructor adjusts when buckets are exchanged. */
  static totalsOf(state: State): Totals {
    return { sum: state.sum.minus(state.head.sum), size: state.size, live: state.#live };
  }

  get clusterId(): NodeKey {
    return this.head.clusterId;
  }

  get epoch(): number {
    return this.head.epoch;
  }

  /** Whom the fire that produced this epoch removed, in key order. */
  get removed(): readonly NodeKey[] {
    return this.head.removed;
  }

  get(key: NodeKey): Member | undefined {
    return this.entry(key);
  }

  /** For this package: the canonical member. */
  entry(key: NodeKey): Entry | undefined {
    return this.buckets[bucketIndex(key)]?.get(key);
  }

  has(key: NodeKey): boolean {
    return this.entry(key) !== undefined;
  }

  wasRemoved(key: NodeKey): boolean {
    return this.removed.length > 0 && searchKeys(this.removed, key) >= 0;
  }

  /** In key order. */
  get members(): readonly Member[] {
    this.#members ??= this.#listed();
    return this.#members;
  }

  /** L(S): Joining to Exiting, in key order (R4). */
  get electorate(): readonly Member[] {
    if (this.#electors === this.#roster) return this.members;
    this.#electorate ??= this.members.filter(({ status }) => isLive(status));
    return this.#electorate;
  }

  /** For this package: the order of L(S), to which rings can be attached. */
  get electors(): KeyOrder {
    return this.#electors;
  }

  /** The keys of L(S) in order: the positions that `Seen` counts. */
  get electorateKeys(): readonly NodeKey[] {
    return this.#electors.keys;
  }

  /** The position of a key in the electorate, or -1. */
  electorateIndex(key: NodeKey): number {
    return this.#electors.indexOf(key);
  }

  /**
   * The configuration: who has an upNumber and is Up, Leaving, Exiting or Down, in key order (R6).
   */
  get counted(): readonly Member[] {
    this.#counted ??= this.members.filter(isCounted);
    return this.#counted;
  }

  get digest(): Digest {
    this.#digest ??= this.sum.digest;
    return this.#digest;
  }

  /** Whether both say the same. */
  equals(that: State): boolean {
    return this === that || this.sum.equals(that.sum);
  }

  /**
   * The state with this member inserted or replaced. Only one step of the table of legal moves at a
   * time, no number is ever changed (I1), and nobody comes back who was removed (I2).
   */
  with(member: Member): State {
    const old = this.entry(member.key);
    if (old === undefined) {
      assert(!this.wasRemoved(member.key), 'a removed member stays removed');
    } else {
      const legal = old.status === member.status || allows(old.status, member.status);
      assert(legal, `${old.status} may be followed by ${member.status}`);
      const kept = old.upNumber === null || old.upNumber === member.upNumber;
      assert(kept, 'an upNumber never changes once set');
    }
    const known = (key: NodeKey) => this.has(key);
    const edit = new BucketEdit(this.buckets);
    edit.put(Entry.of(member).withoutNames((key) => !known(key)));
    return edit.buckets === this.buckets ? this : new State(this.head, edit.buckets, this);
  }

  #listed(): readonly Member[] {
    const slots = this.#roster.slots((key) => {
      const index = bucketIndex(key);
      return index * SLOT + (this.buckets[index] as Bucket).search(key);
    });
    return slots.map((slot) => {
      const bucket = this.buckets[Math.floor(slot / SLOT)] as Bucket;
      return bucket.entries[slot % SLOT] as Member;
    });
  }
}

interface Totals {
  readonly sum: Fingerprint;
  readonly size: number;
  readonly live: number;
}

/** Sum and sizes, adjusted by the buckets that differ: O(changed), as 05 asks of the digest. */
function totals(head: Head, buckets: readonly Bucket[], before: State | null): Totals {
  let { sum, size, live } = before
    ? State.totalsOf(before)
    : { sum: Fingerprint.zero, size: 0, live: 0 };
  for (let index = 0; index < buckets.length; index += 1) {
    const bucket = buckets[index] as Bucket;
    const old = before?.buckets[index] ?? Bucket.empty;
    if (bucket === old) continue;
    sum = sum.minus(old.sum).plus(bucket.sum);
    size += bucket.entries.length - old.entries.length;
    live += bucket.live - old.live;
  }
  return { sum: sum.plus(head.sum), size, live };
}

function keysOf(buckets: readonly Bucket[], wanted: (entry: Entry) => boolean): NodeKey[] {
  return buckets.flatMap(({ entries }) => entries.filter(wanted).map(({ key }) => key));
}

interface Moves {
  readonly came: NodeKey[];
  readonly went: NodeKey[];
  /** Into and out of the electorate. */
  readonly entered: NodeKey[];
  readonly left: NodeKey[];
}

/** Who came and went between two states; walks only the buckets that are different objects. */
function movesBetween(before: readonly Bucket[], after: readonly Bucket[]): Moves {
  const moves: Moves = { came: [], went: [], entered: [], left: [] };
  for (let index = 0; index < after.length; index += 1) {
    const bucket = after[index] as Bucket;
    const old = before[index] as Bucket;
    if (bucket === old) continue;
    for (const { key, status } of old.entries) {
      const now = bucket.get(key);
      if (!now) moves.went.push(key);
      if (isLive(status) && !(now && isLive(now.status))) moves.left.push(key);
    }
    for (const { key, status } of bucket.entries) {
      const then = old.get(key);
      if (!then) moves.came.push(key);
      if (isLive(status) && !(then && isLive(then.status))) moves.entered.push(key);
    }
  }
  return moves;
}
