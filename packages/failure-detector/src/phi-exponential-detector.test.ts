import { describe, expect, it } from 'vitest';
import { PhiExponentialDetector } from './phi-exponential-detector.js';

/** After this many heartbeats a second apart, the last of them at the time returned. */
function regular(detector: PhiExponentialDetector, heartbeats: number, intervalMs = 1_000) {
  for (let i = 0; i < heartbeats; i++) detector.heartbeat(i * intervalMs);
  return (heartbeats - 1) * intervalMs;
}

describe('the phi detector with exponentially distributed gaps', () => {
  it('begins with one gap of twice the interval, as Cassandra does', () => {
    const detector = new PhiExponentialDetector();
    detector.heartbeat(0);
    expect(detector.gaps).toEqual({ count: 1, meanMs: 2_000, deviationMs: 0 });
    expect(detector.unavailableAtMs()).toBeCloseTo(36_841.4, 1);
  });

  it('takes 18.42 mean gaps to phi 8', () => {
    const detector = new PhiExponentialDetector({ maxSamples: 10 });
    const lastMs = regular(detector, 12);
    expect(detector.gaps.meanMs).toBe(1_000);
    expect(detector.suspicion(lastMs + 1_000)).toBeCloseTo(Math.LOG10E, 14);
    expect(detector.unavailableAtMs() - lastMs).toBeCloseTo(18_420.68, 2);
  });

  it('tolerates half the silence at half the interval', () => {
    const detector = new PhiExponentialDetector({ maxSamples: 10, firstIntervalMs: 500 });
    const lastMs = regular(detector, 12, 500);
    expect(detector.unavailableAtMs() - lastMs).toBeCloseTo(9_210.34, 2);
  });

  it('does not learn gaps beyond the longest accepted', () => {
    const detector = new PhiExponentialDetector();
    const lastMs = regular(detector, 5);
    const { gaps } = detector;
    detector.heartbeat(lastMs + 2_000.5);
    expect(detector.gaps).toEqual(gaps);
    detector.heartbeat(lastMs + 4_000.5);
    expect(detector.gaps.count).toBe(gaps.count + 1);
  });

  it('learns an accepted gap even if it ended an unavailability, so it gets used to a slower link', () => {
    const detector = new PhiExponentialDetector({ maxSamples: 5, threshold: 1 });
    const lastMs = regular(detector, 20, 100);
    expect(detector.isAvailable(lastMs + 500)).toBe(false);
    detector.heartbeat(lastMs + 500);
    expect(detector.gaps.meanMs).toBe(180);
  });

  it('survives a burst of heartbeats at one instant', () => {
    const detector = new PhiExponentialDetector({ maxSamples: 10 });
    for (let i = 0; i < 20; i++) detector.heartbeat(0);
    expect(detector.gaps.meanMs).toBe(0);
    expect(detector.isAvailable(0)).toBe(true);
    expect(detector.unavailableAtMs()).toBeCloseTo(18.42, 2);
  });
});
