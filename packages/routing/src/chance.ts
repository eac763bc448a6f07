/**
 * Chance for picks: small, fast, and from a seed. A node's Random port may be the operating system's, which is
 * too dear for every message; so it is asked for a seed once. The generator is sfc32 of PractRand (Doty-Humphrey).
 */
import type { Random } from '@rollcall/core';

const WARM_UP = 12;
const UNIT = 2 ** -32;

export class Chance {
  readonly #words = new Int32Array(4);

  constructor(random: Random) {
    for (let i = 0; i < 3; i++) this.#words[i] = random.next() * 2 ** 32;
    this.#words[3] = 1;
    for (let i = 0; i < WARM_UP; i++) this.#next();
  }

  /** Uniform among 0 … count-1. */
  below(count: number): number {
    return (this.unit() * count) | 0;
  }

  /** Uniform in [0, 1). */
  unit(): number {
    return (this.#next() >>> 0) * UNIT;
  }

  #next(): number {
    const words = this.#words;
    const [a, b, c, count] = [
      words[0] as number,
      words[1] as number,
      words[2] as number,
      words[3] as number,
    ];
    const sum = (((a + b) | 0) + count) | 0;
    words[3] = count + 1;
    words[0] = b ^ (b >>> 9);
    words[1] = (c + (c << 3)) | 0;
    words[2] = (((c << 21) | (c >>> 11)) + sum) | 0;
    return sum;
  }
}
