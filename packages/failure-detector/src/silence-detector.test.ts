import { describe, expect, it } from 'vitest';
import { DeadlineDetector } from './deadline-detector.js';

describe('a detector that judges by silence', () => {
  it('never contradicts itself in the last digit', () => {
    let wouldContradict = 0;
    for (let i = 1; i <= 1_000; i++) {
      const lastMs = i / 10;
      const pauseMs = i / 7;
      const detector = new DeadlineDetector();
      detector.heartbeat(lastMs);
      detector.excuse(pauseMs);
      const atMs = detector.unavailableAtMs();
      const lastDoubleBefore = atMs * (1 - Number.EPSILON);
      if (lastDoubleBefore - lastMs - pauseMs >= detector.timeoutMs) wouldContradict++;
      expect(detector.isAvailable(lastDoubleBefore)).toBe(true);
      expect(detector.suspicion(lastDoubleBefore)).toBeLessThan(detector.threshold);
      expect(detector.isAvailable(atMs)).toBe(false);
      expect(detector.suspicion(atMs)).toBeGreaterThanOrEqual(detector.threshold);
    }
    expect(wouldContradict).toBeGreaterThan(0);
  });
});
