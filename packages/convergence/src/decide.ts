/**
 * Who stays when members accuse each other (PROTOCOL "Downing"): a pure function of the state. It
 * says what would be a good decision; that a bad one cannot split the cluster is the work of the
 * quorum in `converged` (R9). When to act on it is a question of time and belongs to the caller.
 */
import { accusations } from './accusations.js';
import type { Member } from './member.js';
import { compareKeys, type NodeKey } from './node-key.js';
import { isEnrolled, quorate, type Rules, ties } from './quorum.js';
import type { State } from './state.js';

/** The members that stay, in key order; null when nobody would be quorate. */
export const decide = (state: State, rules: Rules): ReadonlySet<NodeKey> | null =>
  state.recollection.recall('decide', rules, () =>
    accusations(state, rules).pairs.length === 0
      ? new Set(state.electorateKeys)
      : choose(state, rules, (stayers) => quorate(state, stayers, rules)),
  );

/** Under lease-majority: who stays if the lease is theirs, when nobody is quorate without it. */
export const contenders = (state: State, rules: Rules): ReadonlySet<NodeKey> | null =>
  rules.strategy !== 'lease-majority' || decide(state, rules) !== null
    ? null
    : choose(state, rules, (stayers) => ties(state, stayers, rules).length > 0);

/** The first of the candidates that is good enough. */
function choose(
  state: State,
  rules: Rules,
  isEnough: (stayers: ReadonlySet<NodeKey>) => boolean,
): ReadonlySet<NodeKey> | null {
  if (rules.strategy === 'down-all') return null;
  const { accused, accusers } = accusations(state, rules);
  // A clean partition; then one who hears nobody and so accuses everybody: it goes, not the rest.
  for (const leaving of [accused, accusers]) {
    const stayers = new Set(state.electorateKeys.filter((key) => !leaving.has(key)));
    if (isEnough(stayers)) return stayers;
  }
  const clique = untangle(state, rules);
  return isEnough(clique) ? clique : null;
}

/** Drops the worst connected member until nobody left accuses anybody left. */
function untangle(state: State, rules: Rules): ReadonlySet<NodeKey> {
  const links = brokenLinks(accusations(state, rules).pairs);
  const stayers = new Set(state.electorateKeys);
  const worse = (a: Member, b: Member): number =>
    Number(isEnrolled(a, rules)) - Number(isEnrolled(b, rules)) ||
    degree(links, b) - degree(links, a) ||
    (b.upNumber ?? 0) - (a.upNumber ?? 0) ||
    compareKeys(b.key, a.key);
  while (links.size > 0) {
    const tangled = state.electorate.filter(({ key }) => links.has(key));
    const worst = tangled.reduce((lead, member) => (worse(member, lead) < 0 ? member : lead));
    stayers.delete(worst.key);
    cutLoose(links, worst.key);
  }
  return stayers;
}

type Links = Map<NodeKey, Set<NodeKey>>;

const degree = (links: Links, member: Member): number => links.get(member.key)?.size ?? 0;

function brokenLinks(pairs: readonly (readonly [NodeKey, NodeKey])[]): Links {
  const links: Links = new Map();
  const note = (from: NodeKey, to: NodeKey) => {
    const known = links.get(from);
    if (known) known.add(to);
    else links.set(from, new Set([to]));
  };
  for (const [observer, subject] of pairs) {
    note(observer, subject);
    note(subject, observer);
  }
  return links;
}

function cutLoose(links: Links, key: NodeKey): void {
  for (const other of links.get(key) ?? []) {
    const rest = links.get(other);
    rest?.delete(key);
    if (rest?.size === 0) links.delete(other);
  }
  links.delete(key);
}

/**
 * Whether the cluster without this member could commit anything: an operator's `down` asks
 * (PROTOCOL "Downing").
 */
export function wouldLoseQuorum(state: State, subject: NodeKey, rules: Rules): boolean {
  const stayers = new Set(state.electorateKeys.filter((key) => key !== subject));
  return !quorate(state, stayers, rules);
}
