/** Close reasons fit their frame. */
import { expect, test } from 'vitest';
import { closeReason } from './lane.js';

test('a reason is cut between characters, to 123 bytes', () => {
  expect(closeReason('short')).toBe('short');
  const cut = closeReason('é'.repeat(100));
  expect(cut).toBe('é'.repeat(61));
  expect(Buffer.byteLength(cut)).toBeLessThanOrEqual(123);
});
