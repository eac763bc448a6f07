/**
 * How a newcomer starts (PROTOCOL "Joining"): it enters itself into its own copy of the acceptor's
 * state and shows that to the acceptor, which has not written it down before (X10).
 *
 *     J --Join-----------> A
 *     J <--Welcome{S_A}--- A     A's state does not change
 *     J --S_A + J:Joining-> A    judgeIntroduction: same epoch -> receive
 *     J <--any gossip----- A     lists J: J is a member and has a say
 *
 * Another acceptor, or another attempt, is another uid (X12). A fresh Welcome from the same
 * acceptor, with a strictly higher epoch, replaces the private copy: nobody relies on it yet.
 */
import { emptyRow } from './member.js';
import type { Replica } from './replica.js';
import { Seen } from './seen.js';
import type { Introduced, State } from './state.js';

/** The newcomer's private replica. Its key must be fresh: neither member nor removed there. */
export function introduce(acceptor: State, me: Introduced): Replica {
  const state = acceptor.with({ ...me, status: 'Joining', upNumber: null, row: emptyRow });
  return { self: me.key, phase: 'introducing', state, seen: Seen.only(state, me.key) };
}
