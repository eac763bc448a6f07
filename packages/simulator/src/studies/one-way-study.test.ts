import { expect, it } from 'vitest';
import { oneWayStudy } from './one-way-study.js';
import { reported } from './reported.testing.js';

it('a one-way cut is noticed at both ends, within two intervals of a two-way cut', async () => {
  const { report } = await reported(oneWayStudy, { seeds: '3' });
  expect(report.rows.map(([cut, end]) => `${cut}, ${end}`)).toEqual([
    'two-way, sender',
    'two-way, receiver',
    'one-way, sender',
    'one-way, receiver',
    'flip-flop, sender',
    'flip-flop, receiver',
  ]);
  const worst = report.rows.map((row) => Number(row[4]));
  // Each end against itself, seed by seed the same moment; it is looked every 20 ms.
  worst.forEach((seconds, row) => {
    expect(seconds).toBeLessThanOrEqual((worst[row % 2] as number) + 2 + 0.02);
  });
  for (const row of report.rows) expect(row[2]).toBe('3 of 3');
  // One link is nobody's death.
  expect(report.rows.map((row) => row[5])).toEqual(Array(6).fill('0'));
  expect(() => oneWayStudy.tasks({ nodes: '2' })).toThrow('--nodes');
});
