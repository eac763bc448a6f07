/**
 * Convergence, and the one function that moves the cluster on (PROTOCOL "Convergence"). Everybody
 * who observes convergence applies `f` alone; because it looks at the state and nothing else, all
 * get the same next state, and a fire costs no transfer (X20).
 */
import { accusations } from './accusations.js';
import { assert } from './assert.js';
import { BucketEdit } from './bucket.js';
import { Head } from './head.js';
import { isLive, type Member, type Status } from './member.js';
import type { NodeKey } from './node-key.js';
import { electorateIsQuorate, isEnrolled, type Rules } from './quorum.js';
import type { Seen } from './seen.js';
import { State } from './state.js';

/** R5: all of L have seen exactly this state, nobody in L is accused, and L is quorate. */
export function converged(state: State, seen: Seen, rules: Rules): boolean {
  assert(seen.isOf(state), 'convergence is asked of the state that was seen');
  return (
    seen.isAll && accusations(state, rules).pairs.length === 0 && electorateIsQuorate(state, rules)
  );
}

/** The state after a fire, or null when there is nothing to do. Worked out once per state. */
export const f = (state: State, rules: Rules): State | null =>
  state.recollection.recall('f', rules, () => fire(state, rules));

function fire(state: State, rules: Rules): State | null {
  const removed = state.members.filter(({ status }) => !isLive(status)).map(({ key }) => key);
  const promoted = promotions(state, rules);
  const leaving = state.members.filter(({ status }) => status === 'Leaving');
  const isEffective = removed.length + promoted.length + leaving.length > 0;
  if (!isEffective && !hasUncommitted(state)) return null;

  const epoch = state.epoch + 1;
  const edit = new BucketEdit(state.buckets);
  const put = ({ key }: Member, change: { status: Status; upNumber?: number }) => {
    const entry = state.entry(key);
    if (entry) edit.put(entry.with(change));
  };
  // One number for the whole batch: f stays monotone whoever else is joining (X18, X19).
  for (const member of promoted) put(member, { status: 'Up', upNumber: epoch });
  for (const member of leaving) put(member, { status: 'Exiting' });
  for (const key of removed) edit.drop(key);
  if (removed.length > 0) forget(edit, removed);
  const head = new Head(state.clusterId, epoch, removed);
  return State.assemble(head, edit.buckets, state);
}

/**
 * Who goes up: every Joining and WeaklyUp member. Under static-quorum only until 2Q - 1 are
 * counted, in key order, because two sets of Q are disjoint in anything larger (PROTOCOL "Quorum").
 */
function promotions(state: State, rules: Rules): readonly Member[] {
  const arrived = ({ status }: Member) => status === 'Joining' || status === 'WeaklyUp';
  const waiting = state.members.filter(arrived);
  if (rules.strategy !== 'static-quorum') return waiting;
  const votes = (member: Member) => rules.role === null || member.roles.includes(rules.role);
  const voters = state.electorate.filter((member) => isEnrolled(member, rules)).length;
  let room = 2 * rules.quorum - 1 - voters;
  return waiting.filter((member) => {
    if (!votes(member)) return true;
    room -= 1;
    return room >= 0;
  });
}

/** The last fire promoted somebody who is still here: an empty fire commits it (X17). */
const hasUncommitted = (state: State): boolean =>
  state.members.some(({ upNumber, status }) => upNumber === state.epoch && isLive(status));

/** Rows name members only; their versions stay, as every node forgets the same names. */
function forget(edit: BucketEdit, removed: readonly NodeKey[]): void {
  const gone = new Set(removed);
  edit.buckets.forEach((bucket) => {
    if (bucket.naming === 0) return;
    for (const entry of bucket.entries) edit.put(entry.withoutNames((key) => gone.has(key)));
  });
}
