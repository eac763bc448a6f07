import { expect, test } from 'vitest';
import { MemoryLease } from './memory-lease.js';

const [A, B] = ['ws://a:7000#a1', 'ws://b:7000#b1'];

test('a lease that needs nothing, and takes its time when it is told to', async () => {
  const lease = new MemoryLease();
  expect(await lease.acquire('x', A)).toBe(A);
  lease.delayMs = 1;
  expect(await lease.acquire('x', B)).toBe(A);
  lease.conduct = 'refusing';
  await expect(lease.acquire('y', B)).rejects.toThrow('cannot be reached');
});
