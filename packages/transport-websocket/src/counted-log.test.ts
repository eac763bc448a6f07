/** One line of each kind, then silence and a count. */
import { silentLogger } from '@rollcall/core';
import { expect, test } from 'vitest';
import { CountedLog } from './counted-log.js';

test('a kind is written once in ten seconds, with what was swallowed', () => {
  let nowMs = 0;
  const lines: object[] = [];
  const clock = { nowMs: () => nowMs, schedule: () => () => {} };
  const log = new CountedLog({ ...silentLogger, warn: (facts) => lines.push(facts) }, clock);
  for (let n = 0; n < 5; n += 1) log.warn('a', { n }, 'a');
  log.warn('b', {}, 'b');
  nowMs = 10_000;
  log.warn('a', { n: 5 }, 'a');
  expect(lines).toEqual([{ n: 0 }, {}, { n: 5, swallowed: 4 }]);
});
