/**
 * One of the 64 parts of a state's members. A key's bucket is chosen by hash, so a change copies
 * about a sixty-fourth of the members, and two states are compared by walking only the buckets
 * whose sums differ. Inside a bucket entries stand in plain text order, which is cheap; the order
 * that the rules mean (`compareKeys`) is made once for a set of keys.
 */
import type { Entry } from './entry.js';
import { Fingerprint } from './fingerprint.js';
import { murmur32 } from './hash.js';
import { isLive } from './member.js';
import type { NodeKey } from './node-key.js';

export const BUCKETS = 64;

/** Away from the rings, which are seeded 0, 1, 2, …: a bucket must not be an arc of a ring. */
const BUCKET_SEED = 0x6275636b;

/** Every frame is asked about its sender: the keys of one process are few, and hashed once. */
const known = new Map<NodeKey, number>();
const KNOWN_MAX = 16_384;

/** MurmurHash3_x86_32 of the key, modulo 64: part of the wire contract, as buckets are compared. */
export function bucketIndex(key: NodeKey): number {
  let index = known.get(key);
  if (index === undefined) {
    index = murmur32(key, BUCKET_SEED) % BUCKETS;
    if (known.size >= KNOWN_MAX) known.clear();
    known.set(key, index);
  }
  return index;
}

type Summary = Pick<Bucket, 'sum' | 'live' | 'naming'>;

export class Bucket {
  static readonly empty = new Bucket([], { sum: Fingerprint.zero, live: 0, naming: 0 });

  readonly entries: readonly Entry[];
  readonly sum: Fingerprint;
  /** How many members in here are in the electorate. */
  readonly live: number;
  /** How many rows in here name anybody; where it is 0 nobody is accused from here. */
  readonly naming: number;

  private constructor(entries: readonly Entry[], { sum, live, naming }: Summary) {
    this.entries = entries;
    this.sum = sum;
    this.live = live;
    this.naming = naming;
  }

  /** The entries must be in text order, each key once. */
  static of(entries: readonly Entry[]): Bucket {
    return Bucket.summed(entries, summaryOf(entries));
  }

  /** For this file: the same, when the summary is known. */
  static summed(entries: readonly Entry[], summary: Summary): Bucket {
    return entries.length === 0 ? Bucket.empty : new Bucket(entries, summary);
  }

  /** Where the key stands, or -1 - (where it would stand). */
  search(key: NodeKey): number {
    let low = 0;
    let high = this.entries.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      const found = (this.entries[middle] as Entry).key;
      if (found === key) return middle;
      if (found < key) low = middle + 1;
      else high = middle;
    }
    return -1 - low;
  }

  get(key: NodeKey): Entry | undefined {
    const at = this.search(key);
    return at < 0 ? undefined : this.entries[at];
  }

  put(entry: Entry): Bucket {
    const at = this.search(entry.key);
    if (at < 0) return spliced(this, -1 - at, undefined, entry);
    const old = this.entries[at] as Entry;
    if (old === entry || old.fingerprint.equals(entry.fingerprint)) return this;
    return spliced(this, at, old, entry.inherit(old));
  }

  drop(key: NodeKey): Bucket {
    const at = this.search(key);
    return at < 0 ? this : spliced(this, at, this.entries[at], undefined);
  }
}

/** The bucket with one entry exchanged, inserted or taken out at a place; its sums are adjusted. */
function spliced(
  bucket: Bucket,
  at: number,
  old: Entry | undefined,
  entry: Entry | undefined,
): Bucket {
  const entries = bucket.entries.slice();
  if (old && entry) entries[at] = entry;
  else if (entry) entries.splice(at, 0, entry);
  else entries.splice(at, 1);
  let sum = bucket.sum;
  if (old) sum = sum.minus(old.fingerprint);
  if (entry) sum = sum.plus(entry.fingerprint);
  const live = bucket.live - liveIn(old) + liveIn(entry);
  const naming = bucket.naming - namingIn(old) + namingIn(entry);
  return Bucket.summed(entries, { sum, live, naming });
}

const liveIn = (entry: Entry | undefined): number => (entry && isLive(entry.status) ? 1 : 0);
const namingIn = (entry: Entry | undefined): number => (entry?.row.unreachable.length ? 1 : 0);

function summaryOf(entries: readonly Entry[]): Summary {
  let sum = Fingerprint.zero;
  let live = 0;
  let naming = 0;
  for (const entry of entries) {
    sum = sum.plus(entry.fingerprint);
    live += liveIn(entry);
    naming += namingIn(entry);
  }
  return { sum, live, naming };
}

/**
 * Several changes to the buckets of one state; buckets that nothing touches stay the same objects.
 */
export class BucketEdit {
  readonly #before: readonly Bucket[];
  #after: Bucket[] | null = null;

  constructor(before: readonly Bucket[]) {
    this.#before = before;
  }

  get(index: number): Bucket {
    return ((this.#after ?? this.#before)[index] ?? Bucket.empty) as Bucket;
  }

  set(index: number, bucket: Bucket): void {
    if (this.get(index) === bucket) return;
    this.#after ??= this.#before.slice();
    this.#after[index] = bucket;
  }

  put(entry: Entry): void {
    const index = bucketIndex(entry.key);
    this.set(index, this.get(index).put(entry));
  }

  drop(key: NodeKey): void {
    const index = bucketIndex(key);
    this.set(index, this.get(index).drop(key));
  }

  get buckets(): readonly Bucket[] {
    return this.#after ?? this.#before;
  }
}

export const noBuckets: readonly Bucket[] = Object.freeze(
  Array.from({ length: BUCKETS }, () => Bucket.empty),
);
