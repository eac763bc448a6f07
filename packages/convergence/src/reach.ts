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
import type { NodeKey } from './node-key.js';
import { quorate, type Rules, ties } from './quorum.js';
import { baseGraph } from './rings.js';
import type { State } from './state.js';

/**
 * R: the component of `self`, given what it holds unreachable at this moment beside its row. A way past
 * somebody counts for others as soon as it exists; for `self` when it has heard the one at its end, who
 * is in `heard`. So one that hears nobody finds nobody, however far its rings lead.
 */
export function reach(
  state: State,
  self: NodeKey,
  ownUnreachable: ReadonlySet<NodeKey>,
  rules: Rules,
  heard: ReadonlySet<NodeKey> = nobody,
): ReadonlySet<NodeKey> {
  return around(state, self, ownUnreachable, rules, heard);
}

/** A side that ties is not cut off: what it holds counts, or it could never decide to ask the lease. */
export function isCutOff(
  state: State,
  self: NodeKey,
  ownUnreachable: ReadonlySet<NodeKey>,
  rules: Rules,
  heard: ReadonlySet<NodeKey> = nobody,
): boolean {
  return !fateOf(state, self, ownUnreachable, rules, heard).canGoOn;
}

/** Is R quorate, without a lease? */
export function reachesQuorum(
  state: State,
  self: NodeKey,
  ownUnreachable: ReadonlySet<NodeKey>,
  rules: Rules,
  heard: ReadonlySet<NodeKey> = nobody,
): boolean {
  return fateOf(state, self, ownUnreachable, rules, heard).isQuorate;
}

interface Fate {
  readonly isQuorate: boolean;
  /** It could go on without the others; a half that the lease may still choose could, too. */
  readonly canGoOn: boolean;
}

/** A node asks three questions at a time; which they are changes with whom it hears. */
const ANSWERS_MAX = 64;

/**
 * The same is asked several times in a step, and again with each word of who else has seen the state:
 * answers are kept with it.
 */
function fateOf(
  state: State,
  self: NodeKey,
  own: ReadonlySet<NodeKey>,
  rules: Rules,
  heard: ReadonlySet<NodeKey>,
): Fate {
  const answers = state.recollection.recall('fates', rules, () => new Map<string, Fate>());
  const question = isWhole(state, own) ? self : [self, ...own, 'hears', ...heard].join(' ');
  let fate = answers.get(question);
  if (fate === undefined) {
    fate = judged(state, around(state, self, own, rules, heard), rules);
    if (answers.size >= ANSWERS_MAX) answers.clear();
    answers.set(question, fate);
  }
  return fate;
}

function judged(state: State, reached: ReadonlySet<NodeKey>, rules: Rules): Fate {
  const isQuorate = quorate(state, reached, rules);
  return { isQuorate, canGoOn: isQuorate || ties(state, reached, rules).length > 0 };
}

/** Those who can get to each other, as far as rows tell: R of any of them, for everybody to see. */
export interface Part extends Fate {
  readonly keys: ReadonlySet<NodeKey>;
}

/** The part that a member is in. Only rows count, so all who hold this state find the same. */
export function partOf(state: State, key: NodeKey, rules: Rules): Part {
  const parts = state.recollection.recall('parts', rules, (): Part[] => []);
  const known = parts.find(({ keys }) => keys.has(key));
  if (known) return known;
  const keys = around(state, key, nobody, rules);
  const part = { keys, ...judged(state, keys, rules) };
  parts.push(part);
  return part;
}

const nobody: ReadonlySet<NodeKey> = new Set();

/** Nothing is broken. */
const isWhole = (state: State, own: ReadonlySet<NodeKey>): boolean =>
  own.size === 0 && !isAnybodyNamed(state);

/** Without `heard` the start counts its ways past others like anybody else. */
function around(
  state: State,
  self: NodeKey,
  own: ReadonlySet<NodeKey>,
  rules: Rules,
  heard?: ReadonlySet<NodeKey>,
): ReadonlySet<NodeKey> {
  const start = state.electorateIndex(self);
  if (start < 0) return nobody;
  const everybody = state.electorateKeys;
  if (isWhole(state, own)) return new Set(everybody);
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
