/**
 * The Clock of a real node, and the only place of this package that asks what time it is. A timer
 * of Node may fire up to a millisecond early by `performance.now()`; whoever is told "now it is due"
 * must not read a time before it, so an early one is armed again.
 */
import type { Clock } from '@rollcall/core';

/** Longer timers overflow in Node and fire at once. */
const LONGEST_MS = 2_147_483_647;

export const systemClock: Clock = {
  nowMs: () => performance.now(),
  schedule(afterMs, run) {
    const dueMs = performance.now() + afterMs;
    let timer: NodeJS.Timeout;
    const fire = () => {
      const leftMs = dueMs - performance.now();
      if (leftMs > 0) timer = setTimeout(fire, Math.min(leftMs, LONGEST_MS));
      else run();
    };
    timer = setTimeout(fire, Math.min(afterMs, LONGEST_MS));
    return () => clearTimeout(timer);
  },
};

/** For people only: what the clock on the wall says, as `12:34:56.789`. */
export const wallTime = (): string => new Date().toISOString().slice(11, 23);
