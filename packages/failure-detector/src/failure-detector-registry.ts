/**
 * All the subjects one observer watches: one detector for each, made when the subject is first heard
 * or first dialled. A key stands for one run of one process (an address with its uid), so a restarted
 * subject begins with a fresh detector; forgetting the old one is the caller's part.
 */
import { checkCount } from './detector-settings.js';
import type { FailureDetector } from './failure-detector.js';

/** The registry is full and was asked for one subject more. Nothing was changed. */
export class RegistryFullError extends Error {
  override readonly name = 'RegistryFullError';
  readonly limit: number;

  constructor(limit: number, key: unknown) {
    super(`cannot watch ${String(key)}: the registry is at its limit of ${limit} subjects`);
    this.limit = limit;
  }
}

/** A detector, whether its subject ever spoke or was only expected to, and whether by a heartbeat. */
interface Watch {
  readonly detector: FailureDetector;
  isHeard: boolean;
  hasBeaten: boolean;
}

export class FailureDetectorRegistry<K> {
  readonly #create: (key: K) => FailureDetector;
  readonly #watches = new Map<K, Watch>();
  /** How many subjects may be watched at once. */
  readonly limit: number;

  /**
   * @param create makes the detector of a subject
   * @param options.limit how many subjects may be watched at once, 1 to 1,000,000
   * @throws DetectorSettingsError naming `limit`
   */
  constructor(create: (key: K) => FailureDetector, options: { readonly limit: number }) {
    this.#create = create;
    this.limit = checkCount('limit', options.limit, 1_000_000);
  }

  get size(): number {
    return this.#watches.size;
  }

  /** The subjects watched, in the order in which the watch began. */
  keys(): readonly K[] {
    return [...this.#watches.keys()];
  }

  get(key: K): FailureDetector | undefined {
    return this.#watches.get(key)?.detector;
  }

  /**
   * A sign of life of this subject, which is watched from now on.
   *
   * The first one teaches nothing: the time from a dial, or from the answer to a probe, to the first heartbeat
   * is not a gap between heartbeats.
   *
   * @throws RegistryFullError if it is a new subject and there is no room; nothing was changed
   */
  heartbeat(key: K, nowMs: number, learn = true): void {
    if (!Number.isFinite(nowMs)) return;
    const watch = this.#watches.get(key) ?? this.#open(key);
    watch.detector.heartbeat(nowMs, learn && watch.hasBeaten);
    watch.isHeard = true;
    watch.hasBeaten = true;
  }

  /**
   * A sign of life that is no heartbeat (`FailureDetector.contact`).
   *
   * @throws RegistryFullError if it is a new subject and there is no room; nothing was changed
   */
  contact(key: K, nowMs: number): void {
    if (!Number.isFinite(nowMs)) return;
    const watch = this.#watches.get(key) ?? this.#open(key);
    watch.detector.contact(nowMs);
    watch.isHeard = true;
  }

  /**
   * The subject was dialled and should be heard: its silence runs from now, so one that never answers
   * is convicted like one that stopped. `firstReplyMs` of patience are added to that first silence
   * (default 0; Akka waits 1 s). Does nothing if the subject is watched already.
   *
   * @throws RegistryFullError if there is no room; nothing was changed
   */
  expect(key: K, nowMs: number, firstReplyMs = 0): void {
    if (this.#watches.has(key) || !Number.isFinite(nowMs)) return;
    const { detector } = this.#open(key);
    detector.heartbeat(nowMs, false);
    detector.excuse(firstReplyMs);
  }

  /** Whether the subject was ever heard, and not only expected. */
  isHeard(key: K): boolean {
    return this.#watches.get(key)?.isHeard ?? false;
  }

  /** Whether the subject is available; a subject that is not watched is. */
  isAvailable(key: K, nowMs: number): boolean {
    return this.get(key)?.isAvailable(nowMs) ?? true;
  }

  /** The suspicion of the subject; 0 if it is not watched. */
  suspicion(key: K, nowMs: number): number {
    return this.get(key)?.suspicion(nowMs) ?? 0;
  }

  isMonitoring(key: K): boolean {
    return this.get(key)?.isMonitoring ?? false;
  }

  /** Forgets the subject and all that was learnt of it. Returns whether it was watched. */
  remove(key: K): boolean {
    return this.#watches.delete(key);
  }

  /** The observer itself paused: every silence now running is excused (`FailureDetector.excuse`). */
  excuse(pauseMs: number, nowMs?: number): void {
    for (const { detector } of this.#watches.values()) detector.excuse(pauseMs, nowMs);
  }

  /**
   * The earliest monotonic millisecond after `afterMs` at which a subject becomes unavailable if
   * nothing more is heard; Infinity if there is none. By default subjects that are unavailable
   * already count, so the answer may lie in the past; pass the present to learn when to look next.
   */
  earliestUnavailableAtMs(afterMs = Number.NEGATIVE_INFINITY): number {
    let earliestMs = Number.POSITIVE_INFINITY;
    for (const { detector } of this.#watches.values()) {
      const atMs = detector.unavailableAtMs();
      if (atMs > afterMs && atMs < earliestMs) earliestMs = atMs;
    }
    return earliestMs;
  }

  #open(key: K): Watch {
    if (this.#watches.size >= this.limit) throw new RegistryFullError(this.limit, key);
    const watch: Watch = { detector: this.#create(key), isHeard: false, hasBeaten: false };
    this.#watches.set(key, watch);
    return watch;
  }
}
