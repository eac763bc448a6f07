/**
 * One node's half of the rules as a value: what it holds, who it knows to hold the same, and
 * whether it has a say (PROTOCOL "Seen", "Convergence"). No clock, no link: whoever drives it (the
 * membership machine, a model checker) decides what arrives and when, and calls exactly what ships.
 */

import type { Digest } from './fingerprint.js';
import { isLive } from './member.js';
import { merge } from './merge.js';
import type { NodeKey } from './node-key.js';
import type { Rules } from './quorum.js';
import { Seen } from './seen.js';
import type { State } from './state.js';
import { converged, f } from './transition.js';

/**
 * `introducing`: in its own state alone, passive until somebody lists it. `exited`: has said that
 * it never votes again and only repeats that. `stopped`: absent or Down in its own state.
 */
export type Phase = 'introducing' | 'member' | 'exited' | 'stopped';

export interface Replica {
  readonly self: NodeKey;
  readonly phase: Phase;
  readonly state: State;
  readonly seen: Seen;
}

/** A member with this state, seen by itself only: the founder, or whoever a test puts there. */
export const replicaOf = (self: NodeKey, state: State): Replica => ({
  self,
  phase: 'member',
  state,
  seen: Seen.only(state, self),
});

/** A local change: new content, which only this node has seen (X21). */
export const change = (r: Replica, state: State): Replica =>
  state === r.state ? r : { ...r, state, seen: Seen.only(state, r.self) };

/**
 * Another member's state, once `judge` said 'merge' (PROTOCOL "Seen"). Claims are kept only where
 * the content stayed what they are about: mine if nothing was new to me, theirs if I now hold
 * exactly theirs, both if it is the same. An introducing node that is told of itself has arrived.
 * An exited or stopped one takes nothing in (R8).
 */
export function receive(r: Replica, inState: State, inSeen: Seen): Replica {
  if (r.phase === 'exited' || r.phase === 'stopped') return r;
  const state = merge(r.state, inState);
  const mine = state === r.state;
  const theirs = state === inState || state.equals(inState);
  const own = () => Seen.only(state, r.self);
  const seen = theirs ? (mine ? r.seen : own()).union(inSeen).union(own()) : mine ? r.seen : own();
  return updated(r, arrivedPhase(r, inState), state, seen);
}

/** A Status with my exact digest: the same content, so the claims add up. */
export function noteSeen(r: Replica, digest: Digest, inSeen: Seen): Replica {
  if (r.phase === 'exited' || r.phase === 'stopped' || digest !== r.state.digest) return r;
  return updated(r, arrivedPhase(r, r.state), r.state, r.seen.union(inSeen));
}

/**
 * Whoever gossips to me holds a state that lists me (`judge`), so I was accepted (PROTOCOL
 * "Joining").
 */
const arrivedPhase = (r: Replica, inState: State): Phase =>
  r.phase === 'introducing' && inState.has(r.self) ? 'member' : r.phase;

const updated = (r: Replica, phase: Phase, state: State, seen: Seen): Replica =>
  phase === r.phase && state === r.state && seen === r.seen ? r : { ...r, phase, state, seen };

export interface Settled {
  readonly replica: Replica;
  /** The states this node fired, in order; other members fire the same on their own. */
  readonly fired: readonly State[];
}

/**
 * To be called with every change, in the same breath: fires until nothing is left to do. A node
 * that finds itself absent or Down in its own state stops: no vote, no further gossip (PROTOCOL
 * "When a node stops itself", S1).
 */
export function settle(r: Replica, rules: Rules): Settled {
  if (r.phase === 'exited' || r.phase === 'stopped') return { replica: r, fired: [] };
  const fired: State[] = [];
  let replica = r;
  for (;;) {
    const status = replica.state.get(replica.self)?.status;
    if (status === undefined || status === 'Down') {
      return { replica: { ...replica, phase: 'stopped' }, fired };
    }
    const votes = replica.phase === 'member' && isLive(status);
    if (!votes || !converged(replica.state, replica.seen, rules)) return { replica, fired };
    const next = f(replica.state, rules);
    if (next === null) return { replica, fired };
    fired.push(next);
    replica = change(replica, next);
  }
}
