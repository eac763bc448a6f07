/**
 * Who watches whom: K rings over the electorate, each in the order of its own hash of the key, then
 * of the key. A member's neighbours are its predecessor and successor on each ring, so a link has
 * two ends that agree on it, and the union of the rings is an expander. A pure function of L(S) and
 * K: every node computes the same rings (PROTOCOL "Accusations").
 */
import { BaseGraph } from './base-graph.js';
import type { Entry } from './entry.js';
import { murmur32 } from './hash.js';
import { isLive } from './member.js';
import { compareKeys, type NodeKey, sortKeys } from './node-key.js';
import type { State } from './state.js';

/**
 * Named in the settings digest. Ring `i` orders by this hash of the key's UTF-8 bytes, seed `i`.
 */
export const RING_HASH = 'murmur3-x86-32';

const nobody: ReadonlySet<NodeKey> = new Set();

/**
 * Predecessor and successor on each ring, before any extension, in key order: B(x). A key outside
 * the electorate gets the neighbours of the place where it would stand. Kept for as long as nobody
 * enters or leaves the electorate.
 */
export function baseNeighbours(state: State, key: NodeKey, rings: number): readonly NodeKey[] {
  const graph = state.electors.recalled<BaseGraph>(graphTopic(rings));
  const known = graph?.neighboursOf(key);
  if (known) return known;
  return state.electors.recall(`near ${rings} ${key}`, () => around(state, key, rings, nobody));
}

/**
 * The neighbours to observe. Where one is accused the ring extends past it to the first who is not:
 * the accused one stays, so neither the dead nor the living go unobserved.
 */
export const neighbours = (
  state: State,
  key: NodeKey,
  rings: number,
  accused: ReadonlySet<NodeKey>,
): readonly NodeKey[] =>
  accused.size === 0 ? baseNeighbours(state, key, rings) : around(state, key, rings, accused);

/** One pass over L for each ring, and no sorting. */
function around(
  state: State,
  key: NodeKey,
  rings: number,
  accused: ReadonlySet<NodeKey>,
): readonly NodeKey[] {
  const others: Entry[] = [];
  for (const { entries } of state.buckets) {
    for (const entry of entries) if (isLive(entry.status) && entry.key !== key) others.push(entry);
  }
  // A cluster this small is watched by everybody.
  if (others.length <= 2 * rings) return state.electorateKeys.filter((other) => other !== key);
  const found = new Set<NodeKey>();
  const hashes = others.map((entry) => entry.ringHashes(rings));
  const isAccused = Uint8Array.from(others, (entry) => (accused.has(entry.key) ? 1 : 0));
  for (let ring = 0; ring < rings; ring += 1) {
    const distances = distancesFrom(key, ring, others, hashes);
    addBothSides(others, distances, isAccused, found);
  }
  return sortKeys(found);
}

/** How far along a ring, from the key in question, each of the others stands. */
function distancesFrom(
  key: NodeKey,
  ring: number,
  others: readonly Entry[],
  hashes: readonly (readonly number[])[],
): Float64Array {
  const origin = murmur32(key, ring) | 0;
  const distances = new Float64Array(others.length);
  for (let at = 0; at < others.length; at += 1) {
    const hash = hashes[at]?.[ring] as number;
    distances[at] = (hash - origin) >>> 0;
    // The same hash twice: the order of keys says whether it is the very next or the very last.
    if (hash === origin && compareKeys((others[at] as Entry).key, key) < 0) distances[at] = 2 ** 32;
  }
  return distances;
}

/**
 * Adds the nearest to either side that is not accused, and whoever stands before it: they are all
 * accused.
 */
function addBothSides(
  others: readonly Entry[],
  distances: Float64Array,
  isAccused: Uint8Array,
  found: Set<NodeKey>,
): void {
  const keyAt = (at: number) => (others[at] as Entry).key;
  const isBefore = (a: number, b: number) => {
    const gap = (distances[a] as number) - (distances[b] as number);
    return gap === 0 ? compareKeys(keyAt(a), keyAt(b)) < 0 : gap < 0;
  };
  let next = -1;
  let previous = -1;
  for (let at = 0; at < distances.length; at += 1) {
    if (isAccused[at] === 1) continue;
    if (next < 0 || isBefore(at, next)) next = at;
    if (previous < 0 || isBefore(previous, at)) previous = at;
  }
  if (next >= 0) found.add(keyAt(next)).add(keyAt(previous));
  for (let at = 0; at < distances.length; at += 1) {
    if (isAccused[at] === 0) continue;
    if (next < 0 || isBefore(at, next) || isBefore(previous, at)) found.add(keyAt(at));
  }
}

const graphTopic = (rings: number): string => `rings ${rings}`;

/** All base neighbours of everybody; made once for an electorate. */
export const baseGraph = (state: State, rings: number): BaseGraph =>
  state.electors.recall(graphTopic(rings), () => {
    const hashes = state.electorateKeys.map((key) => state.entry(key)?.ringHashes(rings) ?? []);
    return new BaseGraph(state.electorateKeys, hashes, rings);
  });

/** The rings themselves, for a picture. */
export function ringsOf(state: State, rings: number): readonly (readonly NodeKey[])[] {
  const graph = baseGraph(state, rings);
  return Array.from({ length: rings }, (_, ring) => graph.ring(ring));
}
