/**
 * How one node's exact state reaches another without sending all of it. A patch always carries the
 * digest of the state it stands for, and `apply` answers that state or nothing: the receiver merges
 * the sender's whole state in the end, which is what makes a delta as safe as a full copy (PROTOCOL
 * "Reconciliation").
 *
 *     A --patch(base: digest you told me, puts, drops)--> B     B holds the base: apply, then merge
 *     A <--64 short bucket digests----------------------- B     B does not: which buckets differ?
 *     A --patch(base: B's digest, whole buckets)--------> B     apply to B's own state, then merge
 */
import { BUCKETS, Bucket, BucketEdit, bucketIndex, noBuckets } from './bucket.js';
import { Entry } from './entry.js';
import type { Digest } from './fingerprint.js';
import { Head } from './head.js';
import type { Member } from './member.js';
import type { NodeKey } from './node-key.js';
import { State } from './state.js';

/** Members of one bucket, in place of all that the receiver has in it. */
export interface BucketContent {
  readonly index: number;
  readonly members: readonly Member[];
}

export interface Patch {
  /** The state it is applied to; null for an empty one, so that everything is in `put`. */
  readonly base: Digest | null;
  /** The state that must come out. */
  readonly digest: Digest;
  readonly clusterId: NodeKey;
  readonly epoch: number;
  readonly removed: readonly NodeKey[];
  readonly put: readonly Member[];
  readonly drop: readonly NodeKey[];
  readonly buckets: readonly BucketContent[];
}

/** What turns `base` into `target`. */
export function diff(base: State | null, target: State): Patch {
  const put: Member[] = [];
  const drop: NodeKey[] = [];
  target.buckets.forEach((bucket, index) => {
    const old = base?.buckets[index] ?? Bucket.empty;
    if (bucket === old || bucket.sum.equals(old.sum)) return;
    for (const entry of bucket.entries) {
      const known = old.get(entry.key);
      if (known !== entry && !known?.fingerprint.equals(entry.fingerprint)) put.push(entry);
    }
    for (const { key } of old.entries) if (!bucket.get(key)) drop.push(key);
  });
  return { ...patchHead(base?.digest ?? null, target), put, drop, buckets: [] };
}

/** One short digest for each bucket, for a peer to see which ones differ. */
export const bucketDigests = (state: State): readonly string[] =>
  state.buckets.map((bucket) => bucket.sum.short);

/** My buckets that differ from theirs, whole. */
export function bucketPatch(
  theirDigest: Digest,
  theirBuckets: readonly string[],
  mine: State,
): Patch {
  const buckets: BucketContent[] = [];
  mine.buckets.forEach((bucket, index) => {
    if (bucket.sum.short !== theirBuckets[index]) buckets.push({ index, members: bucket.entries });
  });
  return { ...patchHead(theirDigest, mine), put: [], drop: [], buckets };
}

const patchHead = (base: Digest | null, { clusterId, digest, epoch, removed }: State) => ({
  base,
  digest,
  clusterId,
  epoch,
  removed,
});

/**
 * The sender's state, or undefined: when the patch is for another base, or what comes out is not
 * what was promised, or could not be anybody's state. Nothing has changed then; ask for the whole.
 */
export function apply(base: State | null, patch: Patch): State | undefined {
  const ground = patch.base === null ? null : base;
  if (patch.base !== null && patch.base !== ground?.digest) return undefined;
  const edit = new BucketEdit(ground?.buckets ?? noBuckets);
  for (const { index, members } of patch.buckets) {
    const bucket = bucketOf(index, members);
    if (bucket === undefined) return undefined;
    edit.set(index, bucket);
  }
  for (const key of patch.drop) edit.drop(key);
  for (const member of patch.put) edit.put(Entry.of(member));
  const head = new Head(patch.clusterId, patch.epoch, patch.removed);
  const result = State.assemble(head, edit.buckets, ground);
  return result.digest === patch.digest && isSound(result, ground) ? result : undefined;
}

function bucketOf(index: number, members: readonly Member[]): Bucket | undefined {
  if (!Number.isInteger(index) || index < 0 || index >= BUCKETS) return undefined;
  let bucket = Bucket.empty;
  for (const member of members) {
    if (bucketIndex(member.key) !== index) return undefined;
    bucket = bucket.put(Entry.of(member));
  }
  return bucket;
}

/** What every state of section 1 obeys, asked of the parts that are new here. */
function isSound(result: State, ground: State | null): boolean {
  if (result.removed.some((key) => result.has(key))) return false;
  return result.buckets.every((bucket, index) => {
    if (bucket === ground?.buckets[index]) return true;
    return bucket.entries.every(
      ({ upNumber, row }) =>
        (upNumber === null || upNumber <= result.epoch) &&
        row.unreachable.every((subject) => result.has(subject)),
    );
  });
}
