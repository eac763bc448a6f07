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
  readonly #sum: CompensatedSum;
  readonly #sumOfSquares: CompensatedSum;
  #count = 0;
  #next = 0;
  // Kept, and not worked out when asked: the engine compiles a plain read into its caller, and does not box what it reads.
  #meanMs = 0;
  #deviationMs = 0;

  /**
   * @param maxSamples how many gaps are kept, 1 to 1,000,000; when full, the oldest makes room
   * @throws DetectorSettingsError naming `maxSamples`
   */
  constructor(maxSamples: number) {
    this.#ring = new Float64Array(checkCount('maxSamples', maxSamples, samplesMax));
    this.#sum = new CompensatedSum(this.#ring, 1);
    this.#sumOfSquares = new CompensatedSum(this.#ring, 2);
  }

  get count(): number {
    return this.#count;
  }

  /** 0 when empty. */
  get meanMs(): number {
    return this.#meanMs;
  }

  /**
   * The standard deviation of what is held (of the population, as Akka does it), 0 when empty. From
   * the sum of squares, so the last digits are lost when it is far smaller than the mean: its error
   * is about 1e-8 of the largest gap.
   */
  get deviationMs(): number {
    return this.#deviationMs;
  }

  /** Records a gap of 0 to 10^12 ms (31 years); anything else is no gap and is left out. */
  add(gapMs: number): void {
    if (!(gapMs >= 0 && gapMs <= durationMaxMs)) return;
    const at = this.#makeRoom();
    this.#ring[at] = gapMs;
    this.#account(1, at);
    this.#measure();
  }

  /** Returns the place for the next gap. */
  #makeRoom(): number {
    const at = this.#next;
    if (this.#count === this.#ring.length) this.#account(-1, at);
    else this.#count++;
    this.#next = at + 1 === this.#ring.length ? 0 : at + 1;
    return at;
  }

  #account(sign: 1 | -1, at: number): void {
    this.#sum.account(sign, at);
    this.#sumOfSquares.account(sign, at);
  }

  #measure(): void {
    const count = this.#count;
    const meanMs = this.#sum.value / count;
    const variance = this.#sumOfSquares.value / count - meanMs * meanMs;
    this.#meanMs = meanMs;
    this.#deviationMs = Math.sqrt(Math.max(0, variance));
  }
}
