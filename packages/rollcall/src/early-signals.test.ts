import { afterEach, expect, test } from 'vitest';
import { hearSignals, keepSignals } from './early-signals.js';

const forgets: (() => void)[] = [];
afterEach(() => {
  for (const forget of forgets.splice(0)) forget();
});

const hear = (): string[] => {
  const heard: string[] = [];
  forgets.push(hearSignals((signal) => heard.push(signal)));
  return heard;
};

test('a signal that came early is heard once, by the first who listens', () => {
  keepSignals();
  process.emit('SIGTERM', 'SIGTERM');
  const first = hear();
  const second = hear();
  process.emit('SIGINT', 'SIGINT');
  expect(first).toEqual(['SIGTERM', 'SIGINT']);
  expect(second).toEqual(['SIGINT']);
});

test('nobody is left listening', () => {
  const before = process.listenerCount('SIGTERM');
  keepSignals();
  hearSignals(() => undefined)();
  expect(process.listenerCount('SIGTERM')).toBe(before);
});
