/** The receiving end: finds the actor that a letter is for, and hands it over. */
import { ClusterError, type IncomingMessage, type NodeKey } from '@rollcall/core';
import { Subject } from 'rxjs';
import type { ActorSystemBridge, LocalActor } from './bridge.js';

/** A message that no actor took. */
export interface DeadLetter {
  readonly from: NodeKey;
  readonly path: string;
  /** Undefined where an actor was to be watched. */
  readonly message: unknown;
  /** `noActor`, or what the adapter threw. */
  readonly error: unknown;
}

export class Mailroom {
  readonly deadLetters = new Subject<DeadLetter>();
  readonly #bridge: ActorSystemBridge;

  constructor(bridge: ActorSystemBridge) {
    this.#bridge = bridge;
  }

  /** Up to the first wait it is one turn, so messages are handed over in the order in which they came. */
  async deliver(message: IncomingMessage, path: string, body: unknown): Promise<void> {
    const { kind, from } = message;
    let answer: unknown;
    try {
      answer = await this.#find(path).deliver(body, { from, isAsk: kind === 'ask' });
    } catch (error) {
      this.failed({ from, path, message: body, error });
      if (kind === 'ask') message.fail(error).catch(() => {});
      return;
    }
    // An answer that cannot be sent fails the ask; if that cannot be sent either, whoever asked is gone.
    if (kind === 'ask') message.reply(answer).catch((error) => message.fail(error).catch(() => {}));
  }

  failed(letter: DeadLetter): void {
    this.deadLetters.next(Object.freeze(letter));
  }

  #find(path: string): LocalActor {
    const actor = this.#bridge.resolve(path);
    if (actor !== undefined) return actor;
    throw new ClusterError('noActor', `there is no actor at ${path}`, { path });
  }
}
