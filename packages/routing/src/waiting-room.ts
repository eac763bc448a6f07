/** Messages without a routee wait here: so many, so long, in order, and none for ever. */
import { type Clock, ClusterError } from '@rollcall/core';

interface Waiting {
  send(): void;
  refuse(error: ClusterError): void;
}

export interface WaitingRoomLimits {
  readonly waitMs: number;
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

  /** Sends when `open` is called, in its turn; rejects with `late`, `backPressure`, `aborted`, or what `end` is given. */
  wait<T>(
    send: () => Promise<T>,
    signal: AbortSignal | undefined,
    late: () => ClusterError,
  ): Promise<T> {
    const { waitMs, waitingMax } = this.#limits;
    if (this.#waiting.size >= waitingMax) {
      const message = `${waitingMax} messages wait for a routee already (waitingMax)`;
      return Promise.reject(new ClusterError('backPressure', message, { max: waitingMax }));
    }
    return new Promise((resolve, reject) => {
      if (signal?.aborted === true) return reject(givenUp(signal));
      const abort = () => waiting.refuse(givenUp(signal));
      const cancel = this.#clock.schedule(waitMs, () => waiting.refuse(late()));
      const over = () => {
        cancel();
        signal?.removeEventListener('abort', abort);
        this.#waiting.delete(waiting);
      };
      const waiting: Waiting = {
        send: () => {
          over();
          resolve(send());
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

  /** Lets them go in order, for as long as there is somebody to send to. */
  open(isOpen: () => boolean): void {
    for (const waiting of [...this.#waiting]) if (isOpen()) waiting.send();
  }

  end(error: ClusterError): void {
    for (const waiting of [...this.#waiting]) waiting.refuse(error);
  }
}

const givenUp = (signal: AbortSignal | undefined): ClusterError =>
  new ClusterError('aborted', 'the wait for a routee was given up', {}, signal?.reason);
