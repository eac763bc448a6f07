/**
 * What all detectors that judge by silence have in common: when the subject was last heard, what the
 * observer's own pauses excuse, and the moment at which patience ends. How long patience lasts and
 * what is learnt from a gap is left to each detector.
 */
import type { FailureDetector, GapStatistics } from './failure-detector.js';

export abstract class SilenceDetector implements FailureDetector {
  /** The suspicion at which the subject stops being available. */
  readonly threshold: number;
  /** The largest suspicion an available subject is given. */
  readonly #belowThreshold: number;
  /** NaN before the first: a field that is always a double is written in place. */
  #lastSignOfLifeMs = Number.NaN;
  #excusedMs = 0;
  /** The gap between heartbeats that is running: since when, and whether a pause has fallen into it. */
  #gapSinceMs = Number.NaN;
  #isGapExcused = false;

  constructor(threshold: number) {
    this.threshold = threshold;
    this.#belowThreshold = threshold * (1 - Number.EPSILON);
  }

  abstract readonly gaps: GapStatistics;

  /** The first heartbeat is here: time for a first estimate. */
  protected abstract begin(): void;

  /** A gap ended by a heartbeat: finite, not negative, free of excused pauses. */
  protected abstract learn(gapMs: number, wasTolerated: boolean): void;

  /** The suspicion after this much silence (at least 0, perhaps Infinity). */
  protected abstract suspicionAfter(silenceMs: number): number;

  /**
   * The silence, at least 0, after which the suspicion reaches the threshold: with what it has learnt of
   * the gaps, or else if they were as given.
   */
  abstract toleratedSilenceMs(gaps?: GapStatistics): number;

  get isMonitoring(): boolean {
    return !Number.isNaN(this.#lastSignOfLifeMs);
  }

  get lastSignOfLifeMs(): number | undefined {
    return this.isMonitoring ? this.#lastSignOfLifeMs : undefined;
  }

  heartbeat(nowMs: number, learn = true): void {
    if (!Number.isFinite(nowMs)) return;
    const lastMs = this.#lastSignOfLifeMs;
    if (Number.isNaN(lastMs)) this.begin();
    else if (nowMs < lastMs) return;
    else if (learn && this.#excusedMs === 0 && !this.#isGapExcused) {
      const sinceMs = this.#gapSinceMs;
      // By the sum, as `isAvailable` goes by it: the difference rounds otherwise.
      this.learn(nowMs - sinceMs, nowMs < sinceMs + this.toleratedSilenceMs());
    }
    this.#lastSignOfLifeMs = nowMs;
    this.#excusedMs = 0;
    this.#gapSinceMs = nowMs;
    this.#isGapExcused = false;
  }

  contact(nowMs: number): void {
    const lastMs = this.#lastSignOfLifeMs;
    if (Number.isNaN(lastMs)) return this.heartbeat(nowMs, false);
    if (!(nowMs >= lastMs) || nowMs === Number.POSITIVE_INFINITY) return;
    this.#isGapExcused ||= this.#excusedMs > 0;
    this.#lastSignOfLifeMs = nowMs;
    this.#excusedMs = 0;
  }

  /**
   * Clamped so that it agrees with `isAvailable`: below the threshold exactly while the subject is
   * available. Computing phi and inverting it round differently, by a few units in the last place,
   * and without the clamp a consumer of one could contradict a consumer of the other.
   */
  suspicion(nowMs: number): number {
    if (!this.isMonitoring) return 0;
    const raw = this.suspicionAfter(this.#silenceMs(nowMs));
    if (this.isAvailable(nowMs)) return Math.min(raw, this.#belowThreshold);
    return Math.min(Math.max(raw, this.threshold), Number.MAX_VALUE);
  }

  isAvailable(nowMs: number): boolean {
    return !(this.isMonitoring && nowMs >= this.unavailableAtMs());
  }

  unavailableAtMs(): number {
    const lastMs = this.#lastSignOfLifeMs;
    if (Number.isNaN(lastMs)) return Number.POSITIVE_INFINITY;
    return lastMs + this.#excusedMs + this.toleratedSilenceMs();
  }

  excuse(pauseMs: number, nowMs?: number): void {
    if (!this.isMonitoring || !(pauseMs > 0) || !Number.isFinite(pauseMs)) return;
    const grantedMs = nowMs === undefined ? pauseMs : Math.min(pauseMs, this.#silenceMs(nowMs));
    this.#excusedMs += grantedMs;
  }

  /** How long nothing was heard, less what is excused; 0 when the question makes no sense. */
  #silenceMs(nowMs: number): number {
    const silenceMs = nowMs - this.#lastSignOfLifeMs - this.#excusedMs;
    return Number.isNaN(silenceMs) ? 0 : Math.max(0, silenceMs);
  }
}
