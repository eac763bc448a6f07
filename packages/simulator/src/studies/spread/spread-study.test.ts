/** The spread study in small, against what an independent simulation of the same rules has found. */
import { expect, it } from 'vitest';
import { SeededRandom } from '../../seeded-random.js';
import { reported } from '../reported.testing.js';
import { spread } from './rumour.js';
import { spreadStudy } from './spread-study.js';

it('takes about as many rounds as the literature says', async () => {
  const { report } = await reported(spreadStudy, { runs: '60' });
  const rounds = report.rows.map((row) => Number(row[2]));
  const expected = [10.11, 8.27, 5.5, 15.83, 12.26, 8.14, 21.48, 15.95, 10.62];
  expect(rounds).toHaveLength(expected.length);
  rounds.forEach((found, i) => {
    expect(Math.abs(found - (expected[i] as number))).toBeLessThan(0.7);
  });
  expect(report.svg.match(/<polyline/g)).toHaveLength(3);
});

it('push slows down at the end, pull and push-pull do not', async () => {
  const { report } = await reported(spreadStudy, { sizes: '1000', runs: '40' });
  const [push = 0, pull = 0, both = 0] = report.rows.map((row) => Number(row[5]));
  expect(push).toBeGreaterThan(pull + 2);
  expect(pull).toBeLessThan(5);
  expect(both).toBeLessThan(4);
});

it('nobody forgets, and at most twice as many know after a round of pushing', () => {
  const { knowing } = spread('push', 500, new SeededRandom(1));
  for (let round = 1; round < knowing.length; round++) {
    const [before, after] = [knowing[round - 1] as number, knowing[round] as number];
    expect(after).toBeGreaterThanOrEqual(before);
    expect(after).toBeLessThanOrEqual(2 * before);
  }
  expect(knowing.at(-1)).toBe(500);
});

it.each([
  ['sizes', '40,1'],
  ['sizes', 'many'],
  ['runs', '0'],
])('--%s %s is refused by name', (flag, value) => {
  expect(() => spreadStudy.tasks({ [flag]: value })).toThrow(`--${flag}`);
});
