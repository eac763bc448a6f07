/**
 * The runtime assertions of PROTOCOL "Invariants", on in production: they cost what changed, and a
 * node that finds one broken is better stopped than wrong.
 */
import { assert } from './assert.js';
import { Bucket } from './bucket.js';
import { isLive, RANK } from './member.js';
import type { Replica } from './replica.js';
import type { State } from './state.js';

/**
 * `prev` is null for a node's first state, and for a newcomer whose private copy was replaced by a
 * fresh Welcome: only then may anything go back.
 */
export function assertInvariants(prev: Replica | null, next: Replica): void {
  if (prev?.state === next.state && prev.seen === next.seen) return;
  assert(next.seen.isOf(next.state), 'seen is about the state held (R3)');
  const index = next.state.electorateIndex(next.self);
  assert(index < 0 || next.seen.has(index), 'a voter has seen the state it holds');
  if (prev?.state === next.state) return;
  assertState(next.state, prev?.state ?? null);
  if (prev) assertForward(prev.state, next.state);
}

function assertState(state: State, before: State | null): void {
  assert(!state.removed.some((key) => state.has(key)), 'nobody is both member and removed (I2)');
  state.buckets.forEach((bucket, index) => {
    if (bucket === before?.buckets[index]) return;
    for (const { upNumber } of bucket.entries) {
      assert(upNumber === null || upNumber <= state.epoch, 'no upNumber is ahead of the epoch');
    }
  });
}

/** I1 and the local part of I2: nothing goes back, and nobody vanishes without a removal. */
function assertForward(before: State, after: State): void {
  assert(before.epoch <= after.epoch, 'the epoch never goes down (I1)');
  assert(!before.removed.some((key) => after.has(key)), 'a removed member stays removed (I2)');
  after.buckets.forEach((bucket, index) => {
    const old = before.buckets[index] ?? Bucket.empty;
    if (bucket === old) return;
    for (const entry of old.entries) {
      const now = bucket.get(entry.key);
      if (now === undefined) {
        const isKnown = after.epoch > before.epoch + 1 || after.wasRemoved(entry.key);
        assert(isKnown, 'whoever is gone was removed (I2)');
        continue;
      }
      assert(RANK[entry.status] <= RANK[now.status], 'a status never goes down (I1)');
      const kept = entry.upNumber === null || entry.upNumber === now.upNumber;
      assert(kept, 'an upNumber never changes once set (I1)');
    }
  });
}

/** What two mutually live members of one epoch must agree on (I4): their upNumbers. */
export function assertAgreement(a: State, b: State): void {
  if (a.epoch !== b.epoch) return;
  for (const { key, upNumber, status } of a.members) {
    const other = b.get(key);
    if (!other || !isLive(status) || !isLive(other.status)) continue;
    assert(upNumber === other.upNumber, 'members of one epoch hold the same upNumbers (I4)');
  }
}
