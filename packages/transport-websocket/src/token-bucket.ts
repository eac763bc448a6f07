/**
 * How many frames a peer may send: a bucket that holds one second's worth and fills as it is emptied.
 * A burst after a pause is fine, a stream above the rate is refused, or read more slowly.
 */

export class TokenBucket {
  readonly #perSecond: number;
  #tokens: number;
  #filledMs: number;

  constructor(perSecond: number, nowMs: number) {
    this.#perSecond = perSecond;
    this.#tokens = perSecond;
    this.#filledMs = nowMs;
  }

  /** False when the peer is over its rate. */
  take(nowMs: number): boolean {
    this.#fill(nowMs);
    if (this.#tokens < 1) return false;
    this.#tokens -= 1;
    return true;
  }

  /** Takes one all the same; returns how long it takes until nothing is owed. */
  owe(nowMs: number): number {
    this.#fill(nowMs);
    this.#tokens -= 1;
    return this.#tokens >= 0 ? 0 : (-this.#tokens / this.#perSecond) * 1_000;
  }

  #fill(nowMs: number): void {
    const filled = this.#tokens + ((nowMs - this.#filledMs) / 1_000) * this.#perSecond;
    this.#filledMs = nowMs;
    this.#tokens = Math.min(this.#perSecond, filled);
  }
}
