import { DeadlineDetector } from '@rollcall/failure-detector';
import { describe, expect, it } from 'vitest';
import { type HeartbeatOptions, runHeartbeats } from './heartbeat-run.js';

const usual: HeartbeatOptions = {
  seed: 1,
  observers: 1,
  agreeing: 1,
  loss: 0,
  intervalMs: 1_000,
  heartbeats: 20_000,
  createDetector: () => new DeadlineDetector({ intervalMs: 1_000, acceptablePauseMs: 1_500 }),
};

describe('a deadline of two and a half intervals', () => {
  it('notices a crash after that, less half an interval, and is never mistaken without loss', () => {
    const { mistakes, detectionMs, virtualMs } = runHeartbeats(usual);
    expect(mistakes).toBe(0);
    expect(detectionMs).toBeGreaterThan(1_980);
    expect(detectionMs).toBeLessThan(2_020);
    expect(virtualMs).toBe(20_000_000);
  });

  it('is mistaken when two in a row are lost, once however many more', () => {
    const loss = 0.2;
    const { mistakes } = runHeartbeats({ ...usual, loss });
    const expected = usual.heartbeats * loss ** 2 * (1 - loss);
    expect(Math.abs(mistakes - expected)).toBeLessThan(4 * Math.sqrt(expected));
  });

  it('of five observers one is mistaken five times as often, two at once hardly ever', () => {
    const five = { ...usual, loss: 0.1, observers: 5 };
    const [one, two, single] = [
      runHeartbeats(five).mistakes,
      runHeartbeats({ ...five, agreeing: 2 }).mistakes,
      runHeartbeats({ ...usual, loss: 0.1 }).mistakes,
    ];
    expect(one / single).toBeGreaterThan(3.5);
    expect(one / single).toBeLessThan(6.5);
    expect(two).toBeLessThan(one / 10);
  });
});
