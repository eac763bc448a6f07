/**
 * A running sum that can also be taken from. It carries the rounding error of each step along
 * (Knuth's two-sum), which doubles the digits: what was added and later subtracted leaves no trace,
 * however long it runs and however large it was.
 */
export class CompensatedSum {
  #high = 0;
  #low = 0;

  get value(): number {
    return this.#high;
  }

  /** Adds a finite number; add its negative to take it out again. */
  add(term: number): void {
    const rounded = this.#high + term;
    const termAsSeen = rounded - this.#high;
    const error = this.#high - (rounded - termAsSeen) + (term - termAsSeen);
    const low = this.#low + error;
    this.#high = rounded + low;
    this.#low = low - (this.#high - rounded);
  }
}
