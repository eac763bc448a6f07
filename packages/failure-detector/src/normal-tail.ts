/**
 * Phi by the true tail of the normal distribution, for those who want phi 8 to mean one in 10^8 and
 * not nearly that. It works with the logarithm of the tail, so that it stays exact where the tail
 * itself is too small for a double (from z = 38.5 on).
 */

/** Up to here the series around the mean is used, beyond it the continued fraction. */
const seriesLimit = 2.5;
/** Enough for 15 digits at the limit, and for more beyond it. */
const fractionDepth = 60;
const halfLogTwoPi = Math.log(2 * Math.PI) / 2;

/**
 * Phi, `z` deviations above the mean: -log10 of erfc(z / √2) / 2. Relative error below 1e-12 (above
 * the mean), finite for any input.
 */
export function phiAtDeviationsExact(z: number): number {
  if (Number.isNaN(z)) return Math.LOG10E * Math.LN2;
  const logTail = z < 0 ? Math.log1p(-Math.exp(logUpperTail(-z))) : logUpperTail(z);
  return Math.min(-logTail * Math.LOG10E, Number.MAX_VALUE);
}

/** Phi of a silence when gaps are normally distributed, by the true tail; all in milliseconds. */
export function phiNormalExact(silenceMs: number, meanMs: number, deviationMs: number): number {
  return phiAtDeviationsExact((silenceMs - meanMs) / Math.abs(deviationMs));
}

/**
 * How many deviations above the mean `phiAtDeviationsExact` reaches `phi` (above 0). By bisection:
 * about a hundred evaluations, so solve once and keep it.
 */
export function deviationsAtPhiExact(phi: number): number {
  let below = -40; // phi is 0 in doubles here
  let above = Math.sqrt(2 * phi * Math.LN10) + 1; // the tail is at most e^(-z²/2) / 2
  for (;;) {
    const middle = (below + above) / 2;
    if (middle <= below || middle >= above) return above;
    if (phiAtDeviationsExact(middle) < phi) below = middle;
    else above = middle;
  }
}

/** The silence in milliseconds at which `phiNormalExact` reaches `phi`. */
export function silenceAtPhiNormalExact(phi: number, meanMs: number, deviationMs: number): number {
  return meanMs + deviationsAtPhiExact(phi) * deviationMs;
}

/** The natural logarithm of the chance to lie `z` (at least 0) deviations above the mean or more. */
function logUpperTail(z: number): number {
  if (z < seriesLimit) return Math.log(0.5 - distanceFromHalf(z));
  return -(z * z) / 2 - halfLogTwoPi - Math.log(inverseMillsRatio(z));
}

/** The chance to lie between the mean and `z`: density × (z + z³/3 + z⁵/15 + …), no cancellation. */
function distanceFromHalf(z: number): number {
  let term = z;
  let sum = z;
  for (let odd = 3; term > sum * Number.EPSILON; odd += 2) {
    term *= (z * z) / odd;
    sum += term;
  }
  return sum * Math.exp(-(z * z) / 2 - halfLogTwoPi);
}

/** Density divided by tail, by Laplace's continued fraction z + 1/(z + 2/(z + 3/(z + …))). */
function inverseMillsRatio(z: number): number {
  let ratio = z;
  for (let k = fractionDepth; k >= 1; k--) ratio = z + k / ratio;
  return ratio;
}
