/**
 * Rendezvous, or highest random weight (Thaler and Ravishankar 1998): every name and key have a weight, and the key
 * belongs to the name that weighs most. Nothing to build and a perfectly even split, for a look at every
 * name; for some dozens of names it is the simplest thing that works.
 */
import { hash32, mixed } from './hash.js';

const KEY_SEED = 0x6b657973;
const NAME_SEEDS = [0x6e616d65, 0x68727721] as const;

export class Rendezvous {
  /** In order of their text, each once: equal weights go to the first. */
  readonly names: readonly string[];
  readonly #first: Uint32Array;
  readonly #second: Uint32Array;

  constructor(names: Iterable<string>) {
    this.names = [...new Set(names)].sort();
    this.#first = Uint32Array.from(this.names, (name) => hash32(name, NAME_SEEDS[0]));
    this.#second = Uint32Array.from(this.names, (name) => hash32(name, NAME_SEEDS[1]));
  }

  /** Index into `names` of the one that the key belongs to; -1 if there is none. */
  indexOf(key: string): number {
    const hash = hash32(key, KEY_SEED);
    let best = -1;
    let heaviest = -1;
    for (let i = 0; i < this.#first.length; i++) {
      const weight = mixed(mixed(hash ^ (this.#first[i] as number)) ^ (this.#second[i] as number));
      if (weight > heaviest) {
        heaviest = weight;
        best = i;
      }
    }
    return best;
  }

  ownerOf(key: string): string | undefined {
    return this.names[this.indexOf(key)];
  }
}
