/**
 * Tells the node what happened, in order and never from inside one of the node's own calls: what a
 * call causes waits for the microtask after it, and nothing overtakes what waits.
 */

export class Teller {
  #waiting: (() => void)[] = [];
  #isMuted = false;

  /** Nothing waits: a frame may be handed over directly. */
  get isIdle(): boolean {
    return this.#waiting.length === 0 && !this.#isMuted;
  }

  tell(event: () => void): void {
    if (this.#isMuted) return;
    this.#waiting.push(event);
    if (this.#waiting.length === 1) queueMicrotask(() => this.#deliver());
  }

  /** The node has closed the transport and is told nothing more. */
  mute(): void {
    this.#isMuted = true;
    this.#waiting = [];
  }

  #deliver(): void {
    const event = this.#waiting[0];
    if (!event) return;
    try {
      event();
    } finally {
      // It stays in the queue while it runs, so that what it causes comes after it. If it throws, that
      // is a bug of the node's and reaches the process; the events behind it are told all the same.
      this.#waiting.shift();
      if (this.#waiting.length > 0) queueMicrotask(() => this.#deliver());
    }
  }
}
