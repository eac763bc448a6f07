import { expect, test } from 'vitest';
import { perform } from './outcome.js';
import { listText, runRow, summary, transcriptText, variantRow } from './report.js';
import { allRuns } from './runs.js';
import { variants } from './variants.js';

const watch = () => 0;
const performed = (kind: 'run' | 'variant', name: string) =>
  perform({ kind, name, maxStates: null }, watch, () => undefined);

test('a counterexample reads like the listed ones, with what each step made', () => {
  expect(transcriptText(performed('variant', 'X13'))).toMatchInlineSnapshot(`
    "X13: nobody remembers who was removed (R10)

      1  Down A->B                A: @4 A:Up1 B:Down2 C:Up3 seen A
      2  A->C                     C: @4 A:Up1 B:Down2 C:Up3 seen A,C
      3  f@C                      C: @5 A:Up1 C:Up3 seen C
      4  A->C                     C: @5 A:Up1 B:Down2 C:Up3 seen C

      Down A->B; A->C; f@C; A->C

      violates I2: removed unique address came back: B#1"
  `);
});

test('rows', () => {
  expect(runRow(performed('run', 'L06'))).toMatchInlineSnapshot(
    `"L06            holds               262           549     14           36     0.0  a partition that stays; 4 rests"`,
  );
  expect(variantRow(performed('variant', 'X13'))).toMatchInlineSnapshot(
    `"X13   I2 in 4 steps (listed: 4)                 144 nobody remembers who was removed (R10)"`,
  );
});

test('a summary counts states of runs, and variants apart', () => {
  const outcomes = [performed('run', 'L06'), performed('variant', 'X13')];
  expect(summary(outcomes)).toMatchInlineSnapshot(
    `"1 configurations, 262 states, 549 transitions; 1 complete, 0 truncated; 0 violations; 1 of 1 variants as expected"`,
  );
});

test('a run that is cut short, and a violation where none should be, are told', () => {
  const short = perform({ kind: 'run', name: 'S11', maxStates: 100 }, watch, () => undefined);
  expect(runRow(short)).toContain('TRUNCATED');
  const held = { ...performed('variant', 'X13'), violation: null, asExpected: false };
  expect(variantRow(held)).toContain('NOT AS EXPECTED');
});

test('every run and variant has a name of its own, and is listed', () => {
  const names = [...allRuns, ...variants].map(({ name }) => name);
  expect(new Set(names).size).toBe(names.length);
  const lines = listText().split('\n');
  for (const name of names) expect(lines.some((line) => line.includes(name))).toBe(true);
});
