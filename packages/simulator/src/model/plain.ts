/**
 * The rules once more, as plainly as PROTOCOL writes them, with each part open to be left out or
 * exchanged: what the variants are made of. Never part of what ships.
 */
import {
  accusations,
  change,
  compareKeys,
  type Downing,
  isLive,
  type Member,
  type NodeKey,
  RANK,
  type Replica,
  type Rules,
  Seen,
  State,
  wins,
} from '@rollcall/convergence';
import type { RulesUnderTest } from './rules-under-test.js';

export type Quorate = (state: State, stayers: ReadonlySet<NodeKey>, rules: Rules) => boolean;

export interface QuorumParts {
  readonly counted: (member: Member) => boolean;
  /** The configuration before an uncommitted promotion is asked too (R6). */
  readonly joint: boolean;
  /** Who is counted when nobody would be (R14); null: then nobody is quorate. */
  readonly whenEmpty: ((state: State) => readonly Member[]) | null;
}

const COUNTED = new Set(['Up', 'Leaving', 'Exiting', 'Down']);

export const isCounted = ({ upNumber, status }: Member): boolean =>
  upNumber !== null && COUNTED.has(status);

export const quorum = (parts: Partial<QuorumParts>): Quorate => {
  const { counted, joint, whenEmpty } = {
    counted: isCounted,
    joint: true,
    whenEmpty: null,
    ...parts,
  };
  return (state, stayers, rules) => {
    const now = state.members.filter(counted);
    if (now.length === 0) {
      if (whenEmpty === null) return false;
      const others = whenEmpty(state);
      return others.length === 0 || wins(stayers, others, rules);
    }
    const before = now.filter(({ upNumber }) => upNumber !== null && upNumber < state.epoch);
    const wonBefore = !joint || before.length === 0 || wins(stayers, before, rules);
    return wins(stayers, now, rules) && wonBefore;
  };
};

export interface ConvergedParts {
  /** Whose having seen it is waited for, and who votes. */
  readonly votes: (member: Member) => boolean;
  readonly quorate: Quorate;
  readonly blockedByAccusations: boolean;
}

export const convergence = (parts: Partial<ConvergedParts>): RulesUnderTest['converged'] => {
  const { votes, quorate, blockedByAccusations } = {
    votes: () => true,
    quorate: quorum({}),
    blockedByAccusations: true,
    ...parts,
  };
  return (state, seen, rules) => {
    const voters = state.electorate.filter(votes).map(({ key }) => key);
    const isBlocked = blockedByAccusations && accusations(state, rules).pairs.length > 0;
    const haveSeen = voters.every((key) => seen.hasKey(state, key));
    return haveSeen && !isBlocked && quorate(state, new Set(voters), rules);
  };
};

export interface FireParts {
  readonly isRemoved: (member: Member) => boolean;
  readonly isPromoted: (member: Member, seen: Seen, state: State) => boolean;
  /** The numbers of those who are promoted, in key order. */
  readonly numbers: (state: State, count: number) => readonly number[];
  readonly leavingBecomes: 'Exiting' | 'Exited';
  readonly epoch: (state: State) => number;
  readonly remembers: boolean;
  readonly commits: boolean;
}

const isArrived = ({ status }: Member): boolean => status === 'Joining' || status === 'WeaklyUp';

const FIRE: FireParts = {
  isRemoved: ({ status }) => !isLive(status),
  isPromoted: () => true,
  numbers: (state, count) => Array.from({ length: count }, () => state.epoch + 1),
  leavingBecomes: 'Exiting',
  epoch: (state) => state.epoch + 1,
  remembers: true,
  commits: true,
};

/** `f` without static-quorum's limit, which no variant is about. */
export const firing = (parts: Partial<FireParts>): RulesUnderTest['f'] => {
  const all = { ...FIRE, ...parts };
  return (state, _rules, seen) => {
    const removed = state.members.filter(all.isRemoved).map(({ key }) => key);
    const rest = state.members.filter((member) => !all.isRemoved(member));
    const rising = rest.filter((m) => isArrived(m) && all.isPromoted(m, seen, state));
    const leaving = rest.filter(({ status }) => status === 'Leaving');
    const isCommit =
      all.commits && rest.some((m) => m.upNumber === state.epoch && isLive(m.status));
    if (removed.length + rising.length + leaving.length === 0 && !isCommit) return null;
    const numbers = all.numbers(state, rising.length);
    const members = rest.map((member): Member => {
      const place = rising.indexOf(member);
      if (place >= 0) return { ...member, status: 'Up', upNumber: numbers[place] ?? 0 };
      return leaving.includes(member) ? { ...member, status: all.leavingBecomes } : member;
    });
    const { clusterId } = state;
    return State.from({
      clusterId,
      epoch: all.epoch(state),
      members,
      removed: all.remembers ? removed : [],
    });
  };
};

/** As PROTOCOL writes it, for states of any distance and any cluster. */
export function plainMerge(a: State, b: State): State {
  const gone = new Set([...a.removed, ...b.removed]);
  const keys = new Set([...a.members, ...b.members].map(({ key }) => key));
  const members = [...keys]
    .filter((key) => !gone.has(key))
    .map((key) => mergeMembers(a.get(key), b.get(key)));
  const later = a.epoch > b.epoch ? a.removed : b.removed;
  const removed = a.epoch === b.epoch ? [...gone] : later;
  const clusterId = compareKeys(a.clusterId, b.clusterId) < 0 ? a.clusterId : b.clusterId;
  return State.from({ clusterId, epoch: Math.max(a.epoch, b.epoch), members, removed });
}

function mergeMembers(mine: Member | undefined, theirs: Member | undefined): Member {
  if (mine === undefined || theirs === undefined) return (mine ?? theirs) as Member;
  const [a, b] = [mine.upNumber, theirs.upNumber];
  return {
    ...mine,
    status: RANK[mine.status] >= RANK[theirs.status] ? mine.status : theirs.status,
    upNumber: a === null ? b : b === null ? a : Math.min(a, b),
    row: mine.row.version >= theirs.row.version ? mine.row : theirs.row,
  };
}

/** Claims by key, of those who have a vote in this state. */
export function seenOf(state: State, keys: Iterable<NodeKey>): Seen {
  return [...keys].reduce((seen, key) => seen.union(Seen.only(state, key)), Seen.only(state, ''));
}

const claimants = (state: State, seen: Seen): readonly NodeKey[] =>
  state.electorateKeys.filter((_, index) => seen.has(index));

export interface ReceiveParts {
  readonly merge: (a: State, b: State) => State;
  /** Claims about other content are kept (X21). */
  readonly carriesSeen: boolean;
  readonly whileExited: boolean;
}

export const receiving =
  (parts: Partial<ReceiveParts>): RulesUnderTest['receive'] =>
  (r, inState, inSeen) => {
    if (r.phase === 'stopped' || (r.phase === 'exited' && !parts.whileExited)) return r;
    const merged = (parts.merge ?? plainMerge)(r.state, inState);
    const mine = merged.equals(r.state);
    const theirs = merged.equals(inState);
    const keys = new Set<NodeKey>();
    const keep = (state: State, seen: Seen) => {
      for (const key of claimants(state, seen)) keys.add(key);
    };
    if (mine || parts.carriesSeen) keep(r.state, r.seen);
    if (theirs || parts.carriesSeen) keep(inState, inSeen);
    if (theirs || !mine) keys.add(r.self);
    const phase = r.phase === 'introducing' && inState.has(r.self) ? 'member' : r.phase;
    const next: Replica = { ...r, phase, state: merged, seen: seenOf(merged, keys) };
    const same = mine && phase === r.phase && next.seen.count === r.seen.count;
    return same ? r : next;
  };

/** `settle` over another `converged` and another `f`. */
export const settling =
  (converged: RulesUnderTest['converged'], f: RulesUnderTest['f']): RulesUnderTest['settle'] =>
  (r, rules) => {
    const fired: State[] = [];
    let replica = r;
    for (;;) {
      const status = replica.state.get(replica.self)?.status;
      const isGone = status === undefined || status === 'Down';
      if (isGone && replica.phase !== 'exited') {
        return { replica: { ...replica, phase: 'stopped' }, fired };
      }
      const votes = replica.phase === 'member' && status !== undefined && isLive(status);
      const { state, seen } = replica;
      const next = votes && converged(state, seen, rules) ? f(state, rules, seen) : null;
      if (next === null) return { replica, fired };
      fired.push(next);
      replica = change(replica, next);
    }
  };

/** Who stays (PROTOCOL "Downing") over another notion of a quorum. */
function deciding(quorate: Quorate): (state: State, rules: Rules) => Set<NodeKey> | null {
  return (state, rules) => {
    const { pairs, accused, accusers } = accusations(state, rules);
    const everybody = state.electorateKeys;
    for (const leaving of [accused, accusers]) {
      const stayers = new Set(everybody.filter((key) => !leaving.has(key)));
      if (pairs.length === 0 || quorate(state, stayers, rules)) return stayers;
    }
    return null;
  };
}

/** PROTOCOL "Downing", over another notion of a quorum and without the third candidate. */
export function downingBy(quorate: Quorate): RulesUnderTest['downing'] {
  const decide = deciding(quorate);
  return (r, rules): Downing => {
    const { accused } = accusations(r.state, rules);
    if (r.phase !== 'member' || accused.size === 0 || r.state.electorateIndex(r.self) < 0) {
      return { kind: 'wait' };
    }
    const stayers = decide(r.state, rules);
    const heard = r.state.electorateKeys.filter((key) => !accused.has(key));
    const haveSeen = (keys: Iterable<NodeKey>) =>
      [...keys].every((key) => r.seen.hasKey(r.state, key));
    if (stayers === null) {
      return haveSeen(heard) ? { kind: 'stop', reason: 'notQuorate' } : { kind: 'wait' };
    }
    if (!stayers.has(r.self)) {
      const deciding = heard.filter((key) => stayers.has(key));
      return haveSeen(deciding) ? { kind: 'stop', reason: 'minority' } : { kind: 'wait' };
    }
    if (!haveSeen(stayers)) return { kind: 'wait' };
    const leaving = r.state.electorate.filter(({ key }) => !stayers.has(key));
    const state = leaving.reduce((s, member) => s.with({ ...member, status: 'Down' }), r.state);
    return { kind: 'down', subjects: leaving.map(({ key }) => key), replica: change(r, state) };
  };
}
