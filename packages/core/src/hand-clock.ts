/** The puppet of the Clock port. */
import type { Clock } from './clock.js';

interface Alarm {
  readonly dueMs: number;
  readonly run: () => void;
}

/**
 * A Clock that a test moves, for whatever is built on a node's clock: it walks from deadline to deadline, and no callback sees
 * a time but its own. Milliseconds, from 0.
 */
export class HandClock implements Clock {
  #nowMs = 0;
  readonly #alarms = new Set<Alarm>();

  nowMs(): number {
    return this.#nowMs;
  }

  schedule(afterMs: number, run: () => void): () => void {
    const alarm = { dueMs: this.#nowMs + afterMs, run };
    this.#alarms.add(alarm);
    return () => this.#alarms.delete(alarm);
  }

  /** How many calls are planned and not taken back. */
  get pending(): number {
    return this.#alarms.size;
  }

  /** Lets so much time pass; what falls due runs, also what is planned meanwhile. */
  advance(ms: number): void {
    const untilMs = this.#nowMs + ms;
    for (let next = this.#next(untilMs); next !== undefined; next = this.#next(untilMs)) {
      this.#alarms.delete(next);
      this.#nowMs = Math.max(this.#nowMs, next.dueMs);
      next.run();
    }
    this.#nowMs = untilMs;
  }

  #next(untilMs: number): Alarm | undefined {
    let first: Alarm | undefined;
    for (const alarm of this.#alarms)
      if (alarm.dueMs <= untilMs && (first === undefined || alarm.dueMs < first.dueMs))
        first = alarm;
    return first;
  }
}
