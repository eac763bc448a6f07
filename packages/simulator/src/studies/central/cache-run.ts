/**
 * A cache over many nodes in front of a store. Every node routes by its own opinion of who is there; what the
 * owner of a key does not hold is read from the store. A node that most had taken out comes back cold, because it
 * has missed what was invalidated meanwhile.
 */
import { SeededRandom } from '../../seeded-random.js';
import type { Opinion } from '../ordeal.js';
import { HashRing } from './hash-ring.js';

export interface CachePlan {
  readonly seed: number;
  readonly names: readonly string[];
  readonly forMs: number;
  /** Nothing that is sent to the first node arrives until then: it neither serves nor routes. */
  readonly deafUntilMs: number;
  readonly opinions: readonly Opinion[];
}

/** One second of it. */
export interface CacheSecond {
  readonly requests: number;
  /** Reads of the store. */
  readonly misses: number;
  /** Keys that belong to somebody else than the second before, as most nodes see it. */
  readonly moved: number;
  /** Nodes that most had taken out. */
  readonly out: number;
}

const KEYS = 20_000;
export const REQUESTS_PER_S = 2_000;
/** Of a node's fair share of all keys. */
const ROOM = 1.25;

export function runCache(plan: CachePlan): readonly CacheSecond[] {
  const cache = new CacheCluster(plan);
  const seconds: CacheSecond[] = [];
  let next = 0;
  for (let second = 0; second * 1_000 < plan.forMs; second++) {
    for (; (plan.opinions[next]?.atMs ?? Number.POSITIVE_INFINITY) <= second * 1_000; next++) {
      cache.hear(plan.opinions[next] as Opinion);
    }
    const moved = cache.keysMoved();
    const misses = cache.serve(second * 1_000 < plan.deafUntilMs);
    seconds.push({ requests: REQUESTS_PER_S, misses, moved, out: cache.outCount });
  }
  return seconds;
}

class CacheCluster {
  readonly #indexOf: ReadonlyMap<string, number>;
  readonly #count: number;
  readonly #ring: HashRing;
  readonly #chance: SeededRandom;
  readonly #places: Float64Array;
  /** Whom each node holds dead. */
  readonly #dead: readonly Uint8Array[];
  readonly #deadVotes: Int32Array;
  /** What each node holds; a Map keeps the order of use. */
  readonly #held: readonly Map<number, true>[];
  #owners: Int32Array;

  constructor({ seed, names }: CachePlan) {
    this.#count = names.length;
    this.#indexOf = new Map(names.map((name, index) => [name, index]));
    this.#ring = new HashRing(seed, names.length);
    this.#chance = new SeededRandom(seed, 'requests');
    const places = new SeededRandom(seed, 'keys');
    this.#places = Float64Array.from({ length: KEYS }, () => places.next());
    this.#dead = names.map(() => new Uint8Array(names.length));
    this.#deadVotes = new Int32Array(names.length);
    this.#held = names.map(() => new Map());
    this.#owners = this.#ownersNow();
    for (let key = KEYS - 1; key >= 0; key--) this.#load(this.#owners[key] as number, key);
  }

  get outCount(): number {
    return this.#deadVotes.filter((_, node) => this.#isOut(node)).length;
  }

  hear({ observer, subject, isDead }: Opinion): void {
    const [by, about] = [this.#indexOf.get(observer) ?? 0, this.#indexOf.get(subject) ?? 0];
    const row = this.#dead[by] as Uint8Array;
    if (row[about] === Number(isDead)) return;
    const wasOut = this.#isOut(about);
    row[about] = Number(isDead);
    this.#deadVotes[about] = (this.#deadVotes[about] as number) + (isDead ? 1 : -1);
    if (wasOut && !this.#isOut(about)) this.#held[about]?.clear();
  }

  /** Since it was asked last. */
  keysMoved(): number {
    const owners = this.#ownersNow();
    const moved = owners.filter((owner, key) => owner !== this.#owners[key]).length;
    this.#owners = owners;
    return moved;
  }

  /** A second of requests; says how many of them the store had to answer. */
  serve(isFirstDeaf: boolean): number {
    let misses = 0;
    const firstRouter = isFirstDeaf ? 1 : 0;
    for (let request = 0; request < REQUESTS_PER_S; request++) {
      const router = firstRouter + Math.floor(this.#chance.next() * (this.#count - firstRouter));
      // Some keys are asked for far more often than others.
      const u = this.#chance.next();
      const key = Math.floor(KEYS * u * u);
      const row = this.#dead[router] as Uint8Array;
      const owner = this.#ring.ownerOf(this.#places[key] as number, (node) => row[node] === 1);
      if (owner < 0 || (isFirstDeaf && owner === 0) || !this.#load(owner, key)) misses++;
    }
    return misses;
  }

  #isOut(node: number): boolean {
    return 2 * (this.#deadVotes[node] as number) > this.#count;
  }

  #ownersNow(): Int32Array {
    const isOut = (node: number) => this.#isOut(node);
    return Int32Array.from(this.#places, (place) => this.#ring.ownerOf(place, isOut));
  }

  /** Was it there? Now it is, and used last. */
  #load(node: number, key: number): boolean {
    const held = this.#held[node] as Map<number, true>;
    const wasThere = held.delete(key);
    held.set(key, true);
    if (held.size > (ROOM * KEYS) / this.#count) {
      for (const oldest of held.keys()) {
        held.delete(oldest);
        break;
      }
    }
    return wasThere;
  }
}
