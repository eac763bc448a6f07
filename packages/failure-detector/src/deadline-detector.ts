/**
 * The plain timeout: available until an interval and a pause have passed in silence, as in Akka's
 * deadline detector. It learns nothing, which makes it predictable, and the measure for the others.
 */
import { checkDuration, checkPositiveDuration, checkThreshold } from './detector-settings.js';
import { nothingLearnt } from './failure-detector.js';
import { SilenceDetector } from './silence-detector.js';

/** What may be left out has a default; durations are milliseconds. */
export interface DeadlineOptions {
  /** The interval at which heartbeats are sent, above 0. Default 1,000. */
  readonly intervalMs?: number | undefined;
  /** How much later a heartbeat may be, 0 or more. Default 3,000. */
  readonly acceptablePauseMs?: number | undefined;
  /**
   * The suspicion at the deadline, above 0, at most 1,000. Default 8. Suspicion grows evenly up to
   * it, so a consumer's own lower threshold (phi 3, say) has its place here as well.
   */
  readonly threshold?: number | undefined;
}

export class DeadlineDetector extends SilenceDetector {
  /** How much silence ends the availability: interval plus acceptable pause. */
  readonly timeoutMs: number;
  readonly gaps = nothingLearnt;

  /** @throws DetectorSettingsError naming the setting */
  constructor(options: DeadlineOptions = {}) {
    super(checkThreshold(options.threshold ?? 8));
    this.timeoutMs =
      checkPositiveDuration('intervalMs', options.intervalMs ?? 1_000) +
      checkDuration('acceptablePauseMs', options.acceptablePauseMs ?? 3_000);
  }

  protected begin(): void {}

  protected learn(): void {}

  protected suspicionAfter(silenceMs: number): number {
    return (silenceMs / this.timeoutMs) * this.threshold;
  }

  toleratedSilenceMs(): number {
    return this.timeoutMs;
  }
}
