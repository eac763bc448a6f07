import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Visited } from './visited.js';

/** Few different words, so that positions come back. */
const positions = fc.array(fc.tuple(fc.nat(3), fc.nat(2), fc.nat(40)), { maxLength: 400 });

test('takes in each position once, and gives it back', () => {
  fc.assert(
    fc.property(positions, (all) => {
      const visited = new Visited(3);
      const known = new Set<string>();
      for (const words of all) {
        const text = words.join();
        const index = visited.add(Uint32Array.from(words), known.size - 1);
        expect(index).toBe(known.has(text) ? -1 : known.size);
        known.add(text);
      }
      [...known].forEach((text, index) => {
        const key = new Uint32Array(3);
        visited.read(index, key);
        expect(key.join()).toBe(text);
        expect(visited.parentOf(index)).toBe(index - 1);
      });
    }),
  );
});

test('keeps apart what a hash might not, at any size', () => {
  const visited = new Visited(2);
  const key = new Uint32Array(2);
  const add = (high: number, low: number) => {
    key[0] = high;
    key[1] = low;
    return visited.add(key, -1);
  };
  for (let at = 0; at < 40_000; at += 1) expect(add(at >>> 4, at << 28)).toBe(at);
  for (let at = 0; at < 40_000; at += 1) expect(add(at >>> 4, at << 28)).toBe(-1);
  expect(visited.size).toBe(40_000);
});
