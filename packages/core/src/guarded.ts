/**
 * Streams whose subscribers cannot harm the node. RxJS throws what a subscriber throws on a stack of its own, where Node
 * ends the process: one mistake in a handler would be a crash of this member to all the others. Here it is told of, and
 * the stream goes on. So is a subscriber that keeps the event loop for so long that the node misses its heartbeats.
 */
import { Observable, type Observer, type Operator, Subscriber, type Subscription } from 'rxjs';
import type { Clock } from './clock.js';
import type { Logger } from './logger.js';
import { reasonOf } from './reason-of.js';

export interface GuardOptions {
  readonly clock: Clock;
  readonly logger: Logger;
  /** A handler that runs this long has kept the node from its work. */
  readonly slowMs: number;
}

/** Tells of subscribers that throw or are slow: the first time, the tenth, the hundredth. */
export class Guard {
  readonly #options: GuardOptions;
  readonly #counts = new Map<string, number>();

  constructor(options: GuardOptions) {
    this.#options = options;
  }

  over<T>(name: string, stream: Observable<T>): Observable<T> {
    return new GuardedObservable(this, name, stream);
  }

  /** Runs a handler of a subscriber of `name`. */
  run(name: string, handler: () => unknown): void {
    const { clock, slowMs } = this.#options;
    const startMs = clock.nowMs();
    try {
      const result = handler();
      // An async handler fails later, and would end the process just as well.
      if (result instanceof Promise) result.catch((error: unknown) => this.threw(name, error));
    } catch (error) {
      this.threw(name, error);
    }
    const tookMs = clock.nowMs() - startMs;
    if (tookMs >= slowMs) this.#slow(name, tookMs);
  }

  threw(name: string, error: unknown): void {
    const count = this.#count(`${name} threw`);
    if (count === undefined) return;
    const message = `a subscriber of ${name} threw: ${reasonOf(error)}; the stream goes on`;
    this.#options.logger.error({ err: error, stream: name, count }, message);
  }

  #slow(name: string, tookMs: number): void {
    const count = this.#count(`${name} was slow`);
    if (count === undefined) return;
    const message = `a subscriber of ${name} took ${Math.round(tookMs)} ms, in which this node heard and answered nobody`;
    this.#options.logger.warn({ stream: name, tookMs, count }, message);
  }

  /** Undefined where it is not told again. */
  #count(what: string): number | undefined {
    const count = (this.#counts.get(what) ?? 0) + 1;
    this.#counts.set(what, count);
    return Number.isInteger(Math.log10(count)) ? count : undefined;
  }
}

type Given<T> = Partial<Observer<T>> | ((value: T) => void) | null | undefined;

/** Operators make guarded streams of it; a function that combines streams makes one of its own, which is not. */
class GuardedObservable<T> extends Observable<T> {
  readonly #guard: Guard;
  readonly #name: string;

  constructor(guard: Guard, name: string, source?: Observable<T>) {
    super(source && ((subscriber) => source.subscribe(subscriber)));
    this.#guard = guard;
    this.#name = name;
  }

  override lift<R>(operator?: Operator<T, R>): Observable<R> {
    const lifted = new GuardedObservable<R>(this.#guard, this.#name);
    lifted.source = this;
    lifted.operator = operator as Operator<unknown, R>;
    return lifted;
  }

  override subscribe(given?: Given<T>, ...more: readonly unknown[]): Subscription {
    // An operator behind this one, or an observer that RxJS guards already.
    if (given instanceof Subscriber) return super.subscribe(given);
    const [error, complete] = more as [Observer<T>['error']?, Observer<T>['complete']?];
    const observer: Partial<Observer<T>> =
      typeof given === 'function'
        ? { next: given, ...(error && { error }), ...(complete && { complete }) }
        : (given ?? {});
    return super.subscribe(this.#guarded(observer));
  }

  #guarded(observer: Partial<Observer<T>>): Observer<T> {
    const run = (handler: () => unknown) => this.#guard.run(this.#name, handler);
    return {
      next: (value) => run(() => observer.next?.(value)),
      complete: () => run(() => observer.complete?.()),
      // A stream of a node never fails by itself: an operator of the subscriber's threw.
      error: (error) =>
        observer.error === undefined
          ? this.#guard.threw(this.#name, error)
          : run(() => observer.error?.(error)),
    };
  }
}
