/** What waits for a congested socket: laws against a dumb twin that keeps everything in a list. */
import type { Slot } from '@rollcall/core';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ControlOutbox, UserOutbox } from './outbox.js';

type Step = 'take' | Slot;
const steps = fc.array(fc.constantFrom<Step>('take', 'heartbeat', 'gossip', 'urgent', 'urgent'));

/** The same by the words of the port: newest of a slot wins, urgent in order, a limit on all. */
class DumbOutbox {
  frames: { slot: Slot; n: number }[] = [];
  readonly #max: number;

  constructor(max: number) {
    this.#max = max;
  }

  put(n: number, slot: Slot): boolean {
    const replaced = this.frames.find((frame) => frame.slot === slot && slot !== 'urgent');
    if (replaced) replaced.n = n;
    else if (this.frames.length >= this.#max) return false;
    else this.frames.push({ slot, n });
    return true;
  }

  take(): number | undefined {
    const order: Slot[] = ['heartbeat', 'urgent', 'gossip'];
    for (const slot of order) {
      const at = this.frames.findIndex((frame) => frame.slot === slot);
      if (at >= 0) return this.frames.splice(at, 1)[0]?.n;
    }
    return undefined;
  }
}

describe('the control outbox', () => {
  test('does what its dumb twin does', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 6 }), steps, (max, list) => {
        const [outbox, twin] = [new ControlOutbox(max), new DumbOutbox(max)];
        list.forEach((step, n) => {
          if (step === 'take') expect(outbox.take()?.[0]).toBe(twin.take());
          else expect(outbox.put(Uint8Array.of(n), step)).toBe(twin.put(n, step));
          expect(outbox.length).toBe(twin.frames.length);
          expect(outbox.length).toBeLessThanOrEqual(max);
        });
      }),
    );
  });
});

describe('the user outbox', () => {
  test('keeps order, loses nothing that it took, and refuses at its limit', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 6 }), fc.array(fc.boolean()), (max, list) => {
        const outbox = new UserOutbox<number>(max);
        const waiting: number[] = [];
        list.forEach((isPut, n) => {
          if (!isPut) expect(outbox.take()).toBe(waiting.shift());
          else if (outbox.put(n)) waiting.push(n);
          else expect(waiting.length).toBe(max);
          expect(outbox.length).toBe(waiting.length);
        });
      }),
    );
  });
});
