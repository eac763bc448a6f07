import fc from 'fast-check';
import { expect, test } from 'vitest';
import { IntMap } from './int-map.js';

test('does what a Map of numbers does', () => {
  const entry = fc.tuple(fc.integer(), fc.integer({ min: -4, max: 2 ** 31 - 1 }));
  const near = fc.tuple(fc.integer({ min: 0, max: 5 }), fc.nat());
  fc.assert(
    fc.property(fc.array(fc.oneof(entry, near), { maxLength: 300 }), (entries) => {
      const map = new IntMap();
      const twin = new Map<number, number>();
      for (const [key, value] of entries) {
        expect(map.get(key)).toBe(twin.get(key) ?? IntMap.ABSENT);
        map.set(key, value);
        twin.set(key, value);
      }
      for (const [key, value] of twin) expect(map.get(key)).toBe(value);
      expect(map.size).toBe(twin.size);
    }),
  );
});

test('grows', () => {
  const map = new IntMap();
  for (let key = 0; key < 50_000; key += 1) map.set(key << 16, key);
  expect(map.get(49_999 << 16)).toBe(49_999);
  expect(map.get(50_000 << 16)).toBe(IntMap.ABSENT);
  expect(map.size).toBe(50_000);
});
