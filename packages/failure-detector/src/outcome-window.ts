/**
 * Gray failure: a subject whose heartbeats are fine and whose work fails (Huang et al., "Gray failure: the
 * Achilles' heel of cloud-scale systems", HotOS 2017). Only who uses it can tell, so outcomes are
 * reported; too many failures among the recent ones make it *degraded*. One that is avoided gets no work and
 * so no outcomes: when the window has emptied it is trusted again, which lets the next requests find out.
 */
import { checkCount, checkPositiveDuration, checkShare } from './detector-settings.js';

export interface OutcomeWindowSettings {
  /** How long an outcome counts, in milliseconds; default 30,000. It is forgotten in steps of a tenth of that. */
  readonly windowMs?: number;
  /** With fewer outcomes nothing is concluded, 1 to 1,000,000; default 10. */
  readonly least?: number;
  /** The share of failures, above 0 and up to 1, at which the subject is degraded; default 0.5. It recovers at half of that. */
  readonly failureShare?: number;
}

const SLOTS = 10;

export class OutcomeWindow {
  readonly #slotMs: number;
  readonly #least: number;
  readonly #failureShare: number;
  readonly #good = new Uint32Array(SLOTS);
  readonly #bad = new Uint32Array(SLOTS);
  /** The slot that is being filled, counted from the beginning of time. */
  #slot = Number.NEGATIVE_INFINITY;
  #isDegraded = false;

  /** @throws DetectorSettingsError naming the setting */
  constructor(settings: OutcomeWindowSettings = {}) {
    const { windowMs = 30_000, least = 10, failureShare = 0.5 } = settings;
    this.#slotMs = checkPositiveDuration('windowMs', windowMs) / SLOTS;
    this.#least = checkCount('least', least, 1_000_000);
    this.#failureShare = checkShare('failureShare', failureShare);
  }

  /** A request to the subject went well, or it failed, at this monotonic time. */
  report(isGood: boolean, nowMs: number): void {
    this.#advance(nowMs);
    const counts = isGood ? this.#good : this.#bad;
    const at = this.#slot % SLOTS;
    counts[at] = (counts[at] ?? 0) + 1;
    this.#judge();
  }

  /** Whether too many of its recent requests failed. */
  isDegraded(nowMs: number): boolean {
    this.#advance(nowMs);
    this.#judge();
    return this.#isDegraded;
  }

  /** Nothing in it counts any more. */
  isEmpty(nowMs: number): boolean {
    this.#advance(nowMs);
    return total(this.#good) + total(this.#bad) === 0;
  }

  #judge(): void {
    const bad = total(this.#bad);
    const all = bad + total(this.#good);
    if (all < this.#least) this.#isDegraded &&= bad > 0;
    else if (bad >= this.#failureShare * all) this.#isDegraded = true;
    else if (bad <= (this.#failureShare / 2) * all) this.#isDegraded = false;
  }

  #advance(nowMs: number): void {
    if (!Number.isFinite(nowMs)) return;
    const slot = Math.floor(nowMs / this.#slotMs);
    if (slot <= this.#slot) return;
    const from = Math.max(this.#slot + 1, slot - SLOTS + 1);
    for (let each = from; each <= slot; each++) {
      this.#good[each % SLOTS] = 0;
      this.#bad[each % SLOTS] = 0;
    }
    this.#slot = slot;
  }
}

const total = (counts: Uint32Array): number => counts.reduce((sum, each) => sum + each, 0);
