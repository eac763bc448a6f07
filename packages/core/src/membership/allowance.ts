/** How often something may happen: a few times at once, and then at a steady pace. Time comes from outside. */

export class Allowance {
  readonly #burst: number;
  readonly #everyMs: number;
  #spent = 0;
  #atMs = Number.NEGATIVE_INFINITY;

  /** `burst` at once, and one more each `everyMs` milliseconds. */
  constructor(burst: number, everyMs: number) {
    this.#burst = burst;
    this.#everyMs = everyMs;
  }

  /** Takes one; false if there is none left now. */
  take(nowMs: number): boolean {
    const earned = (nowMs - this.#atMs) / this.#everyMs;
    this.#spent = Math.max(0, this.#spent - earned);
    this.#atMs = nowMs;
    if (this.#spent + 1 > this.#burst) return false;
    this.#spent += 1;
    return true;
  }
}
