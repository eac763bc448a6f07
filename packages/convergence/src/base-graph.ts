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
    return this.neighboursAt(position).map((at) => this.keys[at] as NodeKey);
  }

  /** The positions linked to a position, in order, each once. */
  neighboursAt(position: number): readonly number[] {
    const n = this.keys.length;
    if (this.#isComplete) {
      return Array.from({ length: n }, (_, at) => at).filter((at) => at !== position);
    }
    const found = new Set<number>();
    this.#rings.forEach((ring, index) => {
      const place = this.#places[index]?.[position] as number;
      found.add(ring[(place + 1) % n] as number);
      found.add(ring[(place + n - 1) % n] as number);
    });
    return [...found].sort((a, b) => a - b);
  }
}

/** Positions by hash, then by position, which is key order. */
function orderOf(hashes: readonly number[]): Uint32Array {
  const packed = Float64Array.from(hashes, (hash, position) => hash * POSITIONS + position).sort();
  return Uint32Array.from(packed, (value) => value % POSITIONS);
}

function inverseOf(order: Uint32Array): Uint32Array {
  const places = new Uint32Array(order.length);
  order.forEach((position, place) => {
    places[position] = place;
  });
  return places;
}
