/** The timers a node has armed: one of each kind at most, all of them gone when the node stops. */
import type { Clock } from './clock.js';
import type { Timer, TimerKind } from './membership/input.js';

export class Timers {
  readonly #clock: Clock;
  readonly #fire: (timer: Timer) => void;
  readonly #armed = new Map<TimerKind, () => void>();

  constructor(clock: Clock, fire: (timer: Timer) => void) {
    this.#clock = clock;
    this.#fire = fire;
  }

  /** Replaces the timer of the same kind. */
  arm(timer: Timer, afterMs: number): void {
    this.#armed.get(timer.kind)?.();
    const cancel = this.#clock.schedule(afterMs, () => this.#fire(timer));
    this.#armed.set(timer.kind, cancel);
  }

  cancelAll(): void {
    for (const cancel of this.#armed.values()) cancel();
    this.#armed.clear();
  }
}
