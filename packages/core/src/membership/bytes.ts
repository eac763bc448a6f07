/**
 * Bytes in and out for control frames: a growing writer and a reader that checks every bound.
 * Variable-length integers are LEB128; text is UTF-8 with its length before it. The pure folder has
 * no TextEncoder, hence the small transcoder.
 */

/** What the reader throws for bytes that are not what they claim; `decode` turns it into a reason. */
export class BadFrame extends Error {
  override readonly name = 'BadFrame';
}

const TEXT_BYTES_MAX = 4_096;

export class Writer {
  #bytes = new Uint8Array(64);
  #length = 0;

  byte(value: number): this {
    this.#room(1);
    this.#bytes[this.#length++] = value;
    return this;
  }

  /** A non-negative safe integer. */
  varint(value: number): this {
    let rest = value;
    while (rest >= 0x80) {
      this.byte((rest % 0x80) | 0x80);
      rest = Math.floor(rest / 0x80);
    }
    return this.byte(rest);
  }

  raw(bytes: Uint8Array): this {
    this.#room(bytes.length);
    this.#bytes.set(bytes, this.#length);
    this.#length += bytes.length;
    return this;
  }

  /** Bytes with their length before them. */
  sized(bytes: Uint8Array): this {
    return this.varint(bytes.length).raw(bytes);
  }

  text(value: string): this {
    if (!isAscii(value)) return this.sized(utf8(value));
    this.varint(value.length).#room(value.length);
    for (let i = 0; i < value.length; i++) this.#bytes[this.#length++] = value.charCodeAt(i);
    return this;
  }

  /** An even number of lower-case hex digits, two to the byte; the reader must know how many. */
  hex(digits: string): this {
    this.#room(digits.length / 2);
    for (let i = 0; i < digits.length; i += 2) {
      this.#bytes[this.#length++] =
        (nibble(digits.charCodeAt(i)) << 4) | nibble(digits.charCodeAt(i + 1));
    }
    return this;
  }

  /** A list whose items are each length-prefixed, so that a later version may append fields to one. */
  list<T>(items: readonly T[], write: (writer: Writer, item: T) => void): this {
    this.varint(items.length);
    for (const item of items) {
      const start = this.#length;
      write(this, item);
      this.#sizeBefore(start);
    }
    return this;
  }

  /** Moves what was written since `start` to make room for its length. */
  #sizeBefore(start: number): void {
    const end = this.#length;
    const size = end - start;
    this.varint(size);
    const shift = this.#length - end;
    this.#bytes.copyWithin(start + shift, start, end);
    this.#length = start;
    this.varint(size);
    this.#length = end + shift;
  }

  bytes(): Uint8Array {
    return this.#bytes.slice(0, this.#length);
  }

  #room(count: number): void {
    if (this.#length + count <= this.#bytes.length) return;
    const larger = new Uint8Array(Math.max(this.#bytes.length * 2, this.#length + count));
    larger.set(this.#bytes);
    this.#bytes = larger;
  }
}

export class Reader {
  readonly #bytes: Uint8Array;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  /** Whether nothing is left, so that fields appended by a later version are not there. */
  get isAtEnd(): boolean {
    return this.#at === this.#bytes.length;
  }

  byte(): number {
    const value = this.#bytes[this.#at];
    if (value === undefined) throw new BadFrame('ends too early');
    this.#at++;
    return value;
  }

  varint(): number {
    let value = 0;
    let scale = 1;
    for (let i = 0; i < 8; i++) {
      const byte = this.byte();
      value += (byte & 0x7f) * scale;
      if (byte < 0x80) {
        if (!Number.isSafeInteger(value)) throw new BadFrame('has a number out of range');
        return value;
      }
      scale *= 0x80;
    }
    throw new BadFrame('has a number out of range');
  }

  raw(length: number): Uint8Array {
    if (length > this.#bytes.length - this.#at) throw new BadFrame('ends too early');
    this.#at += length;
    return this.#bytes.subarray(this.#at - length, this.#at);
  }

  sized(): Uint8Array {
    return this.raw(this.varint());
  }

  text(bytesMax = TEXT_BYTES_MAX): string {
    const bytes = this.sized();
    if (bytes.length > bytesMax) throw new BadFrame(`has a text of more than ${bytesMax} bytes`);
    return fromUtf8(bytes);
  }

  hex(bytes: number): string {
    let digits = '';
    for (const byte of this.raw(bytes)) digits += HEX[byte];
    return digits;
  }

  /** @throws BadFrame before any of it is read, if there are more than `most` */
  list<T>(read: (reader: Reader) => T, most = Number.POSITIVE_INFINITY): T[] {
    const count = this.varint();
    if (count > most) throw new BadFrame(`has a list of more than ${most} items`);
    if (count > this.#bytes.length - this.#at) throw new BadFrame('has a list longer than itself');
    return Array.from({ length: count }, () => read(new Reader(this.sized())));
  }
}

const HEX = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'));

const nibble = (code: number): number => (code < 58 ? code - 48 : code - 87);

/** Keys, and nearly all other text: a byte a character, in no need of a transcoder. */
function isAscii(text: string): boolean {
  for (let i = 0; i < text.length; i++) if (text.charCodeAt(i) >= 0x80) return false;
  return true;
}

/** Lone surrogates become U+FFFD, as TextEncoder does. */
function utf8(text: string): Uint8Array {
  const bytes: number[] = [];
  for (const character of text) {
    let code = character.codePointAt(0) ?? 0;
    if (isSurrogate(code)) code = 0xfffd;
    if (code < 0x80) bytes.push(code);
    else if (code < 0x800) bytes.push(0xc0 | (code >> 6), tail(code));
    else if (code < 0x10000) bytes.push(0xe0 | (code >> 12), tail(code >> 6), tail(code));
    else bytes.push(0xf0 | (code >> 18), tail(code >> 12), tail(code >> 6), tail(code));
  }
  return Uint8Array.from(bytes);
}

const tail = (bits: number): number => 0x80 | (bits & 0x3f);

const isSurrogate = (code: number): boolean => code >= 0xd800 && code < 0xe000;

/** The first code that needs so many bytes after its lead: a text has one encoding only. */
const SHORTEST = [0, 0x80, 0x800, 0x10000] as const;

function fromUtf8(bytes: Uint8Array): string {
  // Spread arguments would be iterated one by one, at four times the cost.
  const plain: string = Reflect.apply(String.fromCharCode, null, bytes);
  if (isAscii(plain)) return plain;
  let text = '';
  for (let i = 0; i < bytes.length; ) {
    const lead = bytes[i] ?? 0;
    const extra = lead < 0x80 ? 0 : lead >= 0xf0 ? 3 : lead >= 0xe0 ? 2 : 1;
    let code = extra === 0 ? lead : lead & (0x3f >> extra);
    for (let j = 1; j <= extra; j++) {
      const next = bytes[i + j];
      if (next === undefined || next >> 6 !== 2) throw new BadFrame('has text that is not UTF-8');
      code = (code << 6) | (next & 0x3f);
    }
    const isLead = lead < 0x80 || (lead >= 0xc2 && lead <= 0xf4);
    if (!isLead || code < (SHORTEST[extra] ?? 0) || isSurrogate(code) || code > 0x10ffff)
      throw new BadFrame('has text that is not UTF-8');
    text += String.fromCodePoint(code);
    i += extra + 1;
  }
  return text;
}
