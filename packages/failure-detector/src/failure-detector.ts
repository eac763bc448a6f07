/**
 * The contract of a failure detector: signs of life go in, a suspicion comes out. One detector
 * watches one subject for one observer; it owns no clock and no timer. What to do about a
 * suspicion (ask others, convict, route around) is left to whoever reads it.
 */

/**
 * Every time is a monotonic reading in milliseconds, handed in by the caller. A reading that is not
 * a number, or lies before the latest heartbeat, never harms the state: such a heartbeat is ignored,
 * such a question is answered as if the silence were zero.
 */
export interface FailureDetector {
  /**
   * A sign of life arrived at `nowMs`.
   *
   * With `learn = false` it ends the silence like any other, but the gap it closes is not recorded: for a
   * heartbeat that was late for a reason which is no property of the link. Default: true.
   */
  heartbeat(nowMs: number, learn?: boolean): void;

  /**
   * A sign of life that does not come at the heartbeat interval, such as the answer to a probe. It ends the
   * silence, and the gap between heartbeats goes on: the next heartbeat teaches what it would have taught
   * without the sign. If it did not, a link that loses much and is probed often would be taken for a good one.
   */
  contact(nowMs: number): void;

  /**
   * How much the running silence speaks against the subject: finite, at least 0, never decreasing
   * while the silence lasts, 0 before the first heartbeat. For the phi detectors this is phi, the
   * negative decimal logarithm of the chance that the subject is merely late.
   */
  suspicion(nowMs: number): number;

  /** Whether the suspicion is still below the threshold. True before the first heartbeat. */
  isAvailable(nowMs: number): boolean;

  /** Its silence runs: it was heard, or is expected to be (`FailureDetectorRegistry.expect`). */
  readonly isMonitoring: boolean;

  /**
   * From which monotonic millisecond on `isAvailable` is false if nothing more is heard. Infinity
   * when not monitoring. May lie in the past: then the subject is unavailable already.
   */
  unavailableAtMs(): number;

  /**
   * The observer itself did not run for `pauseMs` (milliseconds, above 0; anything else is ignored).
   * That much is subtracted from the running silence, and the gap it fell into is not learnt.
   *
   * Given `nowMs`, no more is subtracted than the silence has lasted: after a long pause a heartbeat
   * may have been handled before the pause was noticed, and the new silence owes nothing to it.
   */
  excuse(pauseMs: number, nowMs?: number): void;

  /**
   * When the latest sign of life arrived, a heartbeat or other, or when the first began to be expected; undefined when not
   * monitoring.
   */
  readonly lastSignOfLifeMs: number | undefined;

  /**
   * What the detector knows about the gaps between heartbeats, first estimates included; all 0 when
   * it knows nothing. A snapshot, not a live view.
   */
  readonly gaps: GapStatistics;
}

/** How many gaps, their mean and their (population) standard deviation, in milliseconds. */
export interface GapStatistics {
  readonly count: number;
  readonly meanMs: number;
  readonly deviationMs: number;
}

/** What a detector that learns nothing knows of the gaps. */
export const nothingLearnt: GapStatistics = Object.freeze({ count: 0, meanMs: 0, deviationMs: 0 });
