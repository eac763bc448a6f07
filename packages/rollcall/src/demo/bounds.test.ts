import { readSettings } from '@rollcall/core';
import { describe, expect, test } from 'vitest';
import { boundsOf, tripTimeMs } from './bounds.js';

describe('the trip time', () => {
  test.each([
    ['the defaults', {}, 4_522.6],
    ['a shorter pause', { 'detector.acceptablePause': '1s' }, 2_522.6],
    ['the deadline', { 'detector.kind': 'deadline' }, 4_000],
    ['phi-exponential', { 'detector.kind': 'phi-exponential' }, 18_420.7],
  ])('with %s', (_, given, expected) => {
    expect(tripTimeMs(readSettings(given))).toBeCloseTo(expected, 0);
  });
});

test('bounds follow the settings', () => {
  const { unreachable, removed } = boundsOf(readSettings({ downing: { stableAfter: '5s' } }));
  expect(unreachable.ms).toBeCloseTo(5_522.6, 0);
  expect(removed).toEqual({ ms: 7_000, because: 'downing.stableAfter 5.0 s, and 2 s to agree' });
});
