/**
 * Published values: the verification procedure of SMHasher, by which every implementation of
 * MurmurHash3 is recognised, and well-known texts.
 */
import { expect, test } from 'vitest';
import { bytesOf, murmur32, murmur32OfBytes, murmur128, murmur128OfBytes } from './hash.js';

const hex = (lane: number): string => (lane >>> 0).toString(16).padStart(8, '0');

/** A hash as its bytes, each word least significant first. */
const littleEndian = (lanes: readonly number[]): string =>
  lanes
    .map((lane) => String.fromCharCode(...[0, 8, 16, 24].map((by) => (lane >>> by) & 255)))
    .join('');

/** SMHasher: hash the keys 0, 01, 012, … of 0 to 255 bytes, then hash the hashes. */
function verification(hash: (bytes: string, seed: number) => readonly number[]): number {
  let hashes = '';
  let key = '';
  for (let length = 0; length < 256; length += 1) {
    hashes += littleEndian(hash(key, 256 - length));
    key += String.fromCharCode(length);
  }
  return (hash(hashes, 0)[0] as number) >>> 0;
}

test('MurmurHash3_x86_32 passes the verification of SMHasher', () => {
  expect(verification((bytes, seed) => [murmur32OfBytes(bytes, seed)])).toBe(0xb0f57ee3);
});

test('MurmurHash3_x86_128 passes the verification of SMHasher', () => {
  expect(verification(murmur128OfBytes)).toBe(0xb3ece62a);
});

test.each([
  ['', 0, 0],
  ['', 1, 0x514e28b7],
  ['', 0xffffffff, 0x81f16f39],
  ['test', 0, 0xba6bd213],
  ['test', 0x9747b28c, 0x704b81dc],
  ['Hello, world!', 0, 0xc0363e43],
  ['Hello, world!', 0x9747b28c, 0x24884cba],
  ['The quick brown fox jumps over the lazy dog', 0, 0x2e4ff723],
  ['The quick brown fox jumps over the lazy dog', 0x9747b28c, 0x2fa826cd],
  ['ππππππππ', 0x9747b28c, 0xd58063c1],
])('murmur32 of %j with seed %i', (text, seed, expected) => {
  expect(hex(murmur32(text, seed))).toBe(hex(expected));
});

test.each([
  ['', '00000000000000000000000000000000'],
  ['The quick brown fox jumps over the lazy dog', '2f1583c3ecee2c675d7bf66ce5e91d2c'],
  ['I will not buy this record, it is scratched.', 'a0a9683b25ac5e40d9af2895890dddf5'],
  ['Straße 😀', 'd2e82e146614d13074d82160164236dc'],
])('murmur128 of %j', (text, expected) => {
  expect(murmur128(text, 0).map(hex).join('')).toBe(expected);
});

test('text is hashed as UTF-8', () => {
  const text = 'aé€😀\ud800';
  const bytes = [...new TextEncoder().encode(text)];
  expect([...bytesOf(text)].map((byte) => byte.charCodeAt(0))).toEqual(bytes);
});
