import { expect, test } from 'vitest';
import { systemClock } from './system-clock.js';

const after = (ms: number) => new Promise<void>((run) => systemClock.schedule(ms, run));

test('runs no earlier than it was told, by its own time', async () => {
  const early = await Promise.all(
    Array.from({ length: 200 }, async (_, i) => {
      const dueMs = systemClock.nowMs() + i / 7;
      await after(i / 7);
      return systemClock.nowMs() < dueMs;
    }),
  );
  expect(early.filter(Boolean)).toEqual([]);
});

test('what is taken back does not run, also when it is taken back twice', async () => {
  let ran = 0;
  const back = systemClock.schedule(5, () => {
    ran += 1;
  });
  back();
  await after(20);
  back();
  expect(ran).toBe(0);
});

test('a time beyond what a timer of Node can hold does not run at once', async () => {
  let ran = 0;
  const back = systemClock.schedule(2 ** 40, () => {
    ran += 1;
  });
  await after(5);
  back();
  expect(ran).toBe(0);
});
