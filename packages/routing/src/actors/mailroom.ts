/** The receiving end: finds the actor that a letter is for, hands it over, and answers those who watch. */
import {
  type Asked,
  type Clock,
  ClusterError,
  type IncomingMessage,
  type NodeKey,
} from '@rollcall/core';
import { Subject } from 'rxjs';
import type { ActorSystemBridge, LocalActor } from './bridge.js';
import { type Letter, readLetter, type Watched } from './letter.js';

/** A message that no actor took. */
export interface DeadLetter {
  readonly from: NodeKey;
  readonly path: string;
  readonly message: unknown;
  /** `noActor`, or what the adapter threw. */
  readonly error: unknown;
}

export class Mailroom {
  readonly deadLetters = new Subject<DeadLetter>();
  readonly #bridge: ActorSystemBridge;
  readonly #clock: Clock;
  readonly #mark: string;
  readonly #watchMs: number;
  readonly #watchers = new Set<() => void>();

  constructor(bridge: ActorSystemBridge, clock: Clock, mark: string, watchMs: number) {
    this.#bridge = bridge;
    this.#clock = clock;
    this.#mark = mark;
    this.#watchMs = watchMs;
  }

  take(message: IncomingMessage): void {
    const letter = readLetter(this.#mark, message.body);
    if (letter?.[1] === 'deliver') void this.#deliver(message, letter[2], letter[3]);
    if (letter?.[1] === 'watch' && message.kind === 'ask') this.#watch(message, letter);
  }

  close(): void {
    for (const forget of this.#watchers) forget();
    this.deadLetters.complete();
  }

  /** Up to the first wait it is one turn, so messages are handed over in the order in which they came. */
  async #deliver(message: IncomingMessage, path: string, body: unknown): Promise<void> {
    const { kind, from } = message;
    let answer: unknown;
    try {
      answer = await this.#find(path).deliver(body, { from, isAsk: kind === 'ask' });
    } catch (error) {
      this.deadLetters.next(Object.freeze({ from, path, message: body, error }));
      if (kind === 'ask') message.fail(error).catch(() => {});
      return;
    }
    // An answer that cannot be sent fails the ask; if that cannot be sent either, whoever asked is gone.
    if (kind === 'ask') message.reply(answer).catch((error) => message.fail(error).catch(() => {}));
  }

  #find(path: string): LocalActor {
    const actor = this.#bridge.resolve(path);
    if (actor !== undefined) return actor;
    throw new ClusterError('noActor', `there is no actor at ${path}`, { path });
  }

  #watch(asked: Asked, [, , path]: Letter): void {
    const answer = (watched: Watched) => {
      forget();
      asked.reply(watched).catch(() => {});
    };
    let undo = [() => {}];
    const forget = () => {
      this.#watchers.delete(forget);
      for (const each of undo.splice(0)) this.#undo(each, asked.from, path);
    };
    try {
      const actor = this.#bridge.resolve(path);
      if (actor === undefined) return answer('noActor');
      this.#watchers.add(forget);
      undo = [this.#clock.schedule(this.#watchMs, () => answer('runs'))];
      const unwatch: unknown = actor.watch(() => answer('stopped'));
      if (typeof unwatch !== 'function') throw new TypeError('watch returned nothing that ends it');
      undo.push(() => unwatch());
    } catch (error) {
      forget();
      asked.fail(error).catch(() => {});
    }
  }

  /** It may run from a timer, and is the adapter's: what it throws is told of, and ends nothing. */
  #undo(undo: () => void, from: NodeKey, path: string): void {
    try {
      undo();
    } catch (error) {
      this.deadLetters.next(Object.freeze({ from, path, message: undefined, error }));
    }
  }
}
