import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { SwimUpdate } from './swim-message.js';
import { UpdateQueue } from './update-queue.js';

const news = (subject: number, incarnation = 1): SwimUpdate => ({
  status: 'alive',
  subject,
  incarnation,
  from: subject,
  unwell: false,
});
const subjects = (updates: readonly SwimUpdate[]) => updates.map(({ subject }) => subject);

describe('news that waits', () => {
  it('rides on as many packets as the limit says', () => {
    const queue = new UpdateQueue();
    queue.put(news(7));
    expect([1, 2, 3, 4].map(() => subjects(queue.take(10, 3)))).toEqual([[7], [7], [7], []]);
    expect(queue.size).toBe(0);
  });

  it('takes the place of older news of the same subject, and starts counting anew', () => {
    const queue = new UpdateQueue();
    queue.put(news(7));
    queue.take(10, 2);
    queue.put(news(7, 2));
    expect(queue.size).toBe(1);
    expect(queue.take(10, 2)).toEqual([news(7, 2)]);
    expect(queue.take(10, 2)).toEqual([news(7, 2)]);
    expect(queue.take(10, 2)).toEqual([]);
  });

  it('where there is little room, goes the less sent first, and the newest among those', () => {
    const queue = new UpdateQueue();
    for (const subject of [1, 2, 3]) queue.put(news(subject));
    expect(subjects(queue.take(2, 3))).toEqual([3, 2]);
    queue.put(news(4));
    expect(subjects(queue.take(2, 3))).toEqual([4, 1]);
    expect(subjects(queue.take(2, 3))).toEqual([4, 3]);
  });
});

it('never exceeds the limit or the room, never says a thing twice in a packet, and empties', () => {
  const steps = fc.array(
    fc.oneof(
      fc.record({ put: fc.nat(8) }),
      fc.record({ room: fc.integer({ min: 1, max: 10 }), limit: fc.integer({ min: 1, max: 6 }) }),
    ),
    { maxLength: 100 },
  );
  fc.assert(
    fc.property(steps, (all) => {
      const queue = new UpdateQueue();
      const sent = new Map<SwimUpdate, number>();
      for (const step of all) {
        if ('put' in step) {
          queue.put(news(step.put));
          continue;
        }
        const taken = queue.take(step.room, step.limit);
        expect(taken.length).toBeLessThanOrEqual(step.room);
        expect(new Set(subjects(taken)).size).toBe(taken.length);
        for (const update of taken) {
          sent.set(update, (sent.get(update) ?? 0) + 1);
          expect(sent.get(update)).toBeLessThanOrEqual(6);
        }
      }
      for (let left = 0; left < 60; left++) queue.take(3, 6);
      expect(queue.size).toBe(0);
    }),
  );
});
