import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { UNFINISHED, UnfinishedRuns } from './unfinished-runs.js';

const folder = mkdtempSync(join(tmpdir(), 'rollcall-unfinished-'));
afterAll(() => rmSync(folder, { recursive: true }));

const run = (weight: number) => ({ task: { study: 'probe', weight }, steps: 1 });

test('what is added after a line that was cut off is there the next time', () => {
  writeFileSync(join(folder, UNFINISHED), `${JSON.stringify(run(1))}\n{"task":{"stu`);
  new UnfinishedRuns(folder, true).add(run(2));
  const again = new UnfinishedRuns(folder, true);
  for (const weight of [1, 2]) expect(again.resultOf(run(weight).task)).toEqual(run(weight));
});

test.each(['{}', '5', 'null', '[]', '{"task":{}}', '{"task":5,"steps":1}', '"x"', '{'])(
  'a line that holds no run counts for nothing: %s',
  (line) => {
    writeFileSync(join(folder, UNFINISHED), `${line}\n${JSON.stringify(run(3))}\n`);
    const runs = new UnfinishedRuns(folder, true);
    runs.add(run(4));
    expect(runs.remove([run(4).task])).toBe(1);
    expect(readFileSync(join(folder, UNFINISHED), 'utf8')).toBe(`${JSON.stringify(run(3))}\n`);
    expect(new UnfinishedRuns(folder, false).thrownAway).toBe(1);
    expect(new UnfinishedRuns(folder, true).resultOf(run(3).task)).toBeUndefined();
  },
);
