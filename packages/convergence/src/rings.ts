/**
 * Who watches whom: K rings over the electorate, each in the order of its own hash of the key, then
 * of the key. A member's neighbours are its predecessor and successor on each ring, so a link has two
 * ends that agree on it, and the union of the rings is an expander. A pure function of L(S) and K:
 * every node computes the same rings (05, "Accusations that count").
 */
import { BaseGraph } from './base-graph.js';
import type { Entry } from './entry.js';
import { murmur32 } from './hash.js';
import { isLive } from './member.js';
import { compareKeys, type NodeKey, sortKeys } from './node-key.js';
import type { State } from './state.js';

/** Named in the settings digest. Ring `i` orders by this hash of the key's UTF-8 bytes, seed `i`. */
export const RING_HASH = 'murmur3-x86-32';

const nobody: ReadonlySet<NodeKey> = new Set();

/** A cluster this small is watched by everybody. */
const isSmall = (others: number, rings: number): boolean => others <= 2 * rings;

/** Predecessor and successor on each ring, before any extension, in key order: B(x). */
export function baseNeighbours(state: State, key: NodeKey, rings: number): readonly NodeKey[] {
  const graph = state.electors.recalled<BaseGraph>(graphTopic(rings));
  const known = graph?.neighboursOf(key);
  return known ?? neighbours(state, key, rings, nobody);
}

/**
 * The neighbours to observe. Where one is accused the ring extends past it to the first who is not:
 * the accused one stays, so neither the dead nor the living go unobserved. A key outside the
 * electorate gets the neighbours of the place where it would stand. One pass over L per ring.
 */
export function neighbours(
  state: State,
  key: NodeKey,
  rings: number,
  accused: ReadonlySet<NodeKey>,
): readonly NodeKey[] {
  const others: Entry[] = [];
  for (const { entries } of state.buckets) {
    for (const entry of entries) if (isLive(entry.status) && entry.key !== key) others.push(entry);
  }
  if (isSmall(others.length, rings)) return sortKeys(others.map((entry) => entry.key));
  const found = new Set<NodeKey>();
  for (let ring = 0; ring < rings; ring += 1) {
    const origin = murmur32(key, ring);
    const places = others.map((entry) => placeOf(entry, key, origin, ring, rings));
    addBothSides(places, accused, found);
  }
  return sortKeys(found);
}

/** How far along a ring, from the key in question, another member stands. */
interface Place {
  readonly key: NodeKey;
  readonly distance: number;
}

function placeOf(entry: Entry, key: NodeKey, origin: number, ring: number, rings: number): Place {
  const hash = entry.ringHashes(rings)[ring] as number;
  // The same hash twice: the order of keys says whether it is the very next or the very last.
  const tie = () => (compareKeys(entry.key, key) > 0 ? 0 : 2 ** 32);
  return { key: entry.key, distance: hash === origin ? tie() : (hash - origin) >>> 0 };
}

const isBefore = (a: Place, b: Place): boolean =>
  a.distance === b.distance ? compareKeys(a.key, b.key) < 0 : a.distance < b.distance;

function addBothSides(
  places: readonly Place[],
  accused: ReadonlySet<NodeKey>,
  found: Set<NodeKey>,
): void {
  let next: Place | undefined;
  let previous: Place | undefined;
  for (const place of places) {
    if (accused.has(place.key)) continue;
    if (!next || isBefore(place, next)) next = place;
    if (!previous || isBefore(previous, place)) previous = place;
  }
  if (next) found.add(next.key);
  if (previous) found.add(previous.key);
  if (accused.size === 0) return;
  // Whoever stands between the key and its nearest unaccused neighbour is accused.
  for (const place of places) {
    if (!next || !previous || isBefore(place, next) || isBefore(previous, place)) {
      found.add(place.key);
    }
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
