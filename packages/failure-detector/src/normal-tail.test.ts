import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  deviationsAtPhiExact,
  phiAtDeviationsExact,
  phiNormalExact,
  silenceAtPhiNormalExact,
} from './normal-tail.js';

describe('phi by the true normal tail', () => {
  it.each([
    [1_000, 0.30103],
    [1_100, 0.7995],
    [1_300, 2.8697],
    [1_600, 9.0059],
    [2_000, 23.1181],
  ])('after %d ms at a mean of 1000 ± 100: %d', (silenceMs, phi) => {
    expect(phiNormalExact(silenceMs, 1_000, 100)).toBeCloseTo(phi, 4);
  });

  // Computed with 50 digits (erfc of mpmath).
  it.each([
    [-10, 3.309260121306723e-24],
    [-3, 0.0005866493137900667],
    [-1, 0.07502601295781802],
    [0.5, 0.5106919892652407],
    [2, 1.643016080140937],
    [2.5, 2.206931805795301],
    [3, 2.869699035929369],
    [6, 9.005864327476704],
    [10, 23.11805340548608],
    [38, 315.5397897039625],
    [100, 2173.871542869034],
    [1000, 217150.6400419944],
  ])('%d deviations above the mean to 12 digits', (z, phi) => {
    expect(phiAtDeviationsExact(z) / phi).toBeCloseTo(1, 12);
  });

  it("shows what Akka's phi 8 is worth by the true tail", () => {
    const phi = phiAtDeviationsExact(5.22599);
    expect(phi).toBeCloseTo(7.06, 2);
    expect(10 ** -phi).toBeCloseTo(8.661e-8, 11);
  });

  it('has no seam where the series hands over to the continued fraction', () => {
    const before = phiAtDeviationsExact(2.5 - 1e-9);
    const after = phiAtDeviationsExact(2.5 + 1e-9);
    expect(after).toBeGreaterThan(before);
    expect(after - before).toBeLessThan(1e-8);
  });

  it('is finite and never negative, whatever it is given', () => {
    fc.assert(
      fc.property(fc.double(), fc.double(), fc.double(), (silenceMs, meanMs, deviationMs) => {
        const phi = phiNormalExact(silenceMs, meanMs, deviationMs);
        expect(Number.isFinite(phi) && phi >= 0).toBe(true);
      }),
    );
  });

  it('does not decrease with the deviations', () => {
    const z = fc.double({ min: -40, max: 1e4, noNaN: true });
    fc.assert(
      fc.property(z, fc.double({ min: 1e-6, max: 10, noNaN: true }), (z, more) => {
        expect(phiAtDeviationsExact(z + more)).toBeGreaterThanOrEqual(phiAtDeviationsExact(z));
      }),
    );
  });
});

describe('the silence at a phi by the true tail', () => {
  it.each([
    [1, 1_000, 100, 1_128.16],
    [3, 1_000, 100, 1_309.02],
    [8, 1_000, 100, 1_561.2],
    [10, 1_000, 100, 1_636.13],
    [8, 4_000, 100, 4_561.2],
    [8, 1_000, 500, 3_806.0],
  ])('phi %d, mean %d, deviation %d: %d ms', (phi, meanMs, deviationMs, silenceMs) => {
    expect(silenceAtPhiNormalExact(phi, meanMs, deviationMs)).toBeCloseTo(silenceMs, 2);
  });

  it('is the inverse of phi', () => {
    fc.assert(
      fc.property(fc.double({ min: 1e-9, max: 1_000, noNaN: true }), (phi) => {
        expect(phiAtDeviationsExact(deviationsAtPhiExact(phi)) / phi).toBeCloseTo(1, 10);
      }),
    );
  });
});
