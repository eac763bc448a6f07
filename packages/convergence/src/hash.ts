/**
 * MurmurHash3, the 32-bit and the 128-bit variant for x86, over the UTF-8 bytes of a string. Every
 * node must compute the same rings and the same digests, so the function is named in the settings
 * digest and pinned by published vectors. It is no defence against someone who forges collisions;
 * that is what the link's secret and TLS are for.
 */

/** A 128-bit hash as four signed 32-bit lanes. */
export type Lanes = readonly [a: number, b: number, c: number, d: number];

/** MurmurHash3_x86_32 of the text's UTF-8 bytes, as an unsigned number. */
export const murmur32 = (text: string, seed: number): number =>
  murmur32OfBytes(bytesOf(text), seed);

/** MurmurHash3_x86_128 of the text's UTF-8 bytes. */
export const murmur128 = (text: string, seed: number): Lanes =>
  murmur128OfBytes(bytesOf(text), seed);

/**
 * The UTF-8 bytes of a text, one byte a character, so that plain ASCII is its own encoding and
 * costs nothing. A lone surrogate becomes U+FFFD, as everywhere else.
 */
export function bytesOf(text: string): string {
  let ascii = true;
  for (let i = 0; i < text.length && ascii; i += 1) ascii = text.charCodeAt(i) < 0x80;
  if (ascii) return text;
  let bytes = '';
  for (const character of text) bytes += utf8(character.codePointAt(0) ?? 0);
  return bytes;
}

function utf8(point: number): string {
  const c = point >= 0xd800 && point <= 0xdfff ? 0xfffd : point;
  const tail = (shift: number) => 0x80 | ((c >> shift) & 0x3f);
  if (c < 0x80) return String.fromCharCode(c);
  if (c < 0x800) return String.fromCharCode(0xc0 | (c >> 6), tail(0));
  if (c < 0x10000) return String.fromCharCode(0xe0 | (c >> 12), tail(6), tail(0));
  return String.fromCharCode(0xf0 | (c >> 18), tail(12), tail(6), tail(0));
}

/** Four bytes from `at`, least significant first. */
const word = (bytes: string, at: number): number =>
  bytes.charCodeAt(at) |
  (bytes.charCodeAt(at + 1) << 8) |
  (bytes.charCodeAt(at + 2) << 16) |
  (bytes.charCodeAt(at + 3) << 24);

/** What is left of a word at the end: the bytes from `at` up to `end`, at most four. */
function partialWord(bytes: string, at: number, end: number): number {
  let value = 0;
  for (let i = Math.min(at + 4, end) - 1; i >= at; i -= 1)
    value = (value << 8) | bytes.charCodeAt(i);
  return value;
}

const rotate = (value: number, by: number): number => (value << by) | (value >>> (32 - by));

function finish(hash: number): number {
  let h = hash ^ (hash >>> 16);
  h = Math.imul(h, 0x85ebca6b);
  h ^= h >>> 13;
  h = Math.imul(h, 0xc2b2ae35);
  return h ^ (h >>> 16);
}

const mix32 = (k: number): number => Math.imul(rotate(Math.imul(k, 0xcc9e2d51), 15), 0x1b873593);

/** The 32-bit variant over a string that holds one byte a character. */
export function murmur32OfBytes(bytes: string, seed: number): number {
  const length = bytes.length;
  const whole = length & ~3;
  let h = seed | 0;
  for (let i = 0; i < whole; i += 4) {
    h = (Math.imul(rotate(h ^ mix32(word(bytes, i)), 13), 5) + 0xe6546b64) | 0;
  }
  if (whole < length) h ^= mix32(partialWord(bytes, whole, length));
  return finish(h ^ length) >>> 0;
}

const C1 = 0x239b961b;
const C2 = 0xab0e9789;
const C3 = 0x38b34ae5;
const C4 = 0xa1e38b93;

const mixA = (k: number): number => Math.imul(rotate(Math.imul(k, C1), 15), C2);
const mixB = (k: number): number => Math.imul(rotate(Math.imul(k, C2), 16), C3);
const mixC = (k: number): number => Math.imul(rotate(Math.imul(k, C3), 17), C4);
const mixD = (k: number): number => Math.imul(rotate(Math.imul(k, C4), 18), C1);

/** The 128-bit variant over a string that holds one byte a character. */
export function murmur128OfBytes(bytes: string, seed: number): Lanes {
  const length = bytes.length;
  const whole = length & ~15;
  let a = seed | 0;
  let b = a;
  let c = a;
  let d = a;
  for (let i = 0; i < whole; i += 16) {
    a = (Math.imul((rotate(a ^ mixA(word(bytes, i)), 19) + b) | 0, 5) + 0x561ccd1b) | 0;
    b = (Math.imul((rotate(b ^ mixB(word(bytes, i + 4)), 17) + c) | 0, 5) + 0x0bcaa747) | 0;
    c = (Math.imul((rotate(c ^ mixC(word(bytes, i + 8)), 15) + d) | 0, 5) + 0x96cd1c35) | 0;
    d = (Math.imul((rotate(d ^ mixD(word(bytes, i + 12)), 13) + a) | 0, 5) + 0x32ac3b17) | 0;
  }
  // A word that is not there reads as 0, and 0 mixes to 0: nothing to skip.
  a ^= mixA(partialWord(bytes, whole, length)) ^ length;
  b ^= mixB(partialWord(bytes, whole + 4, length)) ^ length;
  c ^= mixC(partialWord(bytes, whole + 8, length)) ^ length;
  d ^= mixD(partialWord(bytes, whole + 12, length)) ^ length;
  const sum = (a + b + c + d) | 0;
  const first = finish(sum);
  const second = finish((b + sum) | 0);
  const third = finish((c + sum) | 0);
  const fourth = finish((d + sum) | 0);
  const total = (first + second + third + fourth) | 0;
  return [total, (second + total) | 0, (third + total) | 0, (fourth + total) | 0];
}
