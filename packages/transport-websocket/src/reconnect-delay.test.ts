/** Back-off: how far apart dials are. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { reconnectDelay } from './reconnect-delay.js';

const limits = { reconnectMin: 100, reconnectMax: 3_000 };

test('is between the limits, whatever the attempt and the chance', () => {
  const chance = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });
  fc.assert(
    fc.property(fc.nat(), chance, fc.nat(10_000), fc.nat(100_000), (attempt, luck, min, more) => {
      const delay = reconnectDelay(attempt, luck, { reconnectMin: min, reconnectMax: min + more });
      expect(delay).toBeGreaterThanOrEqual(min);
      expect(delay).toBeLessThanOrEqual(min + more);
    }),
  );
});

test('the longest pause doubles until it is the limit', () => {
  const longest = [0, 1, 2, 3, 4, 5, 60].map((n) => reconnectDelay(n, 1, limits));
  expect(longest).toEqual([200, 400, 800, 1_600, 3_000, 3_000, 3_000]);
});

test('jitter is full: an unlucky dial may come as early as the first one', () => {
  expect(reconnectDelay(60, 0, limits)).toBe(100);
});
