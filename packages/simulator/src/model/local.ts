/**
 * All there is to know about one process: its replica as shipped, and beside it what a checker must
 * remember: whom its history has removed, whose Welcome it follows, what it has decided.
 */
import { isLive, type NodeKey, type Phase, type Replica } from '@rollcall/convergence';
import type { Complaint } from './complaint.js';

/**
 * `off`: not started. `gone`: crashed or stopped, for whatever reason; nothing tells these apart.
 */
type Stage = 'off' | 'gone' | Exclude<Phase, 'stopped'>;

export interface Local {
  readonly stage: Stage;
  /** Null when off or gone. */
  readonly replica: Replica | null;
  /** Ghost: whom this history has removed, itself or by what it merged; a mask of processes. */
  readonly removed: number;
  /** The process whose token a newcomer holds, or -1. */
  readonly acceptor: number;
  /** The token was used: the acceptor has let it in, whether or not the newcomer knows. */
  readonly accepted: boolean;
  /** Ghost: who stays by its last decision at this epoch, or 0. */
  readonly decided: number;
  /** What the step to this value has broken. */
  readonly wrong: Complaint | null;
}

export const OFF: Local = Object.freeze({
  stage: 'off',
  replica: null,
  removed: 0,
  acceptor: -1,
  accepted: false,
  decided: 0,
  wrong: null,
});

/** A token that was not used outlives its bearer if one of its messages does. */
export const goneFrom = (local: Local, outlives: boolean): Local => ({
  ...OFF,
  stage: 'gone',
  acceptor: outlives && !local.accepted ? local.acceptor : -1,
});

/** The local value with this replica; a stopped one is gone. */
export function withReplica(local: Local, replica: Replica, removed = 0): Local {
  if (replica.phase === 'stopped') return goneFrom(local, false);
  const isSameEpoch = replica.state.epoch === local.replica?.state.epoch;
  // Who is a member and was let in needs its token no more.
  const isSettled = replica.phase === 'member' && local.accepted;
  return {
    ...local,
    stage: replica.phase,
    replica,
    removed: local.removed | removed,
    acceptor: isSettled ? -1 : local.acceptor,
    accepted: isSettled ? false : local.accepted,
    decided: isSameEpoch ? local.decided : 0,
    wrong: null,
  };
}

export const runs = ({ stage }: Local): boolean => stage !== 'off' && stage !== 'gone';

export const holdsLive = ({ replica }: Local, key: NodeKey): boolean => {
  const status = replica?.state.get(key)?.status;
  return status !== undefined && isLive(status);
};
