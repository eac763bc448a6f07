/** Asks that wait for their answer: bounded, each with its time, all of them settled when the node ends. */
import type { NodeKey } from '@rollcall/convergence';
import type { Clock } from './clock.js';
import type { Failure } from './envelope.js';
import { ClusterError } from './errors.js';

interface Pending {
  readonly to: NodeKey;
  resolve(body: unknown): void;
  reject(error: unknown): void;
}

export interface AskOptions {
  /** `messages.askTimeout` unless given. */
  readonly timeoutMs?: number;
  readonly signal?: AbortSignal;
}

export class PendingAsks {
  readonly #clock: Clock;
  readonly #max: number;
  readonly #pending = new Map<number, Pending>();
  #last = 0;

  constructor(clock: Clock, max: number) {
    this.#clock = clock;
    this.#max = max;
  }

  /** Sends by `send`, with the number that the answer will carry, and waits for that answer. */
  ask(
    to: NodeKey,
    timeoutMs: number,
    signal: AbortSignal | undefined,
    send: (id: number) => Promise<void>,
  ): Promise<unknown> {
    if (this.#pending.size >= this.#max) {
      const message = `${this.#max} asks wait for their answers already (limits.asks); wait for some of them, or raise it`;
      return Promise.reject(new ClusterError('backPressure', message, { to, max: this.#max }));
    }
    const id = ++this.#last;
    return new Promise((resolve, reject) => {
      const abort = () => this.#reject(id, aborted(to, signal?.reason));
      if (signal?.aborted) return reject(aborted(to, signal.reason));
      const cancel = this.#clock.schedule(timeoutMs, () => this.#reject(id, late(to, timeoutMs)));
      signal?.addEventListener('abort', abort, { once: true });
      const over = () => {
        cancel();
        signal?.removeEventListener('abort', abort);
        this.#pending.delete(id);
      };
      this.#pending.set(id, {
        to,
        resolve: (body) => {
          over();
          resolve(body);
        },
        reject: (error) => {
          over();
          reject(error);
        },
      });
      send(id).catch((error: unknown) => this.#reject(id, error));
    });
  }

  answered(from: NodeKey, id: number, body: unknown): void {
    this.#of(from, id)?.resolve(body);
  }

  /** `isRefused`: it was not even begun. */
  failed(from: NodeKey, id: number, failure: Failure, isRefused = false): void {
    const { name, message, code } = failure;
    const data = { from, name, code, isRefused };
    this.#of(from, id)?.reject(new ClusterError('askFailed', message, data));
  }

  /** It is no member any more: nobody will answer. */
  gone(node: NodeKey): void {
    for (const each of this.#pending.values()) {
      if (each.to !== node) continue;
      const message = `${node} was removed before it answered; it may have done what it was asked`;
      each.reject(new ClusterError('memberGone', message, { to: node }));
    }
  }

  end(error: ClusterError): void {
    for (const each of this.#pending.values()) each.reject(error);
  }

  #reject(id: number, error: unknown): void {
    this.#pending.get(id)?.reject(error);
  }

  /** Only the one that was asked can answer. */
  #of(from: NodeKey, id: number): Pending | undefined {
    const pending = this.#pending.get(id);
    return pending?.to === from ? pending : undefined;
  }
}

const late = (to: NodeKey, timeoutMs: number): ClusterError =>
  new ClusterError('askTimedOut', `${to} did not answer within ${timeoutMs} ms`, { to, timeoutMs });

const aborted = (to: NodeKey, reason: unknown): ClusterError =>
  new ClusterError('aborted', 'the wait for an answer was given up', { to }, reason);
