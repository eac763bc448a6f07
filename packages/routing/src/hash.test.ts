import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { hash32, mixed } from './hash.js';

/** As the reference has it, over bytes, without a care for speed. */
function murmur3(bytes: Uint8Array, seed: number): number {
  const rotated = (x: number, by: number) => (x << by) | (x >>> (32 - by));
  const scrambled = (x: number) => Math.imul(rotated(Math.imul(x, 0xcc9e2d51), 15), 0x1b873593);
  let hash = seed | 0;
  const whole = bytes.length - (bytes.length % 4);
  for (let i = 0; i < whole; i += 4) {
    const block = new DataView(bytes.buffer, bytes.byteOffset + i).getInt32(0, true);
    hash = (Math.imul(rotated(hash ^ scrambled(block), 13), 5) + 0xe6546b64) | 0;
  }
  const tail = [...bytes.subarray(whole)].reduce((sum, byte, i) => sum | (byte << (8 * i)), 0);
  if (bytes.length > whole) hash ^= scrambled(tail);
  return mixed(hash ^ bytes.length);
}

/** The text whose code units are these bytes in pairs. */
const paired = (bytes: string): string =>
  (bytes.match(/../gs) ?? [])
    .map(([low = '', high = '']) =>
      String.fromCharCode(low.charCodeAt(0) | (high.charCodeAt(0) << 8)),
    )
    .join('');

describe('the hash of a text', () => {
  it.each([
    ['', 0, 0],
    ['', 1, 0x514e28b7],
    ['', 0xffffffff, 0x81f16f39],
    ['test', 0, 0xba6bd213],
    ['test', 0x9747b28c, 0x704b81dc],
    ['aaaa', 0x9747b28c, 0x5a97808a],
    ['ab', 0x9747b28c, 0x74875592],
  ])('is that of the published vector for %j under seed %d', (bytes, seed, hash) => {
    expect(hash32(paired(bytes), seed)).toBe(hash);
  });

  it('is that of a plain implementation over the same bytes, for any text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.integer(), (text, seed) => {
        const codes = Uint16Array.from({ length: text.length }, (_, i) => text.charCodeAt(i));
        expect(hash32(text, seed)).toBe(murmur3(new Uint8Array(codes.buffer), seed));
      }),
    );
  });

  it('changes in about half of its bits when one bit of the text does', () => {
    let flipped = 0;
    const tries = 4_000;
    for (let i = 0; i < tries; i++) {
      let difference = hash32(`key-${i}`, 7) ^ hash32(`key-${i ^ 1}`, 7);
      for (; difference !== 0; difference &= difference - 1) flipped++;
    }
    expect(flipped / tries / 32).toBeCloseTo(0.5, 1);
  });
});
