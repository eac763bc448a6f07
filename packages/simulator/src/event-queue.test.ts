import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { EventQueue } from './event-queue.js';
import { ScheduledEvent } from './scheduled-event.js';

class Numbered extends ScheduledEvent {
  readonly number: number;
  constructor(number: number) {
    super();
    this.number = number;
  }
  fire(): void {}
}

/** The obvious queue: a list, sorted each time (stable, so ties keep their order). */
class PlainQueue {
  readonly #events: { atMs: number; event: Numbered }[] = [];
  push(atMs: number, event: Numbered): void {
    this.#events.push({ atMs, event });
  }
  pop(): Numbered | undefined {
    this.#events.sort((a, b) => a.atMs - b.atMs);
    return this.#events.shift()?.event;
  }
  cancel(event: Numbered): void {
    const index = this.#events.findIndex((each) => each.event === event);
    if (index >= 0) this.#events.splice(index, 1);
  }
  get size(): number {
    return this.#events.length;
  }
}

describe('EventQueue', () => {
  const step = fc.oneof(
    { weight: 4, arbitrary: fc.record({ push: fc.integer({ min: 0, max: 20 }) }) },
    { weight: 2, arbitrary: fc.constant('pop' as const) },
    { weight: 2, arbitrary: fc.record({ cancel: fc.nat(1_000) }) },
  );

  test('does what a sorted list does, whatever is put in, taken out and taken back', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 300 }), (steps) => {
        const [queue, plain] = [new EventQueue(), new PlainQueue()];
        const events: Numbered[] = [];
        for (const each of steps) {
          if (each === 'pop') {
            expect(queue.pop()).toBe(plain.pop());
          } else if ('push' in each) {
            const event = new Numbered(events.length);
            events.push(event);
            queue.push(each.push, event);
            plain.push(each.push, event);
          } else {
            const event = events[each.cancel % Math.max(1, events.length)];
            if (event !== undefined) {
              queue.cancel(event);
              plain.cancel(event);
            }
          }
          expect(queue.size).toBe(plain.size);
        }
        while (plain.size > 0) expect(queue.pop()).toBe(plain.pop());
        expect(queue.pop()).toBeUndefined();
      }),
    );
  });

  test('ten thousand taken back are swept out and leave the order of the rest alone', () => {
    const queue = new EventQueue();
    const events = Array.from({ length: 12_000 }, (_, i) => new Numbered(i));
    for (const event of events) queue.push((event.number * 7_919) % 1_000, event);
    for (const event of events) if (event.number % 6 !== 0) queue.cancel(event);
    expect(queue.size).toBe(2_000);
    const popped: Numbered[] = [];
    for (let next = queue.pop(); next !== undefined; next = queue.pop()) {
      popped.push(next as Numbered);
    }
    const dueMs = (event: Numbered) => (event.number * 7_919) % 1_000;
    const expected = events
      .filter((event) => event.number % 6 === 0)
      .sort((a, b) => dueMs(a) - dueMs(b) || a.number - b.number);
    expect(popped).toEqual(expected);
  });

  test('taking back what has fired already is harmless', () => {
    const queue = new EventQueue();
    const event = new Numbered(1);
    queue.push(5, event);
    expect(queue.pop()).toBe(event);
    queue.cancel(event);
    expect(queue.size).toBe(0);
    expect(queue.nextAtMs).toBe(Number.POSITIVE_INFINITY);
  });
});
