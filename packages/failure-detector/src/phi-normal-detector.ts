/**
 * The default detector: gaps are taken to be normally distributed around what was measured, plus a
 * pause that is always forgiven. This is Akka's reading of the phi accrual detector; it adapts to how
 * regular a link is, where `PhiExponentialDetector` adapts to its mean alone.
 */
import { checkDuration, checkPositiveDuration, checkThreshold } from './detector-settings.js';
import type { GapStatistics } from './failure-detector.js';
import { HeartbeatHistory } from './heartbeat-history.js';
import { deviationsAtPhiExact, phiAtDeviationsExact } from './normal-tail.js';
import { deviationsAtPhi, phiAtDeviations } from './phi.js';
import { SilenceDetector } from './silence-detector.js';

/** What may be left out has a default; durations are milliseconds. */
export interface PhiNormalOptions {
  /** The phi to convict at, above 0, at most 1,000. Default 8 (Akka, Cassandra). */
  readonly threshold?: number | undefined;
  /** How many gaps are remembered, 1 to 1,000,000. Default 1,000 (Akka, Cassandra). */
  readonly maxSamples?: number | undefined;
  /**
   * The deviation is never taken to be smaller, above 0. Default 100 (Akka). Without a floor a link
   * that has been regular for long is convicted when a heartbeat is microseconds late.
   */
  readonly minStdDeviationMs?: number | undefined;
  /** Added to the mean: what is always forgiven, 0 or more. Default 3,000 (Akka Cluster). */
  readonly acceptablePauseMs?: number | undefined;
  /**
   * The gap to expect before any was measured, above 0. Default 1,000. The history begins with two
   * gaps, a quarter less and a quarter more (Akka), which leave it like any other when it is full.
   */
  readonly firstIntervalMs?: number | undefined;
  /** Use the true normal tail, not Akka's approximation of it. Default false. */
  readonly exactTail?: boolean | undefined;
}

export class PhiNormalDetector extends SilenceDetector {
  readonly #history: HeartbeatHistory;
  readonly #minStdDeviationMs: number;
  readonly #acceptablePauseMs: number;
  readonly #firstIntervalMs: number;
  readonly #isExact: boolean;
  /** The threshold in deviations above the mean, solved once. */
  readonly #thresholdDeviations: number;

  /** @throws DetectorSettingsError naming the setting */
  constructor(options: PhiNormalOptions = {}) {
    super(checkThreshold(options.threshold ?? 8));
    this.#history = new HeartbeatHistory(options.maxSamples ?? 1_000);
    this.#minStdDeviationMs = checkPositiveDuration(
      'minStdDeviationMs',
      options.minStdDeviationMs ?? 100,
    );
    this.#acceptablePauseMs = checkDuration(
      'acceptablePauseMs',
      options.acceptablePauseMs ?? 3_000,
    );
    this.#firstIntervalMs = checkPositiveDuration(
      'firstIntervalMs',
      options.firstIntervalMs ?? 1_000,
    );
    const exact = options.exactTail ?? false;
    this.#isExact = exact;
    this.#thresholdDeviations = (exact ? deviationsAtPhiExact : deviationsAtPhi)(this.threshold);
  }

  get gaps(): GapStatistics {
    const { count, meanMs, deviationMs } = this.#history;
    return { count, meanMs, deviationMs };
  }

  protected begin(): void {
    const quarterMs = this.#firstIntervalMs / 4;
    this.#history.add(this.#firstIntervalMs - quarterMs);
    this.#history.add(this.#firstIntervalMs + quarterMs);
  }

  /** A gap that ended an unavailability tells of the outage, not of the link; Akka leaves it out too. */
  protected learn(gapMs: number, wasTolerated: boolean): void {
    if (wasTolerated) this.#history.add(gapMs);
  }

  protected suspicionAfter(silenceMs: number): number {
    const gaps = this.#history;
    const z = (silenceMs - this.#expectedMs(gaps)) / this.#deviationMs(gaps);
    return this.#isExact ? phiAtDeviationsExact(z) : phiAtDeviations(z);
  }

  toleratedSilenceMs(gaps: GapStatistics = this.#history): number {
    return Math.max(
      0,
      this.#expectedMs(gaps) + this.#thresholdDeviations * this.#deviationMs(gaps),
    );
  }

  #expectedMs({ meanMs }: GapStatistics): number {
    return meanMs + this.#acceptablePauseMs;
  }

  #deviationMs({ deviationMs }: GapStatistics): number {
    return Math.max(deviationMs, this.#minStdDeviationMs);
  }
}
