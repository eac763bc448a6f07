/**
 * Random histories of production nodes: those of this commit, and every one that ever failed. `npm test`
 * lives through a fixed set beside these. `rollcall simulate` replays what fails, line by line.
 */
import { readFileSync } from 'node:fs';
import { planOf, readReplay, reduce, replayWords, survive } from '@rollcall/simulator';
import { describe, expect, test } from 'vitest';

const OF_COMMIT = 20;
/** For a machine that is busy; most take a tenth of a second. */
const TIMEOUT_MS = 300_000;

const commit = 1_000_000 + Number(process.env.ROLLCALL_SEED ?? 0);
const ofCommit = Array.from({ length: OF_COMMIT }, (_, i) => replayWords(commit + i));
const known = readFileSync(new URL('seeds.txt', import.meta.url), 'utf8')
  .split('\n')
  .map((line) => line.replace(/#.*/, '').trim())
  .filter((line) => line !== '');

async function live(words: string): Promise<void> {
  const { seed, reduction } = readReplay(words);
  const { verdict, report } = await survive(reduce(planOf(seed), reduction));
  if (verdict.kind === 'settled') return;
  expect.fail(`${verdict.kind}: ${verdict.what}\n${report}\n\nnpx rollcall simulate ${words}`);
}

describe('nothing forbidden happens, and everybody comes to rest', () => {
  test.each(ofCommit)('%s, of this commit', live, TIMEOUT_MS);
});

describe('what failed once', () => {
  test('is listed in words that can be read', () => {
    expect(known.map((words) => readReplay(words).seed)).toHaveLength(known.length);
  });
  for (const words of known) test(words, () => live(words), TIMEOUT_MS);
});
