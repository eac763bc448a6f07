/**
 * Suspicion as a function of silence: phi is the negative decimal logarithm of the chance that a
 * heartbeat is still to come after this much silence (Hayashibara, Defago, Yared and Katayama, "The
 * phi accrual failure detector", SRDS 2004). Here are the two cheap distributions and the silence at
 * which each reaches a given phi; the exact normal tail is in `normal-tail.ts`, and where mean and
 * deviation come from is the caller's business.
 *
 * Every function is finite and at least 0 for any input. A question without an answer (NaN, or zero
 * divided by zero) is answered as for a silence of exactly the mean.
 */

/**
 * Akka's logistic approximation of the normal tail: 1 / (1 + e^L(z)), L(z) = z (1.5976 + 0.070566 z²).
 * Near the mean it is close to the true tail; far out it is pessimistic: its phi 8 (z = 5.226) is
 * 7.06 by the true tail.
 */
const linear = 1.5976;
const cubic = 0.070566;

/**
 * Phi by Akka's approximation, `z` deviations above the mean.
 *
 * Akka states it as -log10(e / (1 + e)) above the mean and -log10(1 - 1 / (1 + e)) up to it, with
 * e = e^-L: two forms of one function that is infinite beyond z = 21.6, where e underflows. Written
 * as log10(1 + e^L), with the larger term taken out, it stays finite and keeps its digits both ways.
 */
export function phiAtDeviations(z: number): number {
  if (Number.isNaN(z)) return Math.LOG10E * Math.LN2;
  const l = z * (linear + cubic * z * z);
  const natural = l > 0 ? l + Math.log1p(Math.exp(-l)) : Math.log1p(Math.exp(l));
  return Math.min(natural * Math.LOG10E, Number.MAX_VALUE);
}

/**
 * Phi of a silence when gaps are normally distributed (Akka), all in milliseconds. `deviationMs`
 * should be above 0: at 0 phi is a step from nothing to `Number.MAX_VALUE`.
 */
export function phiNormal(silenceMs: number, meanMs: number, deviationMs: number): number {
  return phiAtDeviations((silenceMs - meanMs) / Math.abs(deviationMs));
}

/**
 * Phi of a silence when heartbeats arrive at random with this mean gap (Cassandra):
 * silence / mean × log10 e. One mean gap is 0.434, and each further phi takes 2.3026 mean gaps.
 */
export function phiExponential(silenceMs: number, meanMs: number): number {
  const ratio = silenceMs / Math.abs(meanMs);
  if (Number.isNaN(ratio)) return Math.LOG10E;
  return Math.min(Math.max(ratio, 0) * Math.LOG10E, Number.MAX_VALUE);
}

/**
 * How many deviations above the mean `phiAtDeviations` reaches `phi` (above 0): the inverse, in
 * closed form. First L = ln(10^phi - 1), then the only real root of cubic z³ + linear z = L.
 */
export function deviationsAtPhi(phi: number): number {
  const natural = phi * Math.LN10;
  const l = natural > 1 ? natural + Math.log1p(-Math.exp(-natural)) : Math.log(Math.expm1(natural));
  const scale = Math.sqrt(linear / (3 * cubic));
  return 2 * scale * Math.sinh(Math.asinh((3 * l) / (2 * linear * scale)) / 3);
}

/** The silence in milliseconds at which `phiNormal` reaches `phi`. */
export function silenceAtPhiNormal(phi: number, meanMs: number, deviationMs: number): number {
  return meanMs + deviationsAtPhi(phi) * deviationMs;
}

/** The silence in milliseconds at which `phiExponential` reaches `phi`. */
export function silenceAtPhiExponential(phi: number, meanMs: number): number {
  return phi * Math.LN10 * meanMs;
}
