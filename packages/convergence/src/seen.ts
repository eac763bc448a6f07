/**
 * Who is known to have held exactly one state: a bitset over the positions of that state's
 * electorate (R3, PROTOCOL "Seen"). A claim is a fact about the past, so it may be relayed,
 * repeated and delivered late; it must never be carried to other content, which `union` refuses to
 * do (X21).
 */
import { assert } from './assert.js';
import type { Fingerprint } from './fingerprint.js';
import type { NodeKey } from './node-key.js';
import type { State } from './state.js';

const bytesFor = (voters: number): number => (voters + 7) >> 3;

export class Seen {
  /** How many voters there are to see it. */
  readonly size: number;
  /** How many of them have. */
  readonly count: number;
  readonly #bits: Uint8Array;
  readonly #of: Fingerprint;

  private constructor(of: Fingerprint, size: number, bits: Uint8Array, count = countBits(bits)) {
    this.#of = of;
    this.size = size;
    this.#bits = bits;
    this.count = count;
  }

  /** Seen by this member; by nobody if it is no voter (Down, Exited, unknown). */
  static only(state: State, key: NodeKey): Seen {
    const size = state.electorateKeys.length;
    const bits = new Uint8Array(bytesFor(size));
    const index = state.electorateIndex(key);
    if (index >= 0) bits[index >> 3] = 1 << (index & 7);
    return new Seen(state.sum, size, bits);
  }

  static all(state: State): Seen {
    const size = state.electorateKeys.length;
    const bits = new Uint8Array(bytesFor(size)).fill(0xff);
    if (size & 7) bits[bits.length - 1] = (1 << (size & 7)) - 1;
    return new Seen(state.sum, size, bits, size);
  }

  /**
   * From the wire: voter `i` is bit `i & 7` of byte `i >> 3`. Undefined when the length is not that
   * of this electorate or a bit stands beyond it.
   */
  static fromBytes(state: State, bytes: Uint8Array): Seen | undefined {
    const size = state.electorateKeys.length;
    if (bytes.length !== bytesFor(size)) return undefined;
    const beyond = size & 7 ? 0xff << (size & 7) : 0;
    if ((bytes[bytes.length - 1] ?? 0) & beyond & 0xff) return undefined;
    return new Seen(state.sum, size, bytes.slice());
  }

  /** A copy, for the wire. */
  get bytes(): Uint8Array {
    return this.#bits.slice();
  }

  get isAll(): boolean {
    return this.count === this.size;
  }

  has(index: number): boolean {
    return (((this.#bits[index >> 3] ?? 0) >> (index & 7)) & 1) === 1;
  }

  hasKey(state: State, key: NodeKey): boolean {
    assert(this.isOf(state), 'seen is asked about its own state');
    const index = state.electorateIndex(key);
    return index >= 0 && this.has(index);
  }

  /** Whether these are claims about exactly this content. */
  isOf(state: State): boolean {
    return this.#of === state.sum || this.#of.equals(state.sum);
  }

  /** All claims of both; this object if the other has no news. */
  union(that: Seen): Seen {
    if (this === that || this.covers(that)) return this;
    if (that.covers(this)) return that;
    const bits = this.#bits.map((byte, i) => byte | (that.#bits[i] as number));
    return new Seen(this.#of, this.size, bits);
  }

  /** Whether every claim of the other is known here. */
  covers(that: Seen): boolean {
    assert(this.#of.equals(that.#of), 'claims about different states are never compared');
    return this.isAll || this.#bits.every((byte, i) => ((that.#bits[i] as number) & ~byte) === 0);
  }
}

function countBits(bits: Uint8Array): number {
  let count = 0;
  for (const byte of bits) {
    for (let rest = byte; rest !== 0; rest &= rest - 1) count += 1;
  }
  return count;
}
