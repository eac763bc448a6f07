/**
 * The latest gaps between heartbeats, in a ring of fixed size, with their mean and deviation always at
 * hand. Adding one costs the same whatever the size, and allocates nothing. Which gaps deserve to be
 * remembered is decided elsewhere.
 */
import { CompensatedSum } from './compensated-sum.js';
import { checkCount, durationMaxMs } from './detector-settings.js';
import type { GapStatistics } from './failure-detector.js';

/** The largest window allowed; at 8 bytes a sample this is 8 MB for each subject. */
const samplesMax = 1_000_000;

export class HeartbeatHistory implements GapStatistics {
  readonly #ring: Float64Array;
  readonly #sum = new CompensatedSum();
  readonly #sumOfSquares = new CompensatedSum();
  #count = 0;
  #next = 0;

  /**
   * @param maxSamples how many gaps are kept, 1 to 1,000,000; when full, the oldest makes room
   * @throws DetectorSettingsError naming `maxSamples`
   */
  constructor(maxSamples: number) {
    this.#ring = new Float64Array(checkCount('maxSamples', maxSamples, samplesMax));
  }

  get count(): number {
    return this.#count;
  }

  /** 0 when empty. */
  get meanMs(): number {
    return this.#count === 0 ? 0 : this.#sum.value / this.#count;
  }

  /**
   * The standard deviation of what is held (of the population, as Akka does it), 0 when empty. From
   * the sum of squares, so the last digits are lost when it is far smaller than the mean: its error
   * is about 1e-8 of the largest gap.
   */
  get deviationMs(): number {
    if (this.#count === 0) return 0;
    const mean = this.meanMs;
    return Math.sqrt(Math.max(0, this.#sumOfSquares.value / this.#count - mean * mean));
  }

  /** Records a gap of 0 to 10^12 ms (31 years); anything else is no gap and is left out. */
  add(gapMs: number): void {
    if (!(gapMs >= 0 && gapMs <= durationMaxMs)) return;
    const ring = this.#ring;
    if (this.#count === ring.length) this.#account(-1, ring[this.#next] ?? 0);
    else this.#count++;
    this.#account(1, gapMs);
    ring[this.#next] = gapMs;
    this.#next = this.#next + 1 === ring.length ? 0 : this.#next + 1;
  }

  #account(sign: 1 | -1, gapMs: number): void {
    this.#sum.add(sign * gapMs);
    this.#sumOfSquares.add(sign * gapMs * gapMs);
  }
}
