/**
 * A hash map from integers to integers, in two typed arrays. What is worked out about one process
 * is looked up some million times a second, and a `Map` with boxed numbers is several times slower.
 */
const GOLDEN = 0x9e3779b1;
const FREE = -0x80000000;

export class IntMap {
  #keys = new Int32Array(1 << 10);
  #values = new Int32Array(1 << 10).fill(FREE);
  #shift = 22;
  #size = 0;

  get size(): number {
    return this.#size;
  }

  /** The value, or `IntMap.ABSENT`. */
  get(key: number): number {
    return this.#values[this.#slotOf(key)] as number;
  }

  /** `ABSENT` itself cannot be stored. */
  set(key: number, value: number): void {
    if (this.#size * 5 > this.#keys.length * 3) this.#grow();
    const slot = this.#slotOf(key);
    if (this.#values[slot] === FREE) this.#size += 1;
    this.#keys[slot] = key;
    this.#values[slot] = value;
  }

  static readonly ABSENT = FREE;

  #slotOf(key: number): number {
    const keys = this.#keys;
    const values = this.#values;
    const last = keys.length - 1;
    let slot = Math.imul(key ^ (key >>> 15), GOLDEN) >>> this.#shift;
    while (values[slot] !== FREE && keys[slot] !== key) slot = (slot + 1) & last;
    return slot;
  }

  #grow(): void {
    const [keys, values] = [this.#keys, this.#values];
    this.#keys = new Int32Array(keys.length * 2);
    this.#values = new Int32Array(keys.length * 2).fill(FREE);
    this.#shift -= 1;
    this.#size = 0;
    for (let at = 0; at < keys.length; at += 1) {
      if (values[at] !== FREE) this.set(keys[at] as number, values[at] as number);
    }
  }
}
