/**
 * Watching an actor at another node. It is an ask that is answered when the actor stops, asked anew each time that one runs
 * out: what was lost on the way is told by the next. That its node cannot be reached ends nothing; that it is removed does.
 */
import { type Cluster, ClusterError } from '@rollcall/core';
import { Observable, Subscription } from 'rxjs';
import type { ActorRef } from './bridge.js';
import type { Letter, Watched } from './letter.js';

/**
 * Why an actor is gone. `stopped`: its node says so. `noActor`: there was none when its node was asked. `removed`: its node is
 * no member any more; it may run on there, and not know.
 */
export interface Terminated {
  readonly ref: ActorRef;
  readonly why: 'stopped' | 'noActor' | 'removed';
}

/** This node's own end says nothing about others. */
type Tell = (why: Terminated['why'] | 'selfStopped') => void;

type WatchingCluster = Pick<Cluster, 'ask' | 'clock' | 'events$' | 'self' | 'settings'>;

export interface WatchTimes {
  /** How long one ask waits for news at the other node. */
  readonly watchMs: number;
  /** Pause after an ask that failed. */
  readonly againMs: number;
}

export const terminationOf = (
  cluster: WatchingCluster,
  mark: string,
  ref: ActorRef,
  times: WatchTimes,
): Observable<Terminated> =>
  new Observable((subscriber) => {
    const watch = new Watch(cluster, [mark, 'watch', ref.path], ref, times, (why) => {
      if (why !== 'selfStopped') subscriber.next(Object.freeze({ ref, why }));
      subscriber.complete();
    });
    return () => watch.end();
  });

/** As long as an ask may wait. */
const LONGEST_MS = 86_400_000;

class Watch {
  readonly #cluster: WatchingCluster;
  readonly #letter: Letter;
  readonly #ref: ActorRef;
  readonly #times: WatchTimes;
  readonly #tell: Tell;
  readonly #ended = new AbortController();
  readonly #removals = new Subscription();
  #cancel = () => {};

  constructor(
    cluster: WatchingCluster,
    letter: Letter,
    ref: ActorRef,
    times: WatchTimes,
    tell: Tell,
  ) {
    this.#cluster = cluster;
    this.#letter = letter;
    this.#ref = ref;
    this.#times = times;
    this.#tell = tell;
    const removals = cluster.events$.subscribe({
      next: (event) => {
        if (event.type === 'memberRemoved' && event.member.node === ref.node) this.#removed();
      },
      complete: () => this.#over('selfStopped'),
    });
    this.#removals.add(removals);
    void this.#ask();
  }

  end(): void {
    this.#removals.unsubscribe();
    this.#ended.abort();
    this.#cancel();
  }

  /** A node that stops tells the removal of all: that says nothing about them. */
  #removed(): void {
    this.#over(this.#cluster.self.status === 'removed' ? 'selfStopped' : 'removed');
  }

  #over(why: Parameters<Tell>[0]): void {
    if (this.#ended.signal.aborted) return;
    this.end();
    this.#tell(why);
  }

  async #ask(): Promise<void> {
    const { messages } = this.#cluster.settings;
    const timeoutMs = Math.min(LONGEST_MS, this.#times.watchMs + messages.askTimeout);
    const { signal } = this.#ended;
    let afterMs = 0;
    try {
      const said = await this.#cluster.ask(this.#ref.node, this.#letter, { timeoutMs, signal });
      if ((said as Watched) !== 'runs') return this.#over(said === 'stopped' ? said : 'noActor');
    } catch (error) {
      const code = error instanceof ClusterError ? error.code : undefined;
      if (code === 'unknownMember' || code === 'memberGone') return this.#removed();
      if (code === 'stopped') return this.#over('selfStopped');
      afterMs = this.#times.againMs;
    }
    if (!signal.aborted)
      this.#cancel = this.#cluster.clock.schedule(afterMs, () => void this.#ask());
  }
}
