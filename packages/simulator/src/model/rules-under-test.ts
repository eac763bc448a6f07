/**
 * The rules as the checker calls them, in one object of functions. The default is what ships and
 * nothing else; a variant leaves one rule out (PROTOCOL "Counterexamples") and lives in this folder
 * alone.
 */
import {
  addressOf,
  assertInvariants,
  beginLeave,
  converged,
  declareExited,
  downing,
  f,
  heedsNotice,
  holdersOf,
  type Introduced,
  introduce,
  isCutOff,
  isLive,
  judge,
  judgeIntroduction,
  type Member,
  markDown,
  mayIntroduce,
  merge,
  type NodeKey,
  noteSeen,
  type Replica,
  type Rules,
  receive,
  type Seen,
  type Settled,
  type State,
  setRow,
  settle,
  setWeaklyUp,
} from '@rollcall/convergence';

export interface RulesUnderTest {
  readonly judge: typeof judge;
  readonly heedsNotice: typeof heedsNotice;
  readonly mayIntroduce: typeof mayIntroduce;
  readonly judgeIntroduction: typeof judgeIntroduction;
  /** What a newcomer makes of a Welcome (PROTOCOL "Joining"). */
  introduce(acceptor: Replica, me: Introduced): Replica;
  /** What an acceptor does with a request to join before it answers (R13). */
  asked(r: Replica, newcomer: NodeKey): Replica;
  readonly merge: typeof merge;
  receive(r: Replica, inState: State, inSeen: Seen): Replica;
  /** The same for a Status of the same digest; null where a variant receives otherwise. */
  readonly noteSeen: typeof noteSeen | null;
  converged(state: State, seen: Seen, rules: Rules): boolean;
  /** `seen` is for the variant that must not look at it and does (X20). */
  f(state: State, rules: Rules, seen: Seen): State | null;
  settle(r: Replica, rules: Rules): Settled;
  readonly markDown: typeof markDown;
  readonly beginLeave: typeof beginLeave;
  readonly declareExited: typeof declareExited;
  readonly setRow: typeof setRow;
  readonly setWeaklyUp: typeof setWeaklyUp;
  readonly downing: typeof downing;
  readonly isCutOff: typeof isCutOff;
  readonly assertInvariants: typeof assertInvariants;
  /** Whether an exited node may go once this listener has answered it (X07). */
  isFarewellOver(exited: Replica, listener: State): boolean;
  /** Whether another attempt to join is made under the same uid (X12). */
  readonly retriesAsItself: boolean;
  /** Who has a vote: whom I5 asks whether it has seen what is fired (R4). */
  readonly isVoter: (member: Member) => boolean;
}

/** An older run of the address is marked Down and still counts until it is removed (R13, X08). */
function downHolder(r: Replica, newcomer: NodeKey): Replica {
  const holders = holdersOf(r.state, addressOf(newcomer));
  const old = holders.find((key) => isLive(r.state.get(key)?.status ?? 'Down'));
  return old === undefined || old === newcomer ? r : markDown(r, old);
}

export const shipped: RulesUnderTest = Object.freeze({
  judge,
  heedsNotice,
  mayIntroduce,
  judgeIntroduction,
  introduce: (acceptor: Replica, me: Introduced) => introduce(acceptor.state, me),
  asked: downHolder,
  merge,
  receive,
  noteSeen,
  converged,
  f,
  settle,
  markDown,
  beginLeave,
  declareExited,
  setRow,
  setWeaklyUp,
  downing,
  isCutOff,
  assertInvariants,
  isFarewellOver: () => false,
  retriesAsItself: false,
  isVoter: ({ status }: Member) => isLive(status),
});
