/** The rate limit of one connection. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { TokenBucket } from './token-bucket.js';

const takeAt = (bucket: TokenBucket, nowMs: number, times: number): number => {
  let taken = 0;
  for (let i = 0; i < times; i += 1) if (bucket.take(nowMs)) taken += 1;
  return taken;
};

test('one second of frames may come at once, and no more', () => {
  expect(takeAt(new TokenBucket(50, 0), 0, 80)).toBe(50);
});

test('it fills as time passes, and not above a second', () => {
  const bucket = new TokenBucket(50, 0);
  takeAt(bucket, 0, 50);
  expect(takeAt(bucket, 100, 80)).toBe(5);
  expect(takeAt(bucket, 60_000, 80)).toBe(50);
});

test('over any stretch no more pass than one burst and the rate', () => {
  const gaps = fc.array(fc.tuple(fc.nat(300), fc.nat(30)), { minLength: 1, maxLength: 50 });
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 200 }), gaps, (perSecond, steps) => {
      const bucket = new TokenBucket(perSecond, 0);
      let nowMs = 0;
      let taken = 0;
      for (const [gapMs, times] of steps) {
        nowMs += gapMs;
        taken += takeAt(bucket, nowMs, times);
      }
      expect(taken).toBeLessThanOrEqual(perSecond + (nowMs / 1_000) * perSecond + 1e-6);
    }),
  );
});
