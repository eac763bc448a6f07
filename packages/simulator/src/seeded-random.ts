/**
 * Chance from a seed: core's Random over a stream of its own for whoever asks by name. What one node
 * draws never moves what another one gets, so adding a node leaves the others' luck alone.
 */
import type { Random } from '@rollcall/core';
import { xoroshiro128plusFromState } from 'pure-rand/generator/xoroshiro128plus';
import type { JumpableRandomGenerator } from 'pure-rand/types/JumpableRandomGenerator';

export class SeededRandom implements Random {
  readonly #generator: JumpableRandomGenerator;

  /** The stream that belongs to these words, e.g. a seed, a node's name and which of its runs it is. */
  constructor(...words: readonly (string | number)[]) {
    this.#generator = xoroshiro128plusFromState(stateOf(words.join('\n')));
    for (let round = 0; round < 16; round++) this.#generator.next();
  }

  /** Uniform in [0, 1), 53 bits. */
  next(): number {
    const high = this.#generator.next() >>> 5;
    const low = this.#generator.next() >>> 6;
    return (high * 0x4000000 + low) / 0x20000000000000;
  }

  /** 64 bits of the stream in 16 hexadecimal characters. */
  uid(): string {
    return this.#hex32() + this.#hex32();
  }

  #hex32(): string {
    return (this.#generator.next() >>> 0).toString(16).padStart(8, '0');
  }
}

/** 128 bits from a text: four FNV-like hashes that stir each other, never all zero. */
function stateOf(text: string): readonly number[] {
  let [a, b, c, d] = [0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344];
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    a = b ^ Math.imul(a ^ unit, 597399067);
    b = c ^ Math.imul(b ^ unit, 2869860233);
    c = d ^ Math.imul(c ^ unit, 951274213);
    d = a ^ Math.imul(d ^ unit, 2716044179);
  }
  return [a ^ (d >>> 16), b ^ (a >>> 16), c ^ (b >>> 16), (d ^ (c >>> 16)) | 1].map(
    (word) => word | 0,
  );
}
