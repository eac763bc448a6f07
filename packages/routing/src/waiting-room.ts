/** Messages without a routee wait here: so many, so long, in order, and none for ever. */
import { type Clock, ClusterError } from '@rollcall/core';

interface Waiting {
  go(): void;
  refuse(error: ClusterError): void;
}

export interface WaitingRoomLimits {
  readonly waitingMax: number;
}

export class WaitingRoom {
  readonly #clock: Clock;
  readonly #limits: WaitingRoomLimits;
  readonly #waiting = new Set<Waiting>();

  constructor(clock: Clock, limits: WaitingRoomLimits) {
    this.#clock = clock;
    this.#limits = limits;
  }

  /** Resolves when `open` is called; rejects with `late`, `backPressure`, `aborted`, or what `end` is given. */
  wait(untilMs: number, signal: AbortSignal | undefined, late: () => ClusterError): Promise<void> {
    const { waitingMax } = this.#limits;
    const leftMs = Math.max(0, untilMs - this.#clock.nowMs());
    if (this.#waiting.size >= waitingMax) {
      const message = `${waitingMax} messages wait for a routee already (waitingMax)`;
      return Promise.reject(new ClusterError('backPressure', message, { max: waitingMax }));
    }
    return new Promise((resolve, reject) => {
      if (signal?.aborted === true) return reject(givenUp(signal));
      const abort = () => waiting.refuse(givenUp(signal));
      const cancel = this.#clock.schedule(leftMs, () => waiting.refuse(late()));
      const over = () => {
        cancel();
        signal?.removeEventListener('abort', abort);
        this.#waiting.delete(waiting);
      };
      const waiting: Waiting = {
        go: () => {
          over();
          resolve();
        },
        refuse: (error) => {
          over();
          reject(error);
        },
      };
      signal?.addEventListener('abort', abort, { once: true });
      this.#waiting.add(waiting);
    });
  }

  open(): void {
    for (const waiting of [...this.#waiting]) waiting.go();
  }

  end(error: ClusterError): void {
    for (const waiting of [...this.#waiting]) waiting.refuse(error);
  }
}

const givenUp = (signal: AbortSignal | undefined): ClusterError =>
  new ClusterError('aborted', 'the wait for a routee was given up', {}, signal?.reason);
