import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  deviationsAtPhi,
  phiAtDeviations,
  phiExponential,
  phiNormal,
  silenceAtPhiExponential,
  silenceAtPhiNormal,
} from './phi.js';

/** The formula as Akka states it; breaks down beyond z = 21.6, where e is no longer representable. */
function phiAsStated(silenceMs: number, meanMs: number, deviationMs: number): number {
  const y = (silenceMs - meanMs) / deviationMs;
  const e = Math.exp(-y * (1.5976 + 0.070566 * y * y));
  return silenceMs > meanMs ? -Math.log10(e / (1 + e)) : -Math.log10(1 - 1 / (1 + e));
}

const anyNumber = fc.double();

describe('phi of the normal distribution, by approximation', () => {
  it.each([
    [0, 0.0],
    [500, 0.0],
    [1_000, 0.3],
    [1_200, 1.6],
    [1_400, 4.7],
    [1_600, 10.8],
    [1_700, 15.4],
  ])("Akka's check values: %d ms after a mean of 1000 ± 100 is %d", (silenceMs, phi) => {
    expect(phiNormal(silenceMs, 1_000, 100)).toBeCloseTo(phi, 1);
  });

  it('is log10 2 at the mean', () => {
    expect(phiNormal(1_000, 1_000, 100)).toBeCloseTo(Math.log10(2), 14);
  });

  it('agrees with the formula as stated wherever that is representable', () => {
    const z = fc.double({ min: -38, max: 20, noNaN: true });
    const meanMs = fc.double({ min: 1, max: 1e6, noNaN: true });
    const deviationMs = fc.double({ min: 0.1, max: 1e6, noNaN: true });
    fc.assert(
      fc.property(z, meanMs, deviationMs, (z, meanMs, deviationMs) => {
        const silenceMs = meanMs + z * deviationMs;
        const stated = phiAsStated(silenceMs, meanMs, deviationMs);
        const apart = Math.abs(phiNormal(silenceMs, meanMs, deviationMs) - stated);
        expect(apart).toBeLessThanOrEqual(1e-9 * Math.max(1, stated));
      }),
    );
  });

  it('keeps growing where the formula as stated is infinite', () => {
    expect(phiAsStated(3_200, 1_000, 100)).toBe(Number.POSITIVE_INFINITY);
    expect(phiNormal(3_200, 1_000, 100)).toBeCloseTo(341.586, 2);
    expect(phiNormal(1e300, 1_000, 100)).toBe(Number.MAX_VALUE);
  });

  it('keeps its digits where the formula as stated is 0', () => {
    expect(Math.abs(phiAsStated(0, 1_000, 100))).toBe(0);
    expect(phiNormal(0, 1_000, 100)).toBeGreaterThan(0);
  });

  it('is finite and never negative, whatever it is given', () => {
    fc.assert(
      fc.property(anyNumber, anyNumber, anyNumber, (silenceMs, meanMs, deviationMs) => {
        for (const phi of [
          phiNormal(silenceMs, meanMs, deviationMs),
          phiNormal(meanMs, meanMs, 0),
          phiExponential(silenceMs, meanMs),
        ]) {
          expect(Number.isFinite(phi) && phi >= 0).toBe(true);
        }
      }),
    );
  });

  it('does not decrease with the silence', () => {
    const silences = fc.tuple(fc.integer({ min: 0, max: 1e6 }), fc.integer({ min: 1, max: 1e4 }));
    const deviation = fc.double({ min: 1, max: 1e5, noNaN: true });
    fc.assert(
      fc.property(silences, deviation, ([silenceMs, moreMs], deviationMs) => {
        const sooner = phiNormal(silenceMs, 1_000, deviationMs);
        expect(phiNormal(silenceMs + moreMs, 1_000, deviationMs)).toBeGreaterThanOrEqual(sooner);
      }),
    );
  });
});

describe('the silence at a phi', () => {
  it.each([
    [1, 1_000, 100, 1_128.22],
    [3, 1_000, 100, 1_305.89],
    [8, 1_000, 100, 1_522.6],
    [10, 1_000, 100, 1_579.9],
    [12, 1_000, 100, 1_629.21],
    [1, 1_000, 500, 1_641.11],
    [8, 1_000, 500, 3_612.99],
    [8, 4_000, 100, 4_522.6],
    [1, 4_000, 100, 4_128.22],
  ])('phi %d, mean %d, deviation %d: %d ms', (phi, meanMs, deviationMs, silenceMs) => {
    expect(silenceAtPhiNormal(phi, meanMs, deviationMs)).toBeCloseTo(silenceMs, 2);
  });

  it('phi 8 lies 5.22599 deviations above the mean', () => {
    expect(deviationsAtPhi(8)).toBeCloseTo(5.22599, 5);
  });

  it('is the inverse of phi', () => {
    fc.assert(
      fc.property(fc.double({ min: 1e-9, max: 1_000, noNaN: true }), (phi) => {
        expect(phiAtDeviations(deviationsAtPhi(phi)) / phi).toBeCloseTo(1, 11);
      }),
    );
  });
});

describe('phi of the exponential distribution', () => {
  it('is log10 e after one mean gap', () => {
    expect(phiExponential(1_000, 1_000)).toBeCloseTo(Math.LOG10E, 14);
  });

  it.each([
    [1, 2_302.59],
    [3, 6_907.76],
    [8, 18_420.68],
    [10, 23_025.85],
  ])('reaches phi %d after %d ms at a mean of 1 s', (phi, silenceMs) => {
    expect(silenceAtPhiExponential(phi, 1_000)).toBeCloseTo(silenceMs, 2);
    expect(phiExponential(silenceAtPhiExponential(phi, 1_000), 1_000)).toBeCloseTo(phi, 12);
  });

  it('scales with the mean: phi 8 at 2 s is 36.84 s', () => {
    expect(silenceAtPhiExponential(8, 2_000)).toBeCloseTo(36_841.4, 1);
  });
});
