/**
 * Messages to a member to whom there is no link yet: they wait in order for it, for so long and so
 * many, and go the moment it is there.
 */
import type { NodeKey } from '@rollcall/convergence';
import type { Clock } from './clock.js';
import { ClusterError } from './errors.js';

interface Letter {
  go(): void;
  refuse(error: ClusterError): void;
}

interface Queue {
  readonly letters: Letter[];
  readonly cancel: () => void;
}

export interface WaitingLimits {
  readonly linkTimeoutMs: number;
  /** Per member. */
  readonly max: number;
}

export class WaitingLetters {
  readonly #clock: Clock;
  readonly #limits: WaitingLimits;
  readonly #queues = new Map<NodeKey, Queue>();

  constructor(clock: Clock, limits: WaitingLimits) {
    this.#clock = clock;
    this.#limits = limits;
  }

  put(to: NodeKey, send: () => Promise<void>): Promise<void> {
    const { letters } = this.#queues.get(to) ?? this.#begin(to);
    const { max } = this.#limits;
    if (letters.length >= max) {
      const message = `${max} messages wait for a link to ${to} already (limits.userOutbox)`;
      return Promise.reject(new ClusterError('backPressure', message, { to, max }));
    }
    return new Promise((resolve, reject) => {
      letters.push({ go: () => send().then(resolve, reject), refuse: reject });
    });
  }

  #begin(to: NodeKey): Queue {
    const { linkTimeoutMs } = this.#limits;
    const cancel = this.#clock.schedule(linkTimeoutMs, () => {
      const message = `no link to ${to} within messages.linkTimeout (${linkTimeoutMs} ms)`;
      this.refuse(to, new ClusterError('noLink', message, { to }));
    });
    const queue = { letters: [], cancel };
    this.#queues.set(to, queue);
    return queue;
  }

  /** There is a link: all go in one turn, so that nothing sent later overtakes them. */
  linked(to: NodeKey): void {
    for (const letter of this.#take(to)) letter.go();
  }

  refuse(to: NodeKey, error: ClusterError): void {
    for (const letter of this.#take(to)) letter.refuse(error);
  }

  end(error: ClusterError): void {
    for (const to of [...this.#queues.keys()]) this.refuse(to, error);
  }

  #take(to: NodeKey): readonly Letter[] {
    const queue = this.#queues.get(to);
    this.#queues.delete(to);
    queue?.cancel();
    return queue?.letters ?? [];
  }
}
