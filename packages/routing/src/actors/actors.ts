/** Actors of any library, at any member: references that are plain data, messages to them, and what is told when one is gone. */
import {
  type AskOptions,
  type Cluster,
  checkShape,
  checkShapes,
  hasMethods,
  isObject,
  isText,
  isUniqueAddress,
} from '@rollcall/core';
import { type Observable, switchMap, take } from 'rxjs';
import { milliseconds } from '../option-kinds.js';
import type { ActorRef, ActorSystemBridge } from './bridge.js';
import { type Terminated, terminationOf } from './death-watch.js';
import { markOf } from './letter.js';
import { type DeadLetter, Mailroom } from './mailroom.js';

export interface ActorsOptions {
  /** The actor system's name: two on one node need different ones. `main` unless given. */
  readonly name?: string;
  /**
   * How often a watched actor is asked about, 10 to 86400000 ms; 10000 unless given. A stop in between is told at once; what was
   * lost with a connection is told so much later.
   */
  readonly watchMs?: number;
}

export type ActorsCluster = Pick<
  Cluster,
  'ask' | 'clock' | 'events$' | 'messages$' | 'self' | 'settings' | 'state$' | 'tell'
>;

export interface Actors {
  /** A reference to an actor of this node. One of another node is `{ node, path }` as well. */
  ref(path: string): ActorRef;
  /** At most once, in order with what this node tells actors of that node before and after. Rejects as `cluster.tell` does. */
  tell(ref: ActorRef, message: unknown): Promise<void>;
  /** Rejects as `cluster.ask` does; with `askFailed` whose `data.code` is `noActor` if there is none at that path. */
  ask(ref: ActorRef, message: unknown, options?: AskOptions): Promise<unknown>;
  /**
   * Tells once that an actor is gone, and completes: when it stops, when there is none, or when its node is *removed*. That the node
   * is suspected or unreachable tells nothing: it may come back, with the actor in it. Completes without a word when this node stops.
   */
  terminated$(ref: ActorRef): Observable<Terminated>;
  /** Messages to this node that no actor took, or whose delivery threw. */
  readonly deadLetters$: Observable<DeadLetter>;
  /** Takes no more messages. Idempotent. */
  close(): void;
}

const AGAIN_MS = 1_000;
const WATCH_MS = 10_000;

const SHAPES = {
  name: { takes: 'a name as text', fits: isText },
  watchMs: milliseconds(10),
};
const REF = {
  takes: "a reference such as { node: 'ws://10.0.0.1:7355#5f21', path: 'user/7' }",
  fits: (value: unknown) =>
    isObject(value) &&
    isText(value.path) &&
    typeof value.node === 'string' &&
    isUniqueAddress(value.node),
  isNeeded: true,
};
const BRIDGE = { takes: 'an object with resolve()', fits: hasMethods('resolve'), isNeeded: true };

/** Until the node stops or it is closed. Throws ClusterError `badSetting` for what cannot be used, here and in its methods. */
export function createActors(
  cluster: ActorsCluster,
  bridge: ActorSystemBridge,
  options: ActorsOptions = {},
): Actors {
  checkShape('bridge', bridge, BRIDGE);
  checkShapes(options, SHAPES, "{ name: 'main' }");
  return new ClusterActors(cluster, bridge, options);
}

class ClusterActors implements Actors {
  readonly deadLetters$: Observable<DeadLetter>;
  readonly #cluster: ActorsCluster;
  readonly #mark: string;
  readonly #watchMs: number;
  readonly #mailroom: Mailroom;
  readonly #messages: { unsubscribe(): void };

  constructor(
    cluster: ActorsCluster,
    bridge: ActorSystemBridge,
    { name = 'main', watchMs = WATCH_MS }: ActorsOptions,
  ) {
    this.#cluster = cluster;
    this.#mark = markOf(name);
    this.#watchMs = watchMs;
    this.#mailroom = new Mailroom(bridge, cluster.clock, this.#mark, watchMs);
    this.deadLetters$ = this.#guarded(this.#mailroom.deadLetters);
    this.#messages = cluster.messages$.subscribe({
      next: (message) => this.#mailroom.take(message),
      complete: () => this.#mailroom.close(),
    });
  }

  /** By way of a stream of the node, whose subscribers cannot harm it. */
  #guarded<T>(stream: Observable<T>): Observable<T> {
    return this.#cluster.state$.pipe(
      take(1),
      switchMap(() => stream),
    );
  }

  ref(path: string): ActorRef {
    return Object.freeze({ node: this.#cluster.self.node, path });
  }

  async tell(ref: ActorRef, message: unknown): Promise<void> {
    checkShape('ref', ref, REF);
    await this.#cluster.tell(ref.node, [this.#mark, 'deliver', ref.path, message]);
  }

  async ask(ref: ActorRef, message: unknown, options: AskOptions = {}): Promise<unknown> {
    checkShape('ref', ref, REF);
    return this.#cluster.ask(ref.node, [this.#mark, 'deliver', ref.path, message], options);
  }

  terminated$(ref: ActorRef): Observable<Terminated> {
    checkShape('ref', ref, REF);
    const times = { watchMs: this.#watchMs, againMs: AGAIN_MS };
    return this.#guarded(terminationOf(this.#cluster, this.#mark, ref, times));
  }

  close(): void {
    this.#messages.unsubscribe();
    this.#mailroom.close();
  }
}
