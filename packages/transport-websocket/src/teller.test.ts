/** In order, later, and each told even when another throws. */
import { expect, test } from 'vitest';
import { Teller } from './teller.js';

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

test('what is told comes after the call that caused it, in order', async () => {
  const teller = new Teller();
  const heard: string[] = [];
  teller.tell(() => {
    heard.push('first');
    teller.tell(() => heard.push('third'));
    expect(teller.isIdle).toBe(false);
  });
  teller.tell(() => heard.push('second'));
  expect(heard).toEqual([]);
  await turn();
  expect(heard).toEqual(['first', 'second', 'third']);
  expect(teller.isIdle).toBe(true);
});

test('muted, it tells nothing more', async () => {
  const teller = new Teller();
  const heard: string[] = [];
  teller.tell(() => heard.push('never'));
  teller.mute();
  teller.tell(() => heard.push('never'));
  await turn();
  expect([heard, teller.isIdle]).toEqual([[], false]);
});
