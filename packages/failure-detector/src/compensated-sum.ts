/**
 * A running sum of what an array holds, or of its squares, that can also be taken from. It carries the rounding
 * error of each step along (Knuth's two-sum), which doubles the digits: what was added and later subtracted
 * leaves no trace, however long it runs and however large it was.
 */
export class CompensatedSum {
  readonly #values: Float64Array;
  readonly #power: 1 | 2;
  #high = 0;
  #low = 0;

  constructor(values: Float64Array, power: 1 | 2) {
    this.#values = values;
    this.#power = power;
  }

  get value(): number {
    return this.#high;
  }

  /**
   * Adds the value at this place, which is finite, or takes it out. It is read here because the engine boxes a
   * fraction that is handed to a function, unless it compiles the one into the other.
   */
  account(sign: 1 | -1, at: number): void {
    const value = this.#values[at] ?? 0;
    const term = this.#power === 1 ? sign * value : sign * value * value;
    const high = this.#high;
    const rounded = high + term;
    const termAsSeen = rounded - high;
    const low = this.#low + (high - (rounded - termAsSeen) + (term - termAsSeen));
    const sum = rounded + low;
    this.#high = sum;
    this.#low = low - (sum - rounded);
  }
}
