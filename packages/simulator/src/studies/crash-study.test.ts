import { expect, it } from 'vitest';
import { crashStudy } from './crash-study.js';

it('a crash is noticed as fast with the corrections as without them, and at least the patience later', () => {
  const results = crashStudy.tasks({ nodes: '32', seeds: '8' }).map(crashStudy.perform);
  const { head, rows, svg } = crashStudy.report(results);
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

it('refuses by name what it cannot do', () => {
  expect(() => crashStudy.tasks({ nodes: '2' })).toThrow('--nodes');
  expect(() => crashStudy.tasks({ seeds: 'x' })).toThrow('--seeds');
});
