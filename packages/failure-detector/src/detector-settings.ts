/**
 * The checks every detector makes of its settings, once, when it is built. What they refuse is a
 * `DetectorSettingsError` that names the setting, so that whoever wrote it finds it.
 */

/** No duration is longer than this: 10^12 ms, 31 years. */
export const durationMaxMs = 1e12;

/** Chances below 10^-1000 are nobody's requirement; a threshold beyond this is a slip. */
const thresholdMax = 1_000;

/** A setting that cannot be meant. Thrown while building a detector; nothing was built. */
export class DetectorSettingsError extends Error {
  override readonly name = 'DetectorSettingsError';
  /** The setting as the options call it, for instance `threshold`. */
  readonly setting: string;

  constructor(setting: string, message: string) {
    super(`${setting} ${message}`);
    this.setting = setting;
  }
}

/** A suspicion to convict at: above 0, at most 1,000. */
export function checkThreshold(value: number): number {
  if (value > 0 && value <= thresholdMax) return value;
  throw refusal('threshold', `a number above 0 and at most ${thresholdMax}`, value);
}

/** A duration in milliseconds: 0 to 10^12. */
export function checkDuration(setting: string, value: number): number {
  if (value >= 0 && value <= durationMaxMs) return value;
  throw refusal(setting, `milliseconds from 0 to ${durationMaxMs}`, value);
}

/** A duration in milliseconds that must not be 0. */
export function checkPositiveDuration(setting: string, value: number): number {
  if (value > 0 && value <= durationMaxMs) return value;
  throw refusal(setting, `milliseconds above 0 and at most ${durationMaxMs}`, value);
}

/** A count: a whole number from 1 to `max`. */
export function checkCount(setting: string, value: number, max: number): number {
  if (Number.isInteger(value) && value >= 1 && value <= max) return value;
  throw refusal(setting, `a whole number from 1 to ${max}`, value);
}

/** A count that may be 0. */
export function checkCountFrom0(setting: string, value: number, max: number): number {
  if (Number.isInteger(value) && value >= 0 && value <= max) return value;
  throw refusal(setting, `a whole number from 0 to ${max}`, value);
}

/** A share of a whole: above 0, at most 1. */
export function checkShare(setting: string, value: number): number {
  if (value > 0 && value <= 1) return value;
  throw refusal(setting, 'a number above 0 and at most 1', value);
}

function refusal(setting: string, wanted: string, value: unknown): DetectorSettingsError {
  return new DetectorSettingsError(setting, `must be ${wanted}, not ${String(value)}`);
}
