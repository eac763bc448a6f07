/**
 * Log lines that a peer can cause. Each kind is written once and then at most every ten seconds with
 * the number of those that were swallowed, so that a broken peer fills a counter and not a disk.
 */
import type { Clock, Logger } from '@rollcall/core';

const quietMs = 10_000;

interface Kind {
  notBeforeMs: number;
  swallowed: number;
}

export class CountedLog {
  readonly #logger: Logger;
  readonly #clock: Clock;
  readonly #kinds = new Map<string, Kind>();

  constructor(logger: Logger, clock: Clock) {
    this.#logger = logger;
    this.#clock = clock;
  }

  /** `kind` is one of a fixed few, never a peer's words. */
  warn(kind: string, facts: object, message: string): void {
    const nowMs = this.#clock.nowMs();
    const seen = this.#kinds.get(kind);
    if (seen && nowMs < seen.notBeforeMs) {
      seen.swallowed += 1;
      return;
    }
    this.#kinds.set(kind, { notBeforeMs: nowMs + quietMs, swallowed: 0 });
    const swallowed = seen?.swallowed ?? 0;
    this.#logger.warn(swallowed > 0 ? { ...facts, swallowed } : facts, message);
  }
}
