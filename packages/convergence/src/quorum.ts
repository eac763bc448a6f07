/**
 * Who may decide (PROTOCOL "Quorum"). `wins` is exclusive: two disjoint sets never both win the
 * same configuration. A set is quorate when it wins the configuration of today *and* the one before
 * the last promotion that is not yet committed (X01); Down members stay in the denominator until
 * they are removed (X02); nobody wins an empty configuration (X22, X23).
 */
import type { Digest } from './fingerprint.js';
import { compareAge, isCounted, isLive, type Member } from './member.js';
import { compareKeys, type NodeKey } from './node-key.js';
import type { State } from './state.js';
import { configurationId, isGranted } from './tie.js';

export type DowningStrategy =
  | 'manual'
  | 'keep-majority'
  | 'lease-majority'
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
  /** keep-oldest: the oldest goes, and the others stay, when it is on its own. */
  readonly downIfAlone: boolean;
  /** A tie goes to the side of the oldest member instead of the lowest address. */
  readonly tieOldest: boolean;
}

export const defaultRules: Rules = Object.freeze({
  observers: 2,
  rings: 5,
  strategy: 'keep-majority',
  quorum: 1,
  role: null,
  downIfAlone: true,
  tieOldest: false,
});

/** Who stays, as a question about one member. */
type Stays = (member: Member) => boolean;

/** Whether a member belongs to the configuration under these rules. */
export const isEnrolled = (member: Member, rules: Rules): boolean =>
  isCounted(member) && (rules.role === null || member.roles.includes(rules.role));

/** The configuration of the rules: whom a quorum is counted among, in no particular order. */
function configuration(state: State, rules: Rules): readonly Member[] {
  const enrolled: Member[] = [];
  for (const { entries } of state.buckets) {
    for (const entry of entries) if (isEnrolled(entry, rules)) enrolled.push(entry);
  }
  return enrolled;
}

/** `ties`: it wins once it is granted the lease. Only lease-majority knows ties. */
type Standing = 'wins' | 'ties' | 'loses';

/** Whether the stayers win this configuration. Two disjoint sets never both do. */
export const wins = (
  stayers: ReadonlySet<NodeKey>,
  config: readonly Member[],
  rules: Rules,
): boolean => standing(({ key }) => stayers.has(key), config, rules) === 'wins';

function standing(stays: Stays, config: readonly Member[], rules: Rules): Standing {
  const all = config.length;
  if (all === 0) return 'loses';
  const staying = config.reduce((count, member) => count + (stays(member) ? 1 : 0), 0);
  if (rules.strategy === 'lease-majority' && 2 * staying === all) {
    return isGranted(config, stays) ? 'wins' : 'ties';
  }
  return winsWithoutLease(stays, staying, config, rules) ? 'wins' : 'loses';
}

function winsWithoutLease(
  stays: Stays,
  staying: number,
  config: readonly Member[],
  rules: Rules,
): boolean {
  const all = config.length;
  switch (rules.strategy) {
    case 'manual':
    case 'keep-majority':
      if (2 * staying !== all) return 2 * staying > all;
      return stays(first(config, rules.tieOldest ? compareAge : compareAddress));
    case 'lease-majority':
      return 2 * staying > all;
    case 'static-quorum':
      // All of them staying means that nobody is being removed.
      return staying >= rules.quorum || staying === all;
    case 'keep-oldest':
      if (stays(first(config, compareAge))) return staying >= 2 || all === 1 || !rules.downIfAlone;
      return rules.downIfAlone && all >= 3 && staying === all - 1;
    case 'down-all':
      return staying === all;
  }
}

const compareAddress = (a: Member, b: Member): number => compareKeys(a.key, b.key);

const first = (config: readonly Member[], order: (a: Member, b: Member) => number): Member =>
  config.reduce((lead, member) => (order(member, lead) < 0 ? member : lead));

/** The configuration of today, and the one before a promotion that is not committed (R6, X01). */
export const configurations = (state: State, rules: Rules): readonly (readonly Member[])[] =>
  state.recollection.recall('configurations', rules, () => {
    const now = configuration(state, rules);
    const before = now.filter(({ upNumber }) => upNumber !== null && upNumber < state.epoch);
    return before.length === 0 || before.length === now.length ? [now] : [now, before];
  });

const quorateWhere = (state: State, stays: Stays, rules: Rules): boolean =>
  configurations(state, rules).every((config) => standing(stays, config, rules) === 'wins');

export const quorate = (state: State, stayers: ReadonlySet<NodeKey>, rules: Rules): boolean =>
  quorateWhere(state, ({ key }) => stayers.has(key), rules);

/** A configuration whose tie only the lease can break: what to ask it, and who may ask. */
export interface Tie {
  readonly id: Digest;
  readonly voters: readonly Member[];
}

/** What the stayers must be granted to be quorate; empty when they are, or cannot be. */
export function ties(state: State, stayers: ReadonlySet<NodeKey>, rules: Rules): readonly Tie[] {
  if (rules.strategy !== 'lease-majority') return [];
  const stays: Stays = ({ key }) => stayers.has(key);
  const found: Tie[] = [];
  for (const voters of configurations(state, rules)) {
    const how = standing(stays, voters, rules);
    if (how === 'loses') return [];
    if (how === 'ties') found.push({ id: configurationId(voters), voters });
  }
  return found;
}

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
