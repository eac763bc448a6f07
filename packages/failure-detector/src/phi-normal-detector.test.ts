import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { PhiNormalDetector, type PhiNormalOptions } from './phi-normal-detector.js';

/** A detector that heard these gaps, one after the other, from 0 on. */
function heard(gapsMs: readonly number[], options?: PhiNormalOptions) {
  const detector = new PhiNormalDetector(options);
  let nowMs = 0;
  detector.heartbeat(nowMs);
  for (const gapMs of gapsMs) {
    nowMs += gapMs;
    detector.heartbeat(nowMs);
  }
  return { detector, nowMs };
}

const seconds = (count: number) => Array.from({ length: count }, () => 1_000);

describe('the phi detector with normally distributed gaps', () => {
  it('expects the first interval, give or take a quarter', () => {
    const { detector } = heard([]);
    expect(detector.gaps.count).toBe(2);
    expect(detector.gaps.meanMs).toBe(1_000);
    expect(detector.gaps.deviationMs).toBeCloseTo(250, 9);
    expect(detector.unavailableAtMs()).toBeCloseTo(5_306.5, 1);
  });

  it('after one heartbeat and no pause: 0.3 at the interval, convicted by the fourth', () => {
    const { detector } = heard([], { acceptablePauseMs: 0 });
    expect(detector.suspicion(1_000)).toBeCloseTo(0.3, 1);
    expect(detector.suspicion(2_000)).toBeCloseTo(4.7, 1);
    expect(detector.suspicion(3_000)).toBeGreaterThan(15);
  });

  it.each([
    [8, 100, 4_522.6],
    [8, 200, 5_045.2],
    [8, 250, 5_306.5],
    [10, 100, 4_579.9],
    [10, 200, 5_159.8],
    [12, 100, 4_629.2],
    [12, 250, 5_573.0],
  ])('threshold %d with deviation %d trips %d ms after the last', (threshold, floor, silenceMs) => {
    const options = { threshold, minStdDeviationMs: floor, maxSamples: 50 };
    const { detector, nowMs } = heard(seconds(60), options);
    expect(detector.unavailableAtMs() - nowMs).toBeCloseTo(silenceMs, 1);
  });

  it.each<[PhiNormalOptions, number]>([
    [{ acceptablePauseMs: 0 }, 1_522.6],
    [{ acceptablePauseMs: 3_000 }, 4_522.6],
    [{ acceptablePauseMs: 0, minStdDeviationMs: 500 }, 3_612.99],
    [{ acceptablePauseMs: 0, threshold: 1 }, 1_128.22],
    [{ acceptablePauseMs: 0, threshold: 3 }, 1_305.89],
    [{ acceptablePauseMs: 0, threshold: 10 }, 1_579.9],
    [{ acceptablePauseMs: 0, exactTail: true }, 1_561.2],
    [{ acceptablePauseMs: 0, exactTail: true, threshold: 1 }, 1_128.16],
    [{ acceptablePauseMs: 0, exactTail: true, minStdDeviationMs: 500 }, 3_806.0],
    [{ acceptablePauseMs: 3_000, exactTail: true }, 4_561.2],
  ])('%j trips %d ms after the last of many regular gaps', (options, silenceMs) => {
    const { detector, nowMs } = heard(seconds(60), { ...options, maxSamples: 50 });
    expect(detector.unavailableAtMs() - nowMs).toBeCloseTo(silenceMs, 2);
    expect(detector.suspicion(nowMs + silenceMs)).toBeCloseTo(options.threshold ?? 8, 3);
  });

  it.each([
    [1_000, 0.30103],
    [1_100, 0.7995],
    [1_300, 2.8697],
    [1_600, 9.0059],
    [2_000, 23.1181],
  ])('by the exact tail, %d ms after a regular second: phi %d', (silenceMs, phi) => {
    const options = { exactTail: true, acceptablePauseMs: 0, maxSamples: 10 };
    const { detector, nowMs } = heard(seconds(12), options);
    expect(detector.suspicion(nowMs + silenceMs)).toBeCloseTo(phi, 4);
  });
});

describe('what the phi detector learns', () => {
  it('is what the link is like', () => {
    const gaps = Array.from({ length: 40 }, (_, i) => (i % 2 === 0 ? 1_500 : 2_500));
    const { detector } = heard(gaps, { maxSamples: 20 });
    expect(detector.gaps.count).toBe(20);
    expect(detector.gaps.meanMs).toBe(2_000);
    expect(detector.gaps.deviationMs).toBeCloseTo(500, 6);
  });

  it('includes a pause up to the acceptable one', () => {
    const { detector } = heard([1_000, 1_000, 4_000, 1_000]);
    expect(detector.gaps.count).toBe(6);
    expect(detector.isAvailable(7_500)).toBe(true);
  });

  it('leaves out the gap that ended an unavailability', () => {
    const { detector, nowMs } = heard(seconds(20));
    const { gaps } = detector;
    detector.heartbeat(nowMs + 60_000);
    expect(detector.gaps).toEqual(gaps);
    detector.heartbeat(nowMs + 61_000);
    expect(detector.gaps.count).toBe(gaps.count + 1);
  });
});

describe('the threshold of the phi detector', () => {
  it('is reached as much later as the acceptable pause is longer', () => {
    const options = { maxSamples: 10 };
    const strict = heard(seconds(12), { ...options, acceptablePauseMs: 0 });
    const patient = heard(seconds(12), { ...options, acceptablePauseMs: 3_000 });
    const silence = fc.integer({ min: 0, max: 4_000 });
    fc.assert(
      fc.property(silence, (silenceMs) => {
        expect(patient.detector.suspicion(patient.nowMs + silenceMs + 3_000)).toBeCloseTo(
          strict.detector.suspicion(strict.nowMs + silenceMs),
          9,
        );
      }),
    );
  });

  it('divides available from unavailable exactly', () => {
    const threshold = fc.double({ min: 0.01, max: 20, noNaN: true });
    const silence = fc.double({ min: 0, max: 10_000, noNaN: true });
    fc.assert(
      fc.property(threshold, fc.boolean(), silence, (threshold, exactTail, silenceMs) => {
        const { detector, nowMs } = heard(seconds(5), { threshold, exactTail });
        const atMs = detector.unavailableAtMs();
        const lastDoubleBefore = atMs * (1 - Number.EPSILON / 2);
        for (const ms of [nowMs + silenceMs, atMs, lastDoubleBefore, atMs - 1e-6, atMs + 1e-6]) {
          expect(detector.suspicion(ms) < threshold).toBe(detector.isAvailable(ms));
        }
      }),
    );
  });

  it('convicts at once, and stays sane, when it lies below what no silence means', () => {
    const { detector } = heard([], { threshold: 1e-12, acceptablePauseMs: 0 });
    expect(detector.unavailableAtMs()).toBe(0);
    expect(detector.isAvailable(0)).toBe(false);
    expect(detector.suspicion(0)).toBeGreaterThan(0);
  });
});
