import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { lineOf, UNFINISHED, UnfinishedRuns } from './unfinished-runs.js';

const folder = mkdtempSync(join(tmpdir(), 'rollcall-unfinished-'));
afterAll(() => rmSync(folder, { recursive: true }));

const run = (weight: number) => ({ task: { study: 'probe', weight }, steps: 1 });

test('what is added after a line that was cut off is there the next time', () => {
  writeFileSync(join(folder, UNFINISHED), `${lineOf(run(1))}{"sum":"5`);
  new UnfinishedRuns(folder, true).add(run(2));
  const again = new UnfinishedRuns(folder, true);
  for (const weight of [1, 2]) expect(again.resultOf(run(weight).task)).toEqual(run(weight));
});

const changed = lineOf(run(3)).replace('"steps":1', '"steps":"many"').trim();

test.each(['{}', '5', 'null', '[]', '{"run":{}}', '"x"', '{', '\0\uFFFD', changed])(
  'a line that holds no run counts for nothing: %s',
  (line) => {
    writeFileSync(join(folder, UNFINISHED), `${line}\n${lineOf(run(3))}`);
    const runs = new UnfinishedRuns(folder, true);
    expect(runs.unreadable).toBe(1);
    runs.add(run(4));
    expect(runs.remove([run(4).task])).toBe(1);
    expect(readFileSync(join(folder, UNFINISHED), 'utf8')).toBe(lineOf(run(3)));
    expect(new UnfinishedRuns(folder, false).thrownAway).toBe(1);
    expect(new UnfinishedRuns(folder, true).resultOf(run(3).task)).toBeUndefined();
  },
);
