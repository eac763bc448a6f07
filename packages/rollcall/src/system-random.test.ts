import { expect, test } from 'vitest';
import { systemRandom } from './system-random.js';

test('numbers from 0 up to 1, spread out', () => {
  const numbers = Array.from({ length: 2_000 }, () => systemRandom.next());
  expect(numbers.every((each) => each >= 0 && each < 1)).toBe(true);
  const mean = numbers.reduce((sum, each) => sum + each, 0) / numbers.length;
  expect(Math.abs(mean - 0.5)).toBeLessThan(0.05);
});

test('a uid is 16 hex characters and does not come twice', () => {
  const uids = Array.from({ length: 1_000 }, () => systemRandom.uid());
  expect(uids.every((each) => /^[\da-f]{16}$/.test(each))).toBe(true);
  expect(new Set(uids).size).toBe(uids.length);
});
