/**
 * Who may decide (PROTOCOL "Quorum"). `wins` is exclusive: two disjoint sets never both win the
 * same configuration. A set is quorate when it wins the configuration of today *and* the one before
 * the last promotion that is not yet committed (X01); Down members stay in the denominator until
 * they are removed (X02); nobody wins an empty configuration (X22, X23).
 */
import { compareAge, isCounted, isLive, type Member } from './member.js';
import { compareKeys, type NodeKey } from './node-key.js';
import type { State } from './state.js';

export type DowningStrategy =
  | 'manual'
  | 'keep-majority'
  | 'static-quorum'
  | 'keep-oldest'
  | 'down-all';

/** What must be the same at every member: a difference is a refused join. */
export interface Rules {
  /** q: how many observers must agree that a member is unreachable. */
  readonly observers: number;
  /** K: on how many rings everybody has a neighbour to each side. */
  readonly rings: number;
  readonly strategy: DowningStrategy;
  /** Q: the members that static-quorum asks for. */
  readonly quorum: number;
  /** Only members with this role are counted; null counts all. */
  readonly role: string | null;
  /** A tie goes to the side of the oldest member instead of the lowest address. */
  readonly tieOldest: boolean;
}

export const defaultRules: Rules = Object.freeze({
  observers: 2,
  rings: 5,
  strategy: 'keep-majority',
  quorum: 1,
  role: null,
  tieOldest: false,
});

/** Who stays, as a question about one member. */
type Stays = (member: Member) => boolean;

/** Whether a member belongs to the configuration under these rules. */
export const isEnrolled = (member: Member, rules: Rules): boolean =>
  isCounted(member) && (rules.role === null || member.roles.includes(rules.role));

/** The configuration of the rules: whom a quorum is counted among, in no particular order. */
export function configuration(state: State, rules: Rules): readonly Member[] {
  const enrolled: Member[] = [];
  for (const { entries } of state.buckets) {
    for (const entry of entries) if (isEnrolled(entry, rules)) enrolled.push(entry);
  }
  return enrolled;
}

/** Whether the stayers win this configuration. Two disjoint sets never both do. */
export const wins = (
  stayers: ReadonlySet<NodeKey>,
  config: readonly Member[],
  rules: Rules,
): boolean => winsWhere(({ key }) => stayers.has(key), config, rules);

function winsWhere(stays: Stays, config: readonly Member[], rules: Rules): boolean {
  const all = config.length;
  if (all === 0) return false;
  const staying = config.reduce((count, member) => count + (stays(member) ? 1 : 0), 0);
  switch (rules.strategy) {
    case 'manual':
    case 'keep-majority':
      if (2 * staying !== all) return 2 * staying > all;
      return stays(first(config, rules.tieOldest ? compareAge : compareAddress));
    case 'static-quorum':
      // All of them staying means that nobody is being removed.
      return staying >= rules.quorum || staying === all;
    case 'keep-oldest':
      if (stays(first(config, compareAge))) return staying >= 2 || all === 1;
      return all >= 3 && staying === all - 1;
    case 'down-all':
      return staying === all;
  }
}

const compareAddress = (a: Member, b: Member): number => compareKeys(a.key, b.key);

const first = (config: readonly Member[], order: (a: Member, b: Member) => number): Member =>
  config.reduce((lead, member) => (order(member, lead) < 0 ? member : lead));

function quorateWhere(state: State, stays: Stays, rules: Rules): boolean {
  const now = configuration(state, rules);
  if (now.length === 0 || !winsWhere(stays, now, rules)) return false;
  const before = now.filter(({ upNumber }) => upNumber !== null && upNumber < state.epoch);
  return before.length === 0 || winsWhere(stays, before, rules);
}

export const quorate = (state: State, stayers: ReadonlySet<NodeKey>, rules: Rules): boolean =>
  quorateWhere(state, ({ key }) => stayers.has(key), rules);

/**
 * Whether L(S) itself is quorate: the guard of R5, which makes every source of Down marks safe
 * (X03).
 */
export const electorateIsQuorate = (state: State, rules: Rules): boolean =>
  quorateWhere(state, ({ status }) => isLive(status), rules);

/** The counted voters that are not among the stayers, in key order: whom a quorum lacks. */
export const missingForQuorum = (
  state: State,
  stayers: ReadonlySet<NodeKey>,
  rules: Rules,
): readonly NodeKey[] =>
  state.counted
    .filter((member) => isEnrolled(member, rules) && !stayers.has(member.key))
    .map(({ key }) => key);
