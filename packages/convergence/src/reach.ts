/**
 * A node's own fate (PROTOCOL "Reach"): the part of the rings it can still get to. Links that either
 * end holds unreachable are out, whoever says so and however they are; what remains around this node
 * is R, and a node whose R is not quorate is cut off. No other row enters its fate: it does not matter
 * who is accused, only whether there is a way.
 *
 * Where members are named the rings lead past them, as observation does. Without that a crash that
 * takes all neighbours of somebody, or parts those who are left, would end a healthy majority: each of
 * its parts would take itself for the smaller side.
 */
import type { BaseGraph } from './base-graph.js';
import { BrokenLinks } from './broken-links.js';
import { isLive } from './member.js';
import type { NodeKey } from './node-key.js';
import { quorate, type Rules, ties } from './quorum.js';
import { baseGraph } from './rings.js';
import type { State } from './state.js';

/**
 * R: the component of `self`, given what it holds unreachable at this moment beside its row. A way past
 * somebody counts for others as soon as it exists; for `self` when it has heard the one at its end, who
 * is in `heard`. So one that hears nobody finds nobody, however far its rings lead.
 */
export const reach = (
  state: State,
  self: NodeKey,
  ownUnreachable: ReadonlySet<NodeKey>,
  rules: Rules,
  heard: ReadonlySet<NodeKey> = nobody,
): ReadonlySet<NodeKey> => partAround(state, self, ownUnreachable, rules, heard).keys;

/** A side that ties is not cut off: what it holds counts, or it could never decide to ask the lease. */
export const isCutOff = (
  state: State,
  self: NodeKey,
  ownUnreachable: ReadonlySet<NodeKey>,
  rules: Rules,
  heard: ReadonlySet<NodeKey> = nobody,
): boolean => !partAround(state, self, ownUnreachable, rules, heard).canGoOn;

/** Without a lease. */
export const reachesQuorum = (
  state: State,
  self: NodeKey,
  ownUnreachable: ReadonlySet<NodeKey>,
  rules: Rules,
  heard: ReadonlySet<NodeKey> = nobody,
): boolean => partAround(state, self, ownUnreachable, rules, heard).isQuorate;

/** Those who can get to each other, as far as rows tell: R of any of them, for everybody to see. */
export interface Part {
  readonly keys: ReadonlySet<NodeKey>;
  readonly isQuorate: boolean;
  /** It could go on without the others; a half that the lease may still choose could, too. */
  readonly canGoOn: boolean;
}

/** The part that a member is in. Only rows count, so all who hold this state find the same. */
export function partOf(state: State, key: NodeKey, rules: Rules): Part {
  const parts = state.recollection.recall('parts', rules, (): Part[] => []);
  const known = parts.find(({ keys }) => keys.has(key));
  if (known) return known;
  const part = partAround(state, key, nobody, rules);
  parts.push(part);
  return part;
}

const nobody: ReadonlySet<NodeKey> = new Set();

/**
 * Without `heard` the start counts its ways past others like anybody else. A node asks the same several
 * times in a step, and again with each word of who else has seen the state: answers are kept with it.
 */
function partAround(
  state: State,
  self: NodeKey,
  own: ReadonlySet<NodeKey>,
  rules: Rules,
  heard?: ReadonlySet<NodeKey>,
): Part {
  const answers = state.recollection.recall('reach', rules, () => new Map<string, Part>());
  // Where nothing is broken it does not matter who asks.
  const isWhole = own.size === 0 && !isAnybodyNamed(state) && isLiveIn(state, self);
  const question = isWhole ? '' : [self, ...own, heard && 'heard', ...(heard ?? nobody)].join(' ');
  let part = answers.get(question);
  if (part === undefined) {
    const keys = around(state, self, own, rules, heard);
    const isQuorate = quorate(state, keys, rules);
    part = { keys, isQuorate, canGoOn: isQuorate || ties(state, keys, rules).length > 0 };
    answers.set(question, part);
  }
  return part;
}

const isLiveIn = (state: State, key: NodeKey): boolean => {
  const status = state.get(key)?.status;
  return status !== undefined && isLive(status);
};

function around(
  state: State,
  self: NodeKey,
  own: ReadonlySet<NodeKey>,
  rules: Rules,
  heard: ReadonlySet<NodeKey> | undefined,
): ReadonlySet<NodeKey> {
  const start = state.electorateIndex(self);
  if (start < 0) return nobody;
  const everybody = state.electorateKeys;
  if (own.size === 0 && !isAnybodyNamed(state)) return new Set(everybody);
  const broken = BrokenLinks.in(state, rules).and(state, self, own);
  if (!broken.isAny) return new Set(everybody);
  const ways = heard && [...heard].map((key) => state.electorateIndex(key)).filter((at) => at >= 0);
  const found = component(baseGraph(state, rules.rings), start, broken, ways);
  return new Set(everybody.filter((_, position) => found[position] === 1));
}

/** Does any row name anybody, whether it counts or not? */
export const isAnybodyNamed = (state: State): boolean =>
  state.buckets.some(({ naming }) => naming > 0);

/** 1 at each position that can be reached from `start`, whose ways past others are given or as for anybody. */
function component(
  graph: BaseGraph,
  start: number,
  broken: BrokenLinks,
  ownWays: readonly number[] | undefined,
): Uint8Array {
  const found = new Uint8Array(graph.keys.length);
  found[start] = 1;
  const pending = [start];
  for (let at = pending.pop(); at !== undefined; at = pending.pop()) {
    const cut = broken.at(at);
    const follow = (next: number) => {
      if (found[next] === 1 || cut?.has(next)) return;
      found[next] = 1;
      pending.push(next);
    };
    const links = graph.linksAt(at);
    links.forEach(follow);
    if (at === start && ownWays !== undefined) ownWays.forEach(follow);
    // Where nobody beside it is named its rings lead to those who are.
    else if (links.some((next) => broken.isNamed(next))) broken.waysPast(graph, at).forEach(follow);
  }
  return found;
}
