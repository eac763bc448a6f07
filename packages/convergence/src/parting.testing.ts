/**
 * A partition in one line: `part('A:Up1 B:Up2 C:Up3', 'AB|C', rules)` is what becomes of everybody
 * when each side holds all others unreachable and has agreed on that. Whoever is on no side has
 * crashed. Sides may hold different states: then there is a line for each.
 */
import { keyOf } from './cluster.testing.js';
import {
  accusations,
  contenders,
  type Digest,
  downing,
  isLive,
  type Member,
  quorate,
  type Replica,
  type Rules,
  reach,
  replicaOf,
  Seen,
  type State,
  ties,
} from './index.js';
import { namesOf, parse, setOf } from './table.testing.js';

export interface Parting {
  /** Who goes on, of all sides. */
  readonly stay: string;
  /** Whom those who go on mark Down. */
  readonly down: string;
}

/** To whom the lease is granted, if anybody asks; nobody if it cannot be reached. */
export type Grantee = string | null;

export function part(
  views: string | readonly string[],
  cut: string,
  rules: Rules,
  grantee: Grantee = null,
): Parting {
  const stay: string[] = [];
  const down = new Set<string>();
  cut.split('|').forEach((side, at) => {
    const state = heldBy(side, parse(typeof views === 'string' ? views : (views[at] as string)));
    for (const name of side) {
      const fate = fateOf(replicaAt(name, side, state), side, rules, grantee);
      if (fate === 'goes') continue;
      stay.push(name);
      for (const key of fate) down.add(key);
    }
  });
  const left = stay.filter((name) => !down.has(keyOf(name)));
  return { stay: left.sort().join(''), down: namesOf([...down].sort()) };
}

/** Each voter of a side names everybody who is not on it, beside whom its row names anyway. */
function heldBy(side: string, state: State): State {
  const here = setOf(side);
  const lost = state.electorateKeys.filter((key) => !here.has(key));
  const name = (s: State, member: Member): State => {
    if (!here.has(member.key)) return s;
    const unreachable = [...new Set([...member.row.unreachable, ...lost])];
    return s.with({ ...member, row: { ...member.row, unreachable } });
  };
  return state.electorate.reduce(name, state);
}

function replicaAt(name: string, side: string, state: State): Replica {
  const seen = [...setOf(side)].map((key) => Seen.only(state, key));
  const replica = replicaOf(keyOf(name), state);
  return { ...replica, seen: seen.reduce((all, one) => all.union(one), replica.seen) };
}

/** Whom it marks Down, if it stays. */
function fateOf(
  r: Replica,
  side: string,
  rules: Rules,
  grantee: Grantee,
): readonly string[] | 'goes' {
  const status = r.state.get(r.self)?.status;
  if (status === undefined || !isLive(status)) return 'goes';
  const answer = downing(r, rules);
  switch (answer.kind) {
    case 'down':
      return answer.subjects;
    case 'stop':
      return 'goes';
    case 'claim':
    case 'wait': {
      // One without a vote asks nobody, and is told by the row of one who has.
      const half = contenders(r.state, rules);
      return half?.has(r.self) ? afterAsking(r, side, rules, half, grantee) : waiting(r, rules);
    }
  }
}

function afterAsking(
  r: Replica,
  side: string,
  rules: Rules,
  half: ReadonlySet<string>,
  grantee: Grantee,
): readonly string[] | 'goes' {
  if (grantee === null || !half.has(keyOf(grantee))) return 'goes';
  const asked = ties(r.state, half, rules).map(({ id }) => id);
  const granted = grant(r.state, keyOf(grantee), asked);
  return fateOf(replicaAt(namesOf([r.self]), side, granted), side, rules, null);
}

/** The state in which a member says what it was granted. */
export function grant(state: State, key: string, leases: readonly Digest[]): State {
  const member = state.get(key) as Member;
  return state.with({ ...member, row: { ...member.row, version: 99, leases } });
}

/** It does nothing: by its own fate it stays if it reaches a quorum. */
function waiting(r: Replica, rules: Rules): readonly string[] | 'goes' {
  const { accused } = accusations(r.state, rules);
  if (accused.size === 0) return [];
  return quorate(r.state, reach(r.state, r.self, new Set(), rules), rules) ? [] : 'goes';
}
