/**
 * The positions that were reached, each as a few 32-bit words in one long array, in the order in
 * which a breadth-first search met them; beside each the one it was reached from. Comparison is
 * exact: two positions are the same when all their words are, whatever their hashes say.
 */
const FIRST_ROOM = 1 << 12;

export class Visited {
  readonly #words: number;
  #arena: Uint32Array;
  #parents: Int32Array;
  /** Open addressing; 1 + the index of a position, or 0. */
  #slots = new Int32Array(FIRST_ROOM * 2);
  #size = 0;

  constructor(words: number) {
    this.#words = words;
    this.#arena = new Uint32Array(words * FIRST_ROOM);
    this.#parents = new Int32Array(FIRST_ROOM);
  }

  get size(): number {
    return this.#size;
  }

  /** The index of a position that is new, or -1 for one that is known. */
  add(key: Uint32Array, parent: number): number {
    const words = this.#words;
    const arena = this.#arena;
    const slots = this.#slots;
    const last = slots.length - 1;
    let slot = hash(key, words) & last;
    for (;;) {
      const found = slots[slot] as number;
      if (found === 0) break;
      const start = (found - 1) * words;
      let word = 0;
      while (word < words && arena[start + word] === key[word]) word += 1;
      if (word === words) return -1;
      slot = (slot + 1) & last;
    }
    return this.#append(key, parent, slot);
  }

  #append(key: Uint32Array, parent: number, slot: number): number {
    const index = this.#size;
    if (index === this.#parents.length) this.#extend();
    const start = index * this.#words;
    for (let word = 0; word < this.#words; word += 1) {
      this.#arena[start + word] = key[word] as number;
    }
    this.#parents[index] = parent;
    this.#slots[slot] = index + 1;
    this.#size = index + 1;
    if (this.#size * 8 > this.#slots.length * 5) this.#rehash();
    return index;
  }

  read(index: number, into: Uint32Array): void {
    const start = index * this.#words;
    for (let word = 0; word < this.#words; word += 1) {
      into[word] = this.#arena[start + word] as number;
    }
  }

  parentOf(index: number): number {
    return this.#parents[index] as number;
  }

  #extend(): void {
    const room = this.#parents.length * 2;
    const arena = new Uint32Array(room * this.#words);
    arena.set(this.#arena);
    this.#arena = arena;
    const parents = new Int32Array(room);
    parents.set(this.#parents);
    this.#parents = parents;
  }

  #rehash(): void {
    const slots = new Int32Array(this.#slots.length * 2);
    const last = slots.length - 1;
    const key = new Uint32Array(this.#words);
    for (let index = 0; index < this.#size; index += 1) {
      this.read(index, key);
      let slot = hash(key, this.#words) & last;
      while (slots[slot] !== 0) slot = (slot + 1) & last;
      slots[slot] = index + 1;
    }
    this.#slots = slots;
  }
}

function hash(key: Uint32Array, words: number): number {
  let h = 0x2545f491;
  for (let word = 0; word < words; word += 1) {
    h = Math.imul(h ^ (key[word] as number), 0x85ebca6b);
    h ^= h >>> 13;
  }
  h = Math.imul(h, 0xc2b2ae35);
  return (h ^ (h >>> 16)) >>> 0;
}
