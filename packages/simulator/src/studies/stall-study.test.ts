/** The stall study in small: whoever runs all the time is not convicted by those who wake. */
import { expect, it } from 'vitest';
import { reported } from './reported.testing.js';
import { stallStudy } from './stall-study.js';

it('Rollcall holds those unreachable that stand still, and convicts nobody else', async () => {
  const flags = { nodes: '8', minutes: '12', only: 'central,all-to-all,rollcall' };
  const { report, results } = await reported(stallStudy, flags);
  const { head, rows, svg } = report;
  expect(rows.map(([what, protocol]) => `${what}, ${protocol}`)).toEqual([
    'stalling: 1 of 8, central checker',
    'stalling: 1 of 8, all-to-all',
    'stalling: 1 of 8, Rollcall',
  ]);
  const column = (name: string) => rows.map((row) => row[head.indexOf(name)]);
  expect(column('HEALTHY CONVICTED').at(-1)).toBe('0');
  for (const held of column('FAULTY HELD'))
    expect(Number.parseInt(held ?? '', 10)).toBeGreaterThan(2);
  expect(svg).toContain('>1 of 8</text>');
  const again = await reported(stallStudy, { ...flags, only: 'all-to-all' });
  expect(again.results[0]).toEqual(results[1]);
});

it('all percentages, a virtual day each', () => {
  const tasks = stallStudy.tasks({ nodes: '100', only: 'rollcall' });
  expect(tasks).toHaveLength(3 * 6);
  expect(() => stallStudy.tasks({ nodes: '2' })).toThrow('--nodes');
});
