/**
 * The rings over one electorate as a graph on positions, for questions about everybody at once. Its
 * links are those of `baseNeighbours`; in an electorate of at most 2K + 1 everybody is linked to
 * everybody.
 */
import { type NodeKey, searchKeys } from './node-key.js';

/** Hash and position in one double: 32 bits and 20, so that a plain numeric sort orders a ring. */
const POSITIONS = 2 ** 20;

export class BaseGraph {
  /** The electorate in key order; a position is an index into it. */
  readonly keys: readonly NodeKey[];
  readonly #rings: readonly Uint32Array[];
  readonly #places: readonly Uint32Array[];
  readonly #isComplete: boolean;
  readonly #links: (readonly number[])[] = [];

  constructor(keys: readonly NodeKey[], hashes: readonly (readonly number[])[], rings: number) {
    this.keys = keys;
    this.#rings = Array.from({ length: rings }, (_, ring) =>
      orderOf(hashes.map((hash) => hash[ring] as number)),
    );
    this.#places = this.#rings.map(inverseOf);
    this.#isComplete = keys.length <= 2 * rings + 1;
  }

  ring(ring: number): readonly NodeKey[] {
    return Array.from(this.#rings[ring] ?? [], (position) => this.keys[position] as NodeKey);
  }

  /** Undefined for a key outside the electorate. */
  neighboursOf(key: NodeKey): readonly NodeKey[] | undefined {
    const position = searchKeys(this.keys, key);
    if (position < 0) return undefined;
    return this.linksAt(position).map((at) => this.keys[at] as NodeKey);
  }

  /** The positions linked to a position, each once and in order. */
  linksAt(position: number): readonly number[] {
    let links = this.#links[position];
    if (links === undefined) {
      links = [...new Set(this.#besideOnRings(position))].sort((a, b) => a - b);
      this.#links[position] = links;
    }
    return links;
  }

  #besideOnRings(position: number): readonly number[] {
    const n = this.keys.length;
    if (this.#isComplete) return this.keys.map((_, at) => at).filter((at) => at !== position);
    return this.#rings.flatMap((ring, index) => {
      const place = this.#places[index]?.[position] as number;
      return [ring[(place + 1) % n] as number, ring[(place + n - 1) % n] as number];
    });
  }

  /** On each ring and to each side the nearest that is not skipped: where an extended ring leads to. */
  linksPast(position: number, isSkipped: Uint8Array): readonly number[] {
    const n = this.keys.length;
    if (this.#isComplete) return [];
    const links: number[] = [];
    for (let index = 0; index < this.#rings.length; index += 1) {
      const ring = this.#rings[index] as Uint32Array;
      const place = this.#places[index]?.[position] as number;
      for (const step of [1, n - 1]) {
        let at = (place + step) % n;
        while (at !== place && isSkipped[ring[at] as number] === 1) at = (at + step) % n;
        if (at !== place) links.push(ring[at] as number);
      }
    }
    return links;
  }
}

/** Positions by hash, then by position, which is key order. */
function orderOf(hashes: readonly number[]): Uint32Array {
  const packed = Float64Array.from(
    hashes,
    (hash, position) => (hash >>> 0) * POSITIONS + position,
  ).sort();
  return Uint32Array.from(packed, (value) => value % POSITIONS);
}

function inverseOf(order: Uint32Array): Uint32Array {
  const places = new Uint32Array(order.length);
  order.forEach((position, place) => {
    places[position] = place;
  });
  return places;
}
