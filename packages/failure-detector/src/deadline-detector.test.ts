import { describe, expect, it } from 'vitest';
import { DeadlineDetector } from './deadline-detector.js';

describe('the deadline detector', () => {
  it('waits for an interval and a pause, whatever it has seen', () => {
    const detector = new DeadlineDetector();
    for (const ms of [0, 10, 5_000, 5_001]) detector.heartbeat(ms);
    expect(detector.unavailableAtMs()).toBe(9_001);
    expect(detector.isAvailable(9_000.999)).toBe(true);
    expect(detector.isAvailable(9_001)).toBe(false);
    expect(detector.gaps.count).toBe(0);
  });

  it('suspects in proportion to the silence, up to the threshold at the deadline', () => {
    const detector = new DeadlineDetector({ intervalMs: 500, acceptablePauseMs: 1_500 });
    detector.heartbeat(0);
    expect(detector.suspicion(500)).toBe(2);
    expect(detector.suspicion(2_000)).toBe(8);
    expect(detector.suspicion(4_000)).toBe(16);
  });
});
