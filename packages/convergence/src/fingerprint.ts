/**
 * A 128-bit sum of hashes, and the digest it is written as. Hashes are added lane by lane, so the
 * sum does not depend on order and an entry is exchanged by one subtraction and one addition: the
 * digest of a state is kept, never recomputed (PROTOCOL "Digest").
 */
import { type Lanes, murmur128 } from './hash.js';

/** A state's content as 32 hexadecimal digits. Equal digests mean equal states. */
export type Digest = string & { readonly __digest?: never };

const hex = (lane: number): string => (lane >>> 0).toString(16).padStart(8, '0');

export class Fingerprint {
  static readonly zero = new Fingerprint(0, 0, 0, 0);

  readonly a: number;
  readonly b: number;
  readonly c: number;
  readonly d: number;

  private constructor(a: number, b: number, c: number, d: number) {
    this.a = a | 0;
    this.b = b | 0;
    this.c = c | 0;
    this.d = d | 0;
  }

  static of(text: string): Fingerprint {
    const [a, b, c, d]: Lanes = murmur128(text, 0);
    return new Fingerprint(a, b, c, d);
  }

  plus(that: Fingerprint): Fingerprint {
    return new Fingerprint(this.a + that.a, this.b + that.b, this.c + that.c, this.d + that.d);
  }

  minus(that: Fingerprint): Fingerprint {
    return new Fingerprint(this.a - that.a, this.b - that.b, this.c - that.c, this.d - that.d);
  }

  equals(that: Fingerprint): boolean {
    return this.a === that.a && this.b === that.b && this.c === that.c && this.d === that.d;
  }

  get digest(): Digest {
    return hex(this.a) + hex(this.b) + hex(this.c) + hex(this.d);
  }

  /** One lane, as 8 hexadecimal digits: enough to notice that a bucket differs, not to trust. */
  get short(): string {
    return hex(this.a);
  }
}
