/** The threshold study in small: more patience, later detection, fewer mistakes, for each detector. */
import { expect, it } from 'vitest';
import { groupBy } from './study.js';
import type { ThresholdResult, ThresholdTask } from './threshold-run.js';
import { thresholdStudy } from './threshold-study.js';

const all = thresholdStudy.tasks({ loss: '20', hours: '1', nodes: '8' }) as ThresholdTask[];
// Fleets of SWIM nodes take a while: the least and the most patient are enough.
const tasks = all.filter(({ setting }) => !/^multiplier [2-5]$/.test(setting));
const results: ThresholdResult[] = [];
for (const task of tasks) results.push((await thresholdStudy.perform(task)) as ThresholdResult);
const series = groupBy(results, ({ task }) => task.series);

it.each([...series.keys()])(
  '%s: the most patient setting is later and less often mistaken',
  (name) => {
    const [first, ...others] = (series.get(name) ?? []).map(({ quality }) => quality);
    const last = others.at(-1);
    expect(last?.detectionMs).toBeGreaterThan(first?.detectionMs as number);
    expect((last?.mistakes ?? 0) / (last?.virtualMs ?? 1)).toBeLessThanOrEqual(
      (first?.mistakes ?? 0) / (first?.virtualMs ?? 1),
    );
  },
);

it('two who must agree are mistaken less often than one, and hardly later', () => {
  const [one, two] = ['phi-normal', 'phi-normal, two agree'].map((name) =>
    (series.get(name) ?? []).map(({ quality }) => quality),
  );
  for (const [index, quality] of (two ?? []).entries()) {
    expect(quality.mistakes).toBeLessThanOrEqual(one?.[index]?.mistakes as number);
    expect(quality.detectionMs).toBeLessThan((one?.[index]?.detectionMs as number) + 1_500);
  }
});

it('Rollcall costs twice as much before scaling, and pays for it with time', () => {
  for (const { cost, task } of results) {
    if (task.contender.kind === 'heartbeats')
      expect(cost).toBe(task.series === 'Rollcall' ? 10 : 5);
  }
  const [rollcall, two] = ['Rollcall', 'phi-normal, two agree'].map((name) =>
    (series.get(name) ?? []).map(({ quality }) => quality.detectionMs),
  );
  rollcall?.forEach((ms, index) => {
    expect(ms).toBeGreaterThan(two?.[index] as number);
  });
});

it('has a row for every setting, and a line for every detector in the picture', () => {
  const { head, rows, svg } = thresholdStudy.report(results);
  expect(all).toHaveLength(42);
  expect(rows).toHaveLength(34);
  for (const row of rows) expect(row).toHaveLength(head.length);
  for (const name of series.keys()) expect(svg).toContain(`>${name}</text>`);
});

it.each([
  ['nodes', '5'],
  ['loss', '0'],
  ['hours', 'x'],
])('--%s %s is refused by name', (flag, value) => {
  expect(() => thresholdStudy.tasks({ [flag]: value })).toThrow(`--${flag}`);
});
