import { expect, it } from 'vitest';
import { crashStudy } from './crash-study.js';
import { reported } from './reported.testing.js';

it('a crash is noticed as fast with the corrections as without them, and at least the patience later', async () => {
  const only = 'swim,lifeguard,grace,health,both';
  const { report } = await reported(crashStudy, { nodes: '32', seeds: '8', only });
  const { head, rows, svg } = report;
  expect(rows.map(([name]) => name)).toEqual(['SWIM', 'Lifeguard', '+ grace', '+ health', 'both']);
  const dead = rows.map((row) => Number(row[head.indexOf('DEAD SOMEWHERE')]));
  // Five times log10 32, after a probe that takes a second; and about as long until somebody probes it.
  for (const seconds of dead) {
    expect(seconds).toBeGreaterThan(7.5 + 1);
    expect(seconds).toBeLessThan(7.5 + 1 + 6);
  }
  expect(Math.max(...dead) - Math.min(...dead)).toBeLessThan(1);
  for (const row of rows) expect(row.slice(1).every((text) => Number(text) > 0)).toBe(true);
  expect(svg.match(/<polyline/g)).toHaveLength(5);
});

/** 4.52 s after the last heartbeat, which may have been an interval ago; a second for the others to hear of it. */
it.each([
  ['5', '1', 4],
  ['24', '10', 1],
])(
  'Rollcall: of %s nodes %s crash, and all others hold them unreachable in time',
  async (nodes, victims, seeds) => {
    const flags = { nodes, victims, seeds: String(seeds), only: 'rollcall' };
    const { report } = await reported(crashStudy, flags);
    const [row] = report.rows;
    expect(Number(row?.[1])).toBeGreaterThan(4.52 - 1);
    expect(Number(row?.at(-1))).toBeGreaterThan(4.52 - 1);
    expect(Number(row?.at(-1))).toBeLessThan(4.52 + 1 + 1);
  },
);

it('a crash that nobody notices is later than any other, and no time at all', () => {
  const [task] = crashStudy.tasks({ nodes: '5', seeds: '1', only: 'rollcall' });
  const never = { suspectedMs: 4_000, deadMs: undefined, deadEverywhereMs: undefined, steps: 1 };
  const times = { suspectedMs: 3_900, deadMs: 4_100, deadEverywhereMs: 4_200, steps: 1 };
  const rows = (...all: object[]) =>
    crashStudy.report(all.map((each) => ({ task, ...each })) as never).rows;
  expect(rows(never)).toEqual([['Rollcall', '4.00', ...Array(5).fill('never')]]);
  const [mixed] = rows(times, never, times);
  expect(mixed).toEqual(['Rollcall', '3.90', '4.10', 'never', '4.20', 'never', 'never']);
});

it('refuses by name what it cannot do', () => {
  expect(() => crashStudy.tasks({ nodes: '2' })).toThrow('--nodes');
  expect(() => crashStudy.tasks({ seeds: 'x' })).toThrow('--seeds');
  expect(() => crashStudy.tasks({ nodes: '10', victims: '5' })).toThrow('--victims');
  expect(() => crashStudy.tasks({ only: 'ring' })).toThrow('--only');
});
