/**
 * What the new owner of a key should wait for before it uses it: the former owner's hand-over while that is there, the removal
 * margin when others removed it. It makes it unlikely that two use a key at once, and cannot rule it out: that takes a
 * lease with a fencing token.
 */
import { ClusterError, checkShapes, SIGNAL } from '@rollcall/core';
import type { Move } from './moves.js';
import { milliseconds } from './option-kinds.js';
import { removalMarginMs } from './removals.js';
import type { RoutedCluster } from './routed-cluster.js';

export interface TakeOverOptions {
  /**
   * Settles when the former owner has handed the key over: the answer to an ask, say. It is waited for while that owner is a member;
   * that it rejects is no hand-over, and the wait goes on. Without it nothing is handed over, and the wait is `handOverMs`.
   */
  readonly handedOver?: Promise<unknown>;
  /** Longest wait for a hand-over, 0 to 86400000 ms; 15000 unless given: in Akka a singleton that hands over is asked so often, a second apart. */
  readonly handOverMs?: number;
  /**
   * How long after a removal its key is left alone, 0 to 86400000 ms. Unless given it is `downing.unstableAfter` +
   * `detector.acceptablePause` + `heartbeat.interval`: so much later than those who removed it a node that was cut off stops itself, if both
   * sides noticed as late as they may.
   */
  readonly removalMarginMs?: number;
  readonly signal?: AbortSignal;
}

/**
 * Why a key may be used now. `handOver` and `left`: the former owner said so. `removalMargin`: it was removed long enough
 * ago. `handOverTimedOut`: it is a member and did not hand over; it may use the key still. `unowned`: there was nobody.
 */
export type TakeOver = 'handOver' | 'left' | 'removalMargin' | 'handOverTimedOut' | 'unowned';

const HAND_OVER_MS = 15_000;

/**
 * Resolves with why the key may be used. An owner that is removed while its hand-over is waited for, or before this is called, is
 * waited for as one that was removed; so is one that left while it was waiting for another that was. Rejects with ClusterError `aborted`, and `stopped` when this node's run ends.
 * Throws `badSetting` for an option that cannot be used.
 */
export function takeOver(
  cluster: RoutedCluster,
  move: Move,
  options: TakeOverOptions = {},
): Promise<TakeOver> {
  checkOptions(options);
  if (options.signal?.aborted === true) return Promise.reject(givenUp(options.signal));
  return new Wait(cluster, move, options).done;
}

function checkOptions(options: TakeOverOptions): void {
  const time = milliseconds(0);
  const promise = {
    takes: 'a promise',
    fits: (value: unknown) => value instanceof Promise,
  };
  const shapes = { handedOver: promise, handOverMs: time, removalMarginMs: time, signal: SIGNAL };
  checkShapes(options, shapes, '{ handedOver, handOverMs, removalMarginMs, signal }');
}

class Wait {
  readonly done: Promise<TakeOver>;
  readonly #cluster: RoutedCluster;
  readonly #undo: (() => void)[] = [];
  #settle: { resolve(why: TakeOver): void; reject(error: ClusterError): void } | undefined;

  constructor(cluster: RoutedCluster, move: Move, options: TakeOverOptions) {
    this.#cluster = cluster;
    this.done = new Promise((resolve, reject) => {
      this.#settle = { resolve, reject };
    });
    this.#listen(options.signal);
    if (this.#settle === undefined) return;
    if (move.former === 'removed') this.#awaitMargin(move.atMs, options);
    else if (move.former === 'left') this.#hasLeft('left', move, options);
    else if (move.former === 'none') this.#hasLeft('unowned', move, options);
    else if (this.#isMember(move.from)) this.#awaitHandOver(move, options);
    else this.#awaitMargin(cluster.clock.nowMs(), options);
  }

  #isMember(former: Move['from']): boolean {
    return this.#cluster.state.members.some(({ node }) => node === former);
  }

  /** Nobody uses the key, unless it was left alone still: whom it was left alone for is to be waited for. */
  #hasLeft(why: 'left' | 'unowned', { removedAtMs }: Move, options: TakeOverOptions): void {
    if (removedAtMs === undefined) this.#over(why);
    else this.#awaitMargin(removedAtMs, options);
  }

  #awaitHandOver(move: Move, options: TakeOverOptions): void {
    const { handedOver, handOverMs = HAND_OVER_MS } = options;
    const { clock, events$ } = this.#cluster;
    handedOver?.then(
      () => this.#over('handOver'),
      () => undefined,
    );
    const cancel = clock.schedule(handOverMs, () => this.#over('handOverTimedOut'));
    this.#undo.push(cancel);
    const subscription = events$.subscribe((event) => {
      if (event.type !== 'memberRemoved' || event.member.node !== move.from) return;
      cancel();
      if (event.previous?.status === 'exiting') this.#hasLeft('left', move, options);
      else this.#awaitMargin(clock.nowMs(), options);
    });
    this.#undo.push(() => subscription.unsubscribe());
  }

  #awaitMargin(sinceMs: number, options: TakeOverOptions): void {
    const { clock, settings } = this.#cluster;
    const marginMs = options.removalMarginMs ?? removalMarginMs(settings);
    const leftMs = Math.max(0, sinceMs + marginMs - clock.nowMs());
    this.#undo.push(clock.schedule(leftMs, () => this.#over('removalMargin')));
  }

  #listen(signal: AbortSignal | undefined): void {
    const abort = () => this.#fail(givenUp(signal));
    signal?.addEventListener('abort', abort, { once: true });
    this.#undo.push(() => signal?.removeEventListener('abort', abort));
    const complete = () =>
      this.#fail(new ClusterError('stopped', 'this node has stopped: it owns nothing'));
    const subscription = this.#cluster.state$.subscribe({ complete });
    this.#undo.push(() => subscription.unsubscribe());
  }

  #over(why: TakeOver): void {
    this.#settle?.resolve(why);
    this.#end();
  }

  #fail(error: ClusterError): void {
    this.#settle?.reject(error);
    this.#end();
  }

  #end(): void {
    this.#settle = undefined;
    for (const undo of this.#undo.splice(0)) undo();
  }
}

const givenUp = (signal: AbortSignal | undefined): ClusterError =>
  new ClusterError('aborted', 'the wait for a key was given up', {}, signal?.reason);
