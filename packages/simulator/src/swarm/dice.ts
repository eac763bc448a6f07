/**
 * Chance for plans: a seeded stream, and the few draws that a plan is made of. Sums and products only,
 * so that every Node version draws alike.
 */
import { SeededRandom } from '../seeded-random.js';

export class Dice {
  readonly #random: SeededRandom;

  /** The stream that belongs to these words. */
  constructor(...words: readonly (string | number)[]) {
    this.#random = new SeededRandom('swarm', ...words);
  }

  next(): number {
    return this.#random.next();
  }

  /** True with this probability. */
  luck(probability: number): boolean {
    return this.next() < probability;
  }

  /** A whole number, both bounds included. */
  between(min: number, max: number): number {
    return min + Math.floor(this.next() * (max - min + 1));
  }

  pick<T>(from: readonly T[]): T {
    return from[Math.floor(this.next() * from.length)] as T;
  }

  /** So many of them, in their order. */
  some<T>(from: readonly T[], count: number): T[] {
    const left = [...from];
    while (left.length > Math.max(0, count)) left.splice(this.between(0, left.length - 1), 1);
    return left;
  }

  /** All of them, in another order. */
  shuffled<T>(from: readonly T[]): T[] {
    const left = [...from];
    return from.map(() => left.splice(this.between(0, left.length - 1), 1)[0] as T);
  }

  /** Two decimals between two bounds. */
  fraction(min: number, max: number): number {
    return Math.round((min + (max - min) * this.next()) * 100) / 100;
  }
}
