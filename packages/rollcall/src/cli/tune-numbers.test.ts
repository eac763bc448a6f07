import { expect, test } from 'vitest';
import { rate, span } from './tune-numbers.js';

test.each([
  [0, '0 ms'],
  [1e-8, '<0.1 ms'],
  [0.25, '0.250 ms'],
  [999.4, '999 ms'],
  [999.7, '1,000 ms'],
  [1_000, '1.00 s'],
  [119_999, '120 s'],
  [120_000, '2.00 min'],
  [7_200_000, '2.00 h'],
  [172_800_000, '2.00 days'],
  [63_072_000_000, '2.00 years'],
  [6.3072e14, '20,000 years'],
])('%d ms is %s', (ms, shown) => {
  expect(span(ms)).toBe(shown);
});

test.each([
  [undefined, false, 0, '?'],
  [1e-300, false, 0, '<0.001'],
  [0.0123, false, 0, '0.012'],
  [62_345, false, 0, '62,000'],
  [31_536_000, true, 0, '≥32M'],
  [2, false, 78.1, '<78'],
  [79, false, 78.1, '79'],
])('%d a year (at least: %s), of which %d can be spoken, is %s', (of, isAtLeast, least, shown) => {
  const cost = { threshold: 8, acceptablePauseMs: 0, detectionTimeMs: 0, seen: 0 };
  const figures = { mistakesPerYear: of, isAtLeast, mistakeDurationMs: undefined };
  expect(rate({ ...cost, ...figures }, least)).toBe(shown);
});
