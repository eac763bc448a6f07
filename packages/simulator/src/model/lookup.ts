/**
 * A function of small integers that is worked out once for each argument. Everything that ships is
 * pure, so what a process does next depends on the value it holds and nothing else; the search then
 * runs on table look-ups, and the shipped functions are called once for every new value.
 */
import { IntMap } from './int-map.js';

/** Nothing comes of it: the step is not allowed, or changes nothing. */
export const NONE = -1;

const UNKNOWN = -0x80000000;

/** For arguments that are counted up from 0. */
export class Lookup {
  #values = new Int32Array(256).fill(UNKNOWN);
  readonly #make: (index: number) => number;

  constructor(make: (index: number) => number) {
    this.#make = make;
  }

  at(index: number): number {
    if (index < this.#values.length) {
      const known = this.#values[index] as number;
      if (known !== UNKNOWN) return known;
    }
    return this.#learn(index);
  }

  #learn(index: number): number {
    const value = this.#make(index);
    if (index >= this.#values.length) {
      const longer = new Int32Array(Math.max(index + 1, this.#values.length * 2)).fill(UNKNOWN);
      longer.set(this.#values);
      this.#values = longer;
    }
    this.#values[index] = value;
    return value;
  }
}

/** For pairs of numbers of at most 16 bits each. */
export class PairLookup {
  readonly #map = new IntMap();
  readonly #make: (a: number, b: number) => number;

  constructor(make: (a: number, b: number) => number) {
    this.#make = make;
  }

  at(a: number, b: number): number {
    const key = a | (b << 16);
    const known = this.#map.get(key);
    if (known !== IntMap.ABSENT) return known;
    const value = this.#make(a, b);
    this.#map.set(key, value);
    return value;
  }
}
