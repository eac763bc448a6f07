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
export function reach(
  state: State,
  self: NodeKey,
  ownUnreachable: ReadonlySet<NodeKey>,
  rules: Rules,
  heard: ReadonlySet<NodeKey> = nobody,
): ReadonlySet<NodeKey> {
  const positions = positionsOf(state);
  const own = [...heard].flatMap((key) => positions.get(key) ?? []);
  return around(state, self, ownUnreachable, rules, own);
}

/** Without `own` the start counts its ways past others like anybody else. */
function around(
  state: State,
  self: NodeKey,
  ownUnreachable: ReadonlySet<NodeKey>,
  rules: Rules,
  own?: readonly number[],
): ReadonlySet<NodeKey> {
  const start = state.electorateIndex(self);
  if (start < 0) return new Set();
  const everybody = state.electorateKeys;
  if (ownUnreachable.size === 0 && !isAnybodyNamed(state)) return new Set(everybody);
  const broken = brokenLinks(state, self, ownUnreachable);
  if (broken.links.size === 0) return new Set(everybody);
  const found = component(baseGraph(state, rules.rings), start, broken, own);
  return new Set(everybody.filter((_, position) => found[position] === 1));
}

/** A side that ties is not cut off: what it holds counts, or it could never decide to ask the lease. */
export function isCutOff(
  state: State,
  self: NodeKey,
  ownUnreachable: ReadonlySet<NodeKey>,
  rules: Rules,
  heard: ReadonlySet<NodeKey> = nobody,
): boolean {
  return isLost(state, reach(state, self, ownUnreachable, rules, heard), rules);
}

const isLost = (state: State, reached: ReadonlySet<NodeKey>, rules: Rules): boolean =>
  !quorate(state, reached, rules) && ties(state, reached, rules).length === 0;

/** Those who can get to each other, as far as rows tell: R of any of them, for everybody to see. */
export interface Part {
  readonly keys: ReadonlySet<NodeKey>;
  /** It could go on without the others; a half that the lease may still choose could, too. */
  readonly canGoOn: boolean;
}

/** The part that a member is in. Only rows count, so all who hold this state find the same. */
export function partOf(state: State, key: NodeKey, rules: Rules): Part {
  const parts = state.recollection.recall('parts', rules, (): Part[] => []);
  const known = parts.find(({ keys }) => keys.has(key));
  if (known) return known;
  const keys = around(state, key, nobody, rules);
  const part = { keys, canGoOn: !isLost(state, keys, rules) };
  parts.push(part);
  return part;
}

const nobody: ReadonlySet<NodeKey> = new Set();

interface Broken {
  /** Per position, the positions it has no link to: both ways, as one end's word is enough. */
  readonly links: ReadonlyMap<number, ReadonlySet<number>>;
  /** 1 at each position that somebody holds unreachable: the rings lead past it. */
  readonly isNamed: Uint8Array;
}

function brokenLinks(state: State, self: NodeKey, own: ReadonlySet<NodeKey>): Broken {
  const links = new Map<number, Set<number>>();
  const isNamed = new Uint8Array(state.electorateKeys.length);
  const note = (from: number, to: number) => {
    const known = links.get(from);
    if (known) known.add(to);
    else links.set(from, new Set([to]));
  };
  const positions = positionsOf(state);
  const breakLink = (observer: NodeKey, subject: NodeKey) => {
    const a = positions.get(observer);
    const b = positions.get(subject);
    if (a === undefined || b === undefined || a === b) return;
    note(a, b);
    note(b, a);
    isNamed[b] = 1;
  };
  for (const bucket of state.buckets) {
    if (bucket.naming === 0) continue;
    for (const { key, status, row } of bucket.entries) {
      if (isLive(status)) for (const subject of row.unreachable) breakLink(key, subject);
    }
  }
  for (const subject of own) breakLink(self, subject);
  return { links, isNamed };
}

/** Does any row name anybody, whether it counts or not? */
export const isAnybodyNamed = (state: State): boolean =>
  state.buckets.some(({ naming }) => naming > 0);

const positionsOf = (state: State): ReadonlyMap<NodeKey, number> =>
  state.electors.recall(
    'positions',
    () => new Map(state.electorateKeys.map((key, at) => [key, at])),
  );

/** 1 at each position that can be reached from `start`. */
function component(
  graph: BaseGraph,
  start: number,
  { links: broken, isNamed }: Broken,
  own: readonly number[] | undefined,
): Uint8Array {
  const waysPast = (at: number) => {
    if (at === start && own !== undefined) return own;
    return isNamed[at] === 1 ? [] : graph.linksPast(at, isNamed);
  };
  const found = new Uint8Array(graph.keys.length);
  found[start] = 1;
  const pending = [start];
  for (let at = pending.pop(); at !== undefined; at = pending.pop()) {
    const cut = broken.get(at);
    for (const next of [...graph.linksAt(at), ...waysPast(at)]) {
      if (found[next] === 1 || cut?.has(next)) continue;
      found[next] = 1;
      pending.push(next);
    }
  }
  return found;
}
