/**
 * How many gaps there were, and the longest of them: what is needed to say how often a gap outlasts a
 * given patience, in a few hundred bytes however long it runs. Means and deviations are elsewhere
 * (`heartbeat-history.ts`); here is the tail, which a window of the latest gaps mostly misses.
 */
import { checkCount, durationMaxMs } from './detector-settings.js';

/** More than this a tail does not need, and each costs 8 bytes a subject. */
const keptMax = 10_000;

export class LongestGaps {
  /** A heap: no parent is longer than its children, so the shortest that is kept is at the top. */
  readonly #heap: Float64Array;
  #kept = 0;
  #count = 0;

  /**
   * @param keep how many of the longest are kept, 1 to 10,000
   * @throws DetectorSettingsError naming `keep`
   */
  constructor(keep: number) {
    this.#heap = new Float64Array(checkCount('keep', keep, keptMax));
  }

  /** How many gaps there were in all. */
  get count(): number {
    return this.#count;
  }

  /** Counts a gap of 0 to 10^12 ms; anything else is no gap and is left out. Allocates nothing. */
  add(gapMs: number): void {
    if (!(gapMs >= 0 && gapMs <= durationMaxMs)) return;
    this.#count++;
    if (this.#kept < this.#heap.length) this.#rise(this.#kept++, gapMs);
    else if (gapMs > (this.#heap[0] ?? 0)) this.#sink(gapMs);
  }

  /** The longest ones, longest first, at most `most` of them. A copy. */
  longest(most = this.#kept): readonly number[] {
    const sorted = this.#heap.slice(0, this.#kept).sort();
    return [...sorted.reverse().subarray(0, Math.max(0, most))];
  }

  #rise(from: number, gapMs: number): void {
    const heap = this.#heap;
    let at = from;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      const above = heap[parent] ?? 0;
      if (above <= gapMs) break;
      heap[at] = above;
      at = parent;
    }
    heap[at] = gapMs;
  }

  /** Takes the place of the shortest that is kept. */
  #sink(gapMs: number): void {
    const heap = this.#heap;
    let at = 0;
    for (;;) {
      let child = 2 * at + 1;
      if (child >= heap.length) break;
      const right = child + 1;
      if (right < heap.length && (heap[right] ?? 0) < (heap[child] ?? 0)) child = right;
      const below = heap[child] ?? 0;
      if (below >= gapMs) break;
      heap[at] = below;
      at = child;
    }
    heap[at] = gapMs;
  }
}
