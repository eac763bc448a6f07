/**
 * Cassandra's detector: phi grows evenly with the silence, measured in mean gaps. It knows nothing of
 * how regular a link is and so is slow on regular ones: at the default threshold it waits 18.4 mean
 * gaps. It tolerates proportionally less silence when heartbeats are sent more often.
 */
import { checkPositiveDuration, checkThreshold } from './detector-settings.js';
import type { GapStatistics } from './failure-detector.js';
import { HeartbeatHistory } from './heartbeat-history.js';
import { phiExponential, silenceAtPhiExponential } from './phi.js';
import { SilenceDetector } from './silence-detector.js';

/** What may be left out has a default; durations are milliseconds. */
export interface PhiExponentialOptions {
  /** The phi to convict at, above 0, at most 1,000. Default 8 (Cassandra). */
  readonly threshold?: number | undefined;
  /** How many gaps are remembered, 1 to 1,000,000. Default 1,000 (Cassandra). */
  readonly maxSamples?: number | undefined;
  /**
   * The interval at which heartbeats are sent, above 0. Default 1,000. The history begins with one
   * gap of twice this (Cassandra).
   */
  readonly firstIntervalMs?: number | undefined;
  /**
   * Longer gaps are not learnt, above 0. Default twice `firstIntervalMs` (Cassandra): rather convict
   * again soon than get used to outages. This takes the place of an acceptable pause.
   */
  readonly longestGapMs?: number | undefined;
  /**
   * The mean is never taken to be smaller, above 0. Default 1. A floor of our own: without it a burst
   * of heartbeats read in one go would bring the mean to 0 and convict at once.
   */
  readonly minMeanMs?: number | undefined;
}

export class PhiExponentialDetector extends SilenceDetector {
  readonly #history: HeartbeatHistory;
  readonly #firstIntervalMs: number;
  readonly #longestGapMs: number;
  readonly #minMeanMs: number;

  /** @throws DetectorSettingsError naming the setting */
  constructor(options: PhiExponentialOptions = {}) {
    super(checkThreshold(options.threshold ?? 8));
    this.#history = new HeartbeatHistory(options.maxSamples ?? 1_000);
    this.#firstIntervalMs = checkPositiveDuration(
      'firstIntervalMs',
      options.firstIntervalMs ?? 1_000,
    );
    this.#longestGapMs = checkPositiveDuration(
      'longestGapMs',
      options.longestGapMs ?? 2 * this.#firstIntervalMs,
    );
    this.#minMeanMs = checkPositiveDuration('minMeanMs', options.minMeanMs ?? 1);
  }

  get gaps(): GapStatistics {
    const { count, meanMs, deviationMs } = this.#history;
    return { count, meanMs, deviationMs };
  }

  protected begin(): void {
    this.#history.add(2 * this.#firstIntervalMs);
  }

  protected learn(gapMs: number): void {
    if (gapMs <= this.#longestGapMs) this.#history.add(gapMs);
  }

  protected suspicionAfter(silenceMs: number): number {
    return phiExponential(silenceMs, this.#meanMs(this.#history));
  }

  toleratedSilenceMs(gaps: GapStatistics = this.#history): number {
    return silenceAtPhiExponential(this.threshold, this.#meanMs(gaps));
  }

  #meanMs({ meanMs }: GapStatistics): number {
    return Math.max(meanMs, this.#minMeanMs);
  }
}
