/**
 * One member of the cluster as everybody knows it, the table of its legal moves, and who is older
 * (PROTOCOL "State"). Reachability is not a status: it follows from the rows.
 */
import { compareKeys, type NodeKey } from './node-key.js';

export type Status = 'Joining' | 'WeaklyUp' | 'Up' | 'Leaving' | 'Exiting' | 'Down' | 'Exited';

/**
 * What one observer holds against others. Only the observer writes it, so equal versions mean equal
 * content and the higher version wins. A row that became empty stays: its version must keep
 * winning.
 */
export interface Row {
  readonly version: number;
  /** In key order, only members, never the observer itself. */
  readonly unreachable: readonly NodeKey[];
  /** The observer's local health is bad: what it says convicts nobody. */
  readonly unwell: boolean;
  /** The observer reaches no quorum: what it says convicts nobody. */
  readonly cutOff: boolean;
  /** The configurations whose tie the observer breaks, by the word of the lease; see `tie.ts`. */
  readonly leases?: readonly string[];
}

export interface Member {
  readonly key: NodeKey;
  readonly status: Status;
  /**
   * The epoch of the fire that promoted it; shared by a batch, compared and never computed with.
   */
  readonly upNumber: number | null;
  readonly row: Row;
  /** Written once, by the member itself, when it introduces itself. */
  readonly roles: readonly string[];
  readonly appVersion: string;
}

export const emptyRow: Row = Object.freeze({
  version: 0,
  unreachable: Object.freeze([]),
  unwell: false,
  cutOff: false,
});

/** The status lattice of R1: merging takes the higher rank. */
export const RANK: Readonly<Record<Status, number>> = Object.freeze({
  Joining: 1,
  WeaklyUp: 2,
  Up: 3,
  Leaving: 4,
  Exiting: 5,
  Down: 6,
  Exited: 7,
});

/**
 * What may follow what in one step, be it a local change or a fire. Removal is no status: a fire
 * takes Down and Exited members out of the state. Leaving starts from Up alone (X24), and Exited is
 * the member's own word that it never votes again, so that nothing may hide it.
 */
export const NEXT: Readonly<Record<Status, readonly Status[]>> = Object.freeze({
  Joining: ['WeaklyUp', 'Up', 'Down', 'Exited'],
  WeaklyUp: ['Up', 'Down', 'Exited'],
  Up: ['Leaving', 'Down', 'Exited'],
  Leaving: ['Exiting', 'Down', 'Exited'],
  Exiting: ['Down', 'Exited'],
  Down: ['Exited'],
  Exited: [],
});

export const allows = (from: Status, to: Status): boolean => NEXT[from].includes(to);

/** Whether a member of this status has a say: the electorate of R4. */
export const isLive = (status: Status): boolean => status !== 'Down' && status !== 'Exited';

/** Whether a member belongs to the configuration a quorum is counted in (R6). */
export const isCounted = (member: Member): boolean =>
  member.upNumber !== null &&
  member.status !== 'Exited' &&
  member.status !== 'Joining' &&
  member.status !== 'WeaklyUp';

/** Oldest first: upNumber, then address, then uid; members that were never up come last. */
export function compareAge(a: Member, b: Member): number {
  const born = (member: Member) => member.upNumber ?? Number.POSITIVE_INFINITY;
  return born(a) === born(b) ? compareKeys(a.key, b.key) : born(a) - born(b);
}
