/**
 * A detector for tests: it says what it is told and nothing else. Heartbeats and excuses are counted,
 * not weighed, so a test can put a subject out of reach while its heartbeats keep coming.
 */
import { DetectorSettingsError } from './detector-settings.js';
import { type FailureDetector, nothingLearnt } from './failure-detector.js';

/** What a puppet that is unavailable suspects at least: the default threshold of the others. */
const convicted = 8;

/** Being told anything counts as monitoring, like a first heartbeat. */
export class PuppetDetector implements FailureDetector {
  readonly gaps = nothingLearnt;
  #isTold = false;
  #suspicion = 0;
  #unavailableAtMs = Number.POSITIVE_INFINITY;
  #lastSignOfLifeMs: number | undefined;
  #heartbeats = 0;
  #excusedMs = 0;

  /** Available from now on, without suspicion, until told otherwise. */
  tellAvailable(): void {
    this.#isTold = true;
    this.#suspicion = 0;
    this.#unavailableAtMs = Number.POSITIVE_INFINITY;
  }

  /**
   * Unavailable from this monotonic millisecond on, whatever is heard, until told otherwise.
   * @throws DetectorSettingsError if it is not a finite number
   */
  tellUnavailableFrom(atMs: number): void {
    this.#unavailableAtMs = toldNumber('unavailableFrom', atMs, Number.NEGATIVE_INFINITY);
    this.#isTold = true;
  }

  /**
   * The suspicion to report, finite and at least 0; while unavailable no less than 8 is reported.
   * @throws DetectorSettingsError if it is neither
   */
  tellSuspicion(suspicion: number): void {
    this.#suspicion = toldNumber('suspicion', suspicion, 0);
    this.#isTold = true;
  }

  /** How many heartbeats, and other signs of life, were heard. */
  get heartbeats(): number {
    return this.#heartbeats;
  }

  /** How many milliseconds were excused in all. */
  get excusedMs(): number {
    return this.#excusedMs;
  }

  get isMonitoring(): boolean {
    return this.#isTold || this.#lastSignOfLifeMs !== undefined;
  }

  get lastSignOfLifeMs(): number | undefined {
    return this.#lastSignOfLifeMs;
  }

  heartbeat(nowMs: number): void {
    if (!Number.isFinite(nowMs)) return;
    this.#heartbeats++;
    this.#lastSignOfLifeMs = Math.max(nowMs, this.#lastSignOfLifeMs ?? nowMs);
  }

  contact(nowMs: number): void {
    this.heartbeat(nowMs);
  }

  suspicion(nowMs: number): number {
    return this.isAvailable(nowMs) ? this.#suspicion : Math.max(this.#suspicion, convicted);
  }

  isAvailable(nowMs: number): boolean {
    return !(this.isMonitoring && nowMs >= this.#unavailableAtMs);
  }

  unavailableAtMs(): number {
    return this.#unavailableAtMs;
  }

  excuse(pauseMs: number): void {
    if (pauseMs > 0 && Number.isFinite(pauseMs)) this.#excusedMs += pauseMs;
  }
}

function toldNumber(what: string, value: number, least: number): number {
  if (Number.isFinite(value) && value >= least) return value;
  throw new DetectorSettingsError(what, `cannot be told to a puppet as ${value}`);
}
