/**
 * A consistent hash (Karger et al., Consistent Hashing and Random Trees, 1997): each name has points on
 * a ring of 2^32 places, and a key belongs to the name whose point comes next. A name that comes
 * takes keys from the others and moves none between them; one that goes leaves its own behind, and nothing else moves.
 *
 * With 64 points a name and one place for a key, shares scatter by an eighth, and the greatest of twenty is
 * above 1.35 of the mean in one cluster of ten. So a key has several places, its *probes*, and belongs to
 * the point that is nearest behind any of them (Appleton and O'Reilly, Multi-Probe Consistent Hashing, 2015). That
 * keeps what Karger's ring promises, as a new point can only win keys for its own name; four probes bring the scatter
 * down to a twentieth, for three more look-ups and not one more point.
 *
 * A ring is a value: `with` answers another one.
 */
import { checkShapes } from '@rollcall/core';
import { hash32, mixed } from './hash.js';
import { RING_SHAPES } from './option-kinds.js';

export interface RingOptions {
  /** Points a name, 1 to 1024; 64 unless given. */
  readonly points: number;
  /** Places a key, 1 to 16; 4 unless given. */
  readonly probes: number;
}

export const RING: RingOptions = { points: 64, probes: 4 };

const KEY_SEED = 0x6b657973;
const NAME_SEEDS = [0x6e616d65, 0x72696e67] as const;
const GOLDEN = 0x9e3779b9;

export class HashRing {
  /** In order of their text, each once. */
  readonly names: readonly string[];
  readonly options: RingOptions;
  /** Points in ascending order; equal ones by name. */
  readonly #at: Uint32Array;
  /** Whose point each is, as an index into `names`. */
  readonly #of: Uint32Array;
  /** For each stretch of the ring the first point in it or behind it: a look-up is a step or two, however many points. */
  readonly #firstIn: Uint32Array;
  readonly #stretchBits: number;

  private constructor(
    names: readonly string[],
    at: Uint32Array,
    of: Uint32Array,
    options: RingOptions,
  ) {
    this.names = names;
    this.options = options;
    this.#at = at;
    this.#of = of;
    const bits = Math.min(24, Math.max(1, Math.ceil(Math.log2(at.length + 1))));
    this.#stretchBits = 32 - bits;
    this.#firstIn = firstPoints(at, bits);
  }

  /** Throws ClusterError `badSetting` for options that cannot be used. */
  static of(names: Iterable<string>, options: Partial<RingOptions> = {}): HashRing {
    checkShapes(options, RING_SHAPES, '{ points: 64, probes: 4 }');
    const { points = RING.points, probes = RING.probes } = options;
    const nothing = new Uint32Array(0);
    return new HashRing([], nothing, nothing, { points, probes }).with(names);
  }

  /** The ring of these names: what it has of them already is kept, which is far cheaper than to begin anew. */
  with(wanted: Iterable<string>): HashRing {
    const names = [...new Set(wanted)].sort();
    if (names.length === this.names.length && names.every((name, i) => name === this.names[i]))
      return this;
    const indexOf = new Map(names.map((name, index) => [name, index]));
    const moved = Int32Array.from(this.names, (name) => indexOf.get(name) ?? GONE);
    const known = new Set(this.names);
    const fresh = names.flatMap((name, index) => (known.has(name) ? [] : [index]));
    return this.#merged(names, moved, pointsOf(names, fresh, this.options.points));
  }

  /** Old points that stay, under their new indexes, and fresh ones, in one pass: both are in order already. */
  #merged(names: readonly string[], moved: Int32Array, fresh: Points): HashRing {
    const [oldAt, oldOf] = [this.#at, this.#of];
    const total = names.length * this.options.points;
    const at = new Uint32Array(total);
    const of = new Uint32Array(total);
    let [i, next] = [0, 0];
    for (let old = 0; old < oldAt.length; old++) {
      const index = moved[oldOf[old] as number] as number;
      if (index === GONE) continue;
      const place = oldAt[old] as number;
      while (next < fresh.at.length && isBefore(fresh, next, place, index)) {
        at[i] = fresh.at[next] as number;
        of[i++] = fresh.of[next++] as number;
      }
      at[i] = place;
      of[i++] = index;
    }
    at.set(fresh.at.subarray(next), i);
    of.set(fresh.of.subarray(next), i);
    return new HashRing(names, at, of, this.options);
  }

  /** Index into `names` of the one that the key belongs to; -1 if there is none. */
  indexOf(key: string): number {
    const point = this.#pointOf(key);
    return point < 0 ? -1 : (this.#of[point] as number);
  }

  /** The name that the key belongs to. */
  ownerOf(key: string): string | undefined {
    return this.names[this.indexOf(key)];
  }

  /**
   * The first with room on the way round from the key's own point (Mirrokni, Thorup and Zadimoghaddam, Consistent
   * Hashing with Bounded Loads, 2016); -1 if nobody has. `loads` is by index into `names`.
   */
  indexWithin(key: string, loads: ArrayLike<number>, cap: number): number {
    const start = this.#pointOf(key);
    if (start < 0) return -1;
    for (let step = 0; step < this.#of.length; step++) {
      const index = this.#of[(start + step) % this.#of.length] as number;
      if ((loads[index] as number) < cap) return index;
    }
    return -1;
  }

  /** The point that is the nearest behind any of the key's places; the first place wins where two are as near. */
  #pointOf(key: string): number {
    if (this.#at.length === 0) return -1;
    let place = hash32(key, KEY_SEED);
    let best = -1;
    let nearest = 0;
    for (let probe = 0; probe < this.options.probes; probe++) {
      const point = this.#behind(place);
      const distance = ((this.#at[point] as number) - place) >>> 0;
      if (best < 0 || distance < nearest) {
        best = point;
        nearest = distance;
      }
      place = mixed(place + GOLDEN);
    }
    return best;
  }

  /** The first point at this place or behind it, around the end if need be. */
  #behind(place: number): number {
    let point = this.#firstIn[place >>> this.#stretchBits] as number;
    while (point < this.#at.length && (this.#at[point] as number) < place) point++;
    return point === this.#at.length ? 0 : point;
  }
}

/** Of a name that is not on the next ring. */
const GONE = -1;

/** Points in order, and whose they are: equal ones by index, which is by name. */
interface Points {
  readonly at: Uint32Array;
  readonly of: Uint32Array;
}

function isBefore({ at, of }: Points, i: number, place: number, index: number): boolean {
  const here = at[i] as number;
  return here < place || (here === place && (of[i] as number) < index);
}

/** A point and whose it is sort as one number: 32 bits and 20, which a float holds exactly. */
const NAMES_MAX = 2 ** 20;

/** The points of some of the names. */
function pointsOf(names: readonly string[], indexes: readonly number[], points: number): Points {
  const packed = new Float64Array(indexes.length * points);
  let next = 0;
  for (const index of indexes) {
    const name = names[index] as string;
    // Two hashes: names that are equal in one of them still have points of their own.
    const [first, second] = [hash32(name, NAME_SEEDS[0]), hash32(name, NAME_SEEDS[1])];
    for (let i = 1; i <= points; i++) {
      const at = mixed(mixed(first ^ Math.imul(i, GOLDEN)) ^ second);
      packed[next++] = at * NAMES_MAX + index;
    }
  }
  packed.sort();
  const [at, of] = [new Uint32Array(packed.length), new Uint32Array(packed.length)];
  for (let i = 0; i < packed.length; i++) {
    const point = packed[i] as number;
    const place = Math.floor(point / NAMES_MAX);
    at[i] = place;
    of[i] = point - place * NAMES_MAX;
  }
  return { at, of };
}

function firstPoints(at: Uint32Array, bits: number): Uint32Array {
  const first = new Uint32Array(2 ** bits);
  const length = 2 ** (32 - bits);
  let point = 0;
  for (let stretch = 0, begins = 0; stretch < first.length; stretch++, begins += length) {
    while (point < at.length && (at[point] as number) < begins) point++;
    first[stretch] = point;
  }
  return first;
}
