/** What studies read from flags. */
import { expect, it } from 'vitest';
import { studyNamed } from './studies.js';

it.each<[string, string, string, string]>([
  ['loss', 'cases', '10,10', '10'],
  ['stall', 'cases', '3, 1,3', '3,1'],
  ['crash', 'only', 'swim, swim', 'swim'],
  ['central', 'only', 'swim,ring,swim', 'swim,ring'],
  ['cut-off', 'only', 'swim,both,swim', 'swim,both'],
  ['cut-off', 'cells', '1x10,8x16,1x10.0,01x10', '1x10,8x16'],
  ['spread', 'sizes', '40,040,400', '40,400'],
])('rollcall study %s --%s %s has each run once, as %s has', (name, flag, twice, once) => {
  const { tasks } = studyNamed(name);
  expect(tasks({ [flag]: twice })).toEqual(tasks({ [flag]: once }));
});
