import { expect, test } from 'vitest';
import { Lookup, PairLookup } from './lookup.js';

test('asks once for each number', () => {
  const asked: number[] = [];
  const squares = new Lookup((n) => {
    asked.push(n);
    return n * n;
  });
  expect([3, 900, 3, 900, 0].map((n) => squares.at(n))).toEqual([9, 810_000, 9, 810_000, 0]);
  expect(asked).toEqual([3, 900, 0]);
});

test('asks once for each pair, in either order', () => {
  let asked = 0;
  const sums = new PairLookup((a, b) => {
    asked += 1;
    return 2 * a + b;
  });
  const pairs = [
    [1, 65_535],
    [65_535, 1],
    [1, 65_535],
  ] as const;
  expect(pairs.map(([a, b]) => sums.at(a, b))).toEqual([65_537, 131_071, 65_537]);
  expect(asked).toBe(2);
});

test('may be asked while it works something out', () => {
  const fibonacci: Lookup = new Lookup((n) =>
    n < 2 ? n : fibonacci.at(n - 1) + fibonacci.at(n - 2),
  );
  expect(fibonacci.at(40)).toBe(102_334_155);
});
