/**
 * Whose word is taken (PROTOCOL "Receiving"), and which newcomers are let in (PROTOCOL "Joining").
 * Only members that I hold live are listened to: the fork of one who is Down must not leak in
 * (X15), and what is more than one epoch away is stale or removed (X14).
 */
import { isLive } from './member.js';
import { addressOf, type NodeKey } from './node-key.js';
import type { Replica } from './replica.js';
import type { State } from './state.js';

/**
 * - `merge`: receive it.
 * - `drop`: say nothing. I take nothing in, it is of another cluster, it waits for its removal, or
 *   it does not list me.
 * - `unknown`: an introduction if it carries a valid token, else tell it NotMember with my epoch.
 * - `removed`: tell it that it was removed; also when it is Down here.
 * - `stale`: more than one epoch away; dropped without a word.
 */
export type Judgement = 'merge' | 'drop' | 'unknown' | 'removed' | 'stale';

/**
 * `inState` is null for a frame that carries no state, such as a Status; `epoch` is the sender's.
 */
export function judge(r: Replica, from: NodeKey, inState: State | null, epoch: number): Judgement {
  if (r.phase === 'exited' || r.phase === 'stopped') return 'drop';
  if (inState !== null && inState.clusterId !== r.state.clusterId) return 'drop';
  const sender = r.state.get(from);
  if (sender === undefined) return r.state.wasRemoved(from) ? 'removed' : 'unknown';
  if (sender.status === 'Exited') return 'drop';
  if (sender.status === 'Down') return 'removed';
  if (inState !== null) {
    const me = inState.get(r.self);
    if (me === undefined || !isLive(me.status)) return 'drop';
  }
  return Math.abs((inState?.epoch ?? epoch) - r.state.epoch) > 1 ? 'stale' : 'merge';
}

/**
 * Whether a NotMember notice ends this node (PROTOCOL "Receiving", S2). A member I do not hold live
 * cannot tell me. A node of an epoch at or past my own number knew me once, so if I am unknown
 * there I was removed, even though the tombstone is long gone; a joiner that is unknown there may
 * simply not be known yet.
 */
export function heedsNotice(r: Replica, from: NodeKey, removed: boolean, epoch: number): boolean {
  if (r.phase !== 'member' && r.phase !== 'exited') return false;
  const sender = r.state.get(from);
  if (sender === undefined || !isLive(sender.status)) return false;
  const born = r.state.get(r.self)?.upNumber ?? null;
  return removed || (born !== null && epoch >= born);
}

/**
 * - `receive`: the token is used up; take the newcomer's state in and answer.
 * - `welcome`: another epoch than mine: send my state again with the same token (X11).
 * - `refuse`: I am not Up, or cut off, the address is held, or this very run was removed (X10, X12).
 */
export type Introduction = 'receive' | 'welcome' | 'refuse';

/** For the acceptor that issued the token, when the newcomer's first gossip arrives. */
export function judgeIntroduction(r: Replica, from: NodeKey, inState: State): Introduction {
  if (!mayIntroduce(r, from) || inState.clusterId !== r.state.clusterId) return 'refuse';
  if (inState.get(from)?.status !== 'Joining') return 'refuse';
  return inState.epoch === r.state.epoch ? 'receive' : 'welcome';
}

/**
 * Whether a newcomer may be welcomed here: I am Up and not cut off, and no run of its address is a
 * member. One that is cut off could promote nobody; and a newcomer's links are unbroken, so it would
 * take itself for a way back, and its own fate would begin anew with each one.
 */
export function mayIntroduce(r: Replica, newcomer: NodeKey): boolean {
  const me = r.state.get(r.self);
  if (r.phase !== 'member' || me?.status !== 'Up' || me.row.cutOff) return false;
  return !r.state.wasRemoved(newcomer) && holdersOf(r.state, addressOf(newcomer)).length === 0;
}

/**
 * The members that hold an address: at most one live one, and old runs that wait for removal (R13).
 */
export const holdersOf = (state: State, address: string): readonly NodeKey[] =>
  state.buckets.flatMap(({ entries }) =>
    entries.filter(({ key }) => addressOf(key) === address).map(({ key }) => key),
  );
