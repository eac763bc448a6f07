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

class Offence {
  count = 0;
  /** Otherwise so many others of the stream were told of before it that it makes no difference. */
  isTold = false;
}

/** What one subscriber has done so far. */
class Conduct {
  readonly threw = new Offence();
  readonly wasSlow = new Offence();
}

/** So many subscribers of a stream are told of each; then the hundredth, the thousandth. */
const TOLD_EACH = 10;

/** Tells of each subscriber that throws or is slow the first time, the tenth, the hundredth. */
export class Guard {
  readonly #options: GuardOptions;
  readonly #offenders = new Map<string, number>();

  constructor(options: GuardOptions) {
    this.#options = options;
  }

  over<T>(name: string, stream: Observable<T>): Observable<T> {
    return new GuardedObservable(this, name, stream);
  }

  /** Runs a handler of a subscriber of `name`. */
  run(name: string, conduct: Conduct, handler: () => unknown): void {
    const { clock, slowMs } = this.#options;
    const startMs = clock.nowMs();
    try {
      const result = handler();
      // An async handler fails later, and would end the process just as well.
      if (result instanceof Promise)
        result.catch((error: unknown) => this.threw(name, conduct, error));
    } catch (error) {
      this.threw(name, conduct, error);
    }
    const tookMs = clock.nowMs() - startMs;
    if (tookMs >= slowMs) this.#slow(name, conduct, tookMs);
  }

  threw(name: string, { threw }: Conduct, error: unknown): void {
    if (!this.#isToTell(`${name} threw`, threw)) return;
    const message = `a subscriber of ${name} threw: ${reasonOf(error)}; the stream goes on`;
    this.#options.logger.error({ err: error, stream: name, count: threw.count }, message);
  }

  #slow(name: string, { wasSlow }: Conduct, tookMs: number): void {
    if (!this.#isToTell(`${name} was slow`, wasSlow)) return;
    const message = `a subscriber of ${name} took ${Math.round(tookMs)} ms, in which this node heard and answered nobody`;
    this.#options.logger.warn({ stream: name, tookMs, count: wasSlow.count }, message);
  }

  #isToTell(what: string, offence: Offence): boolean {
    offence.count++;
    if (offence.count === 1) {
      const offenders = (this.#offenders.get(what) ?? 0) + 1;
      this.#offenders.set(what, offenders);
      offence.isTold = offenders <= TOLD_EACH || isRound(offenders);
    }
    return offence.isTold && isRound(offence.count);
  }
}

const isRound = (count: number): boolean => Number.isInteger(Math.log10(count));

/**
 * What is torn down at the end of a stream, `finalize` and what was added to a subscription, runs in the turn of whoever ends it,
 * the node, and RxJS throws there what it throws.
 */
function shield<T>(subscriber: Subscriber<T>, guard: Guard, name: string): Subscriber<T> {
  const conduct = new Conduct();
  const shielded = (act: () => void): void => {
    try {
      act();
    } catch (error) {
      guard.threw(name, conduct, error);
    }
  };
  const inner = new Subscriber<T>({
    next: (value: T) => shielded(() => subscriber.next(value)),
    error: (error: unknown) => shielded(() => subscriber.error(error)),
    complete: () => shielded(() => subscriber.complete()),
  } as Subscriber<T>);
  subscriber.add(inner);
  return inner;
}

type Given<T> = Partial<Observer<T>> | ((value: T) => void) | null | undefined;

/**
 * Operators make guarded streams of it. What makes a stream of its own is not guarded, because RxJS asks nobody about it: functions that
 * combine streams, the groups of `groupBy`, and a Subject that is subscribed to this one.
 */
class GuardedObservable<T> extends Observable<T> {
  readonly #guard: Guard;
  readonly #name: string;

  constructor(guard: Guard, name: string, source?: Observable<T>) {
    super(source && ((subscriber) => source.subscribe(shield(subscriber, guard, name))));
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
    const conduct = new Conduct();
    const run = (handler: () => unknown) => this.#guard.run(this.#name, conduct, handler);
    return {
      next: (value) => run(() => observer.next?.(value)),
      complete: () => run(() => observer.complete?.()),
      // A stream of a node never fails by itself: an operator of the subscriber's threw.
      error: (error) =>
        observer.error === undefined
          ? this.#guard.threw(this.#name, conduct, error)
          : run(() => observer.error?.(error)),
    };
  }
}
