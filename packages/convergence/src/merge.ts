/**
 * The join of two states (PROTOCOL "Merge"): commutative, associative and idempotent on all states
 * that really meet, which are at most one epoch apart. Buckets with equal sums are taken as they
 * are, so two equal states cost one comparison and two that differ in one entry cost one bucket.
 */
import { assert } from './assert.js';
import { Bucket } from './bucket.js';
import type { Entry } from './entry.js';
import { Head } from './head.js';
import { RANK } from './member.js';
import type { NodeKey } from './node-key.js';
import { State } from './state.js';

/** `a` itself if `b` brings nothing, `b` itself if that is what comes out. */
export function merge(a: State, b: State): State {
  if (a.equals(b)) return a;
  assert(a.clusterId === b.clusterId, 'only states of one cluster are merged');
  assert(Math.abs(a.epoch - b.epoch) <= 1, 'merged states are at most one epoch apart');
  const gone = new Set([...a.removed, ...b.removed]);
  let changed = false;
  const buckets = a.buckets.map((bucket, index) => {
    const merged = mergeBuckets(bucket, b.buckets[index] as Bucket, gone);
    if (merged !== bucket) changed = true;
    return merged;
  });
  const head = mergeHeads(a.head, b.head, gone);
  if (!changed && head === a.head) return a;
  const merged = State.assemble(head, changed ? buckets : a.buckets, a);
  return merged.equals(b) ? b : merged;
}

/**
 * The later epoch's removals; those of one epoch are united. Older ones are forgotten here (R10).
 */
function mergeHeads(a: Head, b: Head, gone: ReadonlySet<NodeKey>): Head {
  if (a.epoch !== b.epoch) return a.epoch > b.epoch ? a : b;
  if (gone.size === a.removed.length) return a;
  if (gone.size === b.removed.length) return b;
  return new Head(a.clusterId, a.epoch, gone);
}

/**
 * Equal buckets hold nobody who is gone, and name nobody who is: a state never holds whom it
 * removed, and its rows name only whom it holds.
 */
function mergeBuckets(a: Bucket, b: Bucket, gone: ReadonlySet<NodeKey>): Bucket {
  if (a === b || a.sum.equals(b.sum)) return a;
  const entries: Entry[] = [];
  const keep = (entry: Entry) => {
    if (gone.has(entry.key)) return;
    entries.push(gone.size === 0 ? entry : entry.withoutNames((key) => gone.has(key)));
  };
  let j = 0;
  for (const mine of a.entries) {
    while (j < b.entries.length && (b.entries[j] as Entry).key < mine.key) {
      keep(b.entries[j] as Entry);
      j += 1;
    }
    const theirs = b.entries[j];
    if (theirs?.key === mine.key) {
      keep(mergeEntries(mine, theirs));
      j += 1;
    } else keep(mine);
  }
  for (; j < b.entries.length; j += 1) keep(b.entries[j] as Entry);
  return sharing(entries, a, b);
}

/** One of the two buckets again, if that is what came out. */
function sharing(entries: readonly Entry[], a: Bucket, b: Bucket): Bucket {
  for (const { entries: old } of [a, b]) {
    if (entries.length === old.length && entries.every((entry, i) => entry === old[i])) {
      return old === a.entries ? a : b;
    }
  }
  return Bucket.of(entries);
}

/** Higher status, the number that is set, the newer row; one of the two objects where possible. */
function mergeEntries(mine: Entry, theirs: Entry): Entry {
  if (mine === theirs || mine.fingerprint.equals(theirs.fingerprint)) return mine;
  const status = RANK[mine.status] >= RANK[theirs.status] ? mine.status : theirs.status;
  const row = mine.row.version >= theirs.row.version ? mine.row : theirs.row;
  const upNumber = mergeNumbers(mine.upNumber, theirs.upNumber);
  if (status === mine.status && row === mine.row && upNumber === mine.upNumber) return mine;
  const rowIsTheirs = row.version === theirs.row.version;
  if (status === theirs.status && rowIsTheirs && upNumber === theirs.upNumber) {
    return theirs.inherit(mine);
  }
  return mine.with({ status, upNumber, row });
}

/** Two numbers for one member never occur (I4); the lower one keeps the law all the same. */
const mergeNumbers = (a: number | null, b: number | null): number | null =>
  a === null ? b : b === null ? a : Math.min(a, b);
