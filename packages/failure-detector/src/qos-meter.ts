/**
 * What a detector's verdicts were worth, in the measures of Chen, Toueg and Aguilera ("On the quality
 * of service of failure detectors", IEEE Transactions on Computers, 2002): how often it was mistaken
 * about one run of its subject (T_MR), for how long each time (T_M), and how much of the time its
 * answer was right (P_A). How soon it notices a crash (T_D) follows from the detector alone.
 *
 * A mistake is a verdict that was taken back because the very run was heard again. While a verdict
 * stands nobody knows which it is, so its time is held back: a run that has crashed never ends it, and
 * makes no detector look inaccurate. Two things are no mistakes of a detector:
 *
 * - The observer's own pause. Its clock stands still while the observer does not run.
 * - A verdict that is dropped without being disproved, because the observer was cut off. It was the
 *   wrong side of a partition, no setting of a detector would have helped, and what it held counted
 *   for nobody. It is counted apart, `setAside`, and its time is nobody's.
 */
import { LongestGaps } from './longest-gaps.js';

/** How many of the longest gaps are kept: enough for a tail, 512 bytes. */
const gapsKept = 64;

/**
 * Plain numbers, for a scraper as for a person. `observedMs`, `mistakes`, `mistakeMs` and `setAside` only
 * grow, as counters do; the other three are their quotients.
 */
export interface Qos {
  /** How long the subject was watched: without the observer's pauses, and without a verdict that still stands. */
  readonly observedMs: number;
  /** Verdicts that were taken back because the same run was heard again. */
  readonly mistakes: number;
  /** How long these stood, in all. */
  readonly mistakeMs: number;
  /** Verdicts that were dropped because the observer itself was cut off. */
  readonly setAside: number;
  /** T_MR, the mean time from one mistake to the next; undefined while there was none. */
  readonly mistakeRecurrenceMs: number | undefined;
  /** T_M, how long a mistake lasts on average; undefined while there was none. */
  readonly mistakeDurationMs: number | undefined;
  /** P_A, the share of the observed time in which it was not mistaken: 1 - T_M / T_MR. Undefined before any time was observed. */
  readonly queryAccuracy: number | undefined;
}

export class QosMeter {
  /** The gaps between heartbeats, those that ended a mistake among them. */
  readonly gaps = new LongestGaps(gapsKept);
  /** Since when it is as it is now, and how much of that the observer did not run. */
  #sinceMs: number;
  #pausedMs = 0;
  #isSuspecting = false;
  #observedMs = 0;
  #mistakes = 0;
  #mistakeMs = 0;
  #setAside = 0;
  /** NaN when the next heartbeat ends no gap. */
  #lastHeartbeatMs = Number.NaN;

  /** Watching begins now. All times are monotonic milliseconds; what lies in the past counts as now. */
  constructor(nowMs: number) {
    this.#sinceMs = nowMs;
  }

  /** A heartbeat. Costs the same however long it runs, and allocates nothing. */
  heard(nowMs: number): void {
    const gapMs = nowMs - this.#lastHeartbeatMs;
    if (gapMs >= 0) this.gaps.add(gapMs);
    if (!(gapMs < 0)) this.#lastHeartbeatMs = nowMs;
  }

  /** A verdict against the subject was taken. */
  suspected(nowMs: number): void {
    if (this.#isSuspecting) return;
    this.#observedMs += this.#elapsedMs(nowMs);
    this.#turn(nowMs, true);
  }

  /** The verdict was taken back because the run was heard: it was a mistake. */
  mistaken(nowMs: number): void {
    if (!this.#isSuspecting) return;
    const lastedMs = this.#elapsedMs(nowMs);
    this.#observedMs += lastedMs;
    this.#mistakeMs += lastedMs;
    this.#mistakes++;
    this.#turn(nowMs, false);
  }

  /** The verdict was dropped for no merit of the subject: what it was is not known, and not counted. */
  dropped(nowMs: number): void {
    if (!this.#isSuspecting) return;
    this.#setAside++;
    this.#lastHeartbeatMs = Number.NaN;
    this.#turn(nowMs, false);
  }

  /** The observer did not run for `pauseMs` until now. The gap it fell into is no gap of the subject. */
  paused(pauseMs: number, nowMs: number): void {
    if (!(pauseMs > 0)) return;
    this.#lastHeartbeatMs = Number.NaN;
    this.#pausedMs += Math.min(pauseMs, this.#elapsedMs(nowMs));
  }

  read(nowMs: number): Qos {
    const runningMs = this.#isSuspecting ? 0 : this.#elapsedMs(nowMs);
    const observedMs = this.#observedMs + runningMs;
    const mistakes = this.#mistakes;
    const mistakeMs = this.#mistakeMs;
    return Object.freeze({
      observedMs,
      mistakes,
      mistakeMs,
      setAside: this.#setAside,
      mistakeRecurrenceMs: mistakes > 0 ? observedMs / mistakes : undefined,
      mistakeDurationMs: mistakes > 0 ? mistakeMs / mistakes : undefined,
      queryAccuracy: observedMs > 0 ? 1 - mistakeMs / observedMs : undefined,
    });
  }

  #turn(nowMs: number, isSuspecting: boolean): void {
    this.#isSuspecting = isSuspecting;
    this.#sinceMs = Math.max(this.#sinceMs, nowMs);
    this.#pausedMs = 0;
  }

  #elapsedMs(nowMs: number): number {
    return Math.max(0, nowMs - this.#sinceMs - this.#pausedMs);
  }
}
