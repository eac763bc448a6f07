/** Actors of any library, at any member: references that are plain data, messages to them, and what is told when one is gone. */
import {
  type AskOptions,
  type Cluster,
  type ClusterEvent,
  checkShape,
  checkShapes,
  hasMethods,
  type IncomingMessage,
  isObject,
  isText,
  isUniqueAddress,
  type NodeKey,
} from '@rollcall/core';
import { type Observable, Subscription } from 'rxjs';
import { milliseconds, whole } from '../option-kinds.js';
import type { ActorRef, ActorSystemBridge } from './bridge.js';
import { DeathWatch, type Terminated } from './death-watch.js';
import { markOf, readLetter } from './letter.js';
import { type DeadLetter, Mailroom } from './mailroom.js';
import { WatchedActors } from './watched-actors.js';

export interface ActorsOptions {
  /** The actor system's name: two on one node need different ones. `main` unless given. */
  readonly name?: string;
  /**
   * How often nodes are told which of their actors are watched here, 10 to 86400000 ms; 10000 unless given. A stop in between is told
   * at once; what was lost with a connection is told so much later.
   */
  readonly watchMs?: number;
  /**
   * Actors of other nodes that are watched here, and as many of this node that others watch; 1 to 10000000, 100000 unless given, which
   * take some 20 MB. One more here fails with `backPressure`; one more from elsewhere leaves a dead letter, and is tried again.
   */
  readonly watchesMax?: number;
}

export type ActorsCluster = Pick<
  Cluster,
  'ask' | 'clock' | 'events$' | 'guarded' | 'messages$' | 'random' | 'self' | 'state' | 'tell'
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
   * is suspected or unreachable tells nothing: it may come back, with the actor in it. Completes without a word when this node stops
   * or this is closed. Fails with `backPressure` beyond `watchesMax`.
   */
  terminated$(ref: ActorRef): Observable<Terminated>;
  /** Messages to this node that no actor took or whose delivery threw, and watches that could not begin. */
  readonly deadLetters$: Observable<DeadLetter>;
  /** Takes no more messages, and tells those who watch actors here that there is none. Idempotent. */
  close(): void;
}

/** So that what is watched at a node is said in messages of a modest size. */
const PATH_MAX = 1_024;
const WATCH_MS = 10_000;
const WATCHES_MAX = 100_000;

const SHAPES = {
  name: { takes: 'a name as text', fits: isText },
  watchMs: milliseconds(10),
  watchesMax: whole(1, 10_000_000),
};
const REF = {
  takes: `a reference such as { node: 'ws://10.0.0.1:7355#5f21', path: 'user/7' }`,
  fits: (value: unknown) =>
    isObject(value) &&
    isText(value.path) &&
    typeof value.node === 'string' &&
    isUniqueAddress(value.node),
  isNeeded: true,
};
const PATH = {
  takes: `a path of ${PATH_MAX} characters at most`,
  fits: (value: unknown) => typeof value === 'string' && value.length <= PATH_MAX,
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
  readonly #mailroom: Mailroom;
  /** Of actors elsewhere. */
  readonly #deathWatch: DeathWatch;
  /** Of actors here. */
  readonly #watched: WatchedActors;
  readonly #subscriptions = new Subscription();

  constructor(
    cluster: ActorsCluster,
    bridge: ActorSystemBridge,
    { name = 'main', watchMs = WATCH_MS, watchesMax: max = WATCHES_MAX }: ActorsOptions,
  ) {
    this.#cluster = cluster;
    this.#mark = markOf(name);
    this.#mailroom = new Mailroom(bridge);
    this.deadLetters$ = cluster.guarded('deadLetters$', this.#mailroom.deadLetters);
    this.#deathWatch = new DeathWatch(cluster, this.#mark, { watchMs, max });
    this.#watched = this.#watchedActors(bridge, max);
    const next = (message: IncomingMessage) => this.#take(message);
    const complete = () => this.close();
    this.#subscriptions.add(cluster.messages$.subscribe({ next, complete }));
  }

  #watchedActors(bridge: ActorSystemBridge, max: number): WatchedActors {
    const owner = {
      resolve: (path: string) => bridge.resolve(path),
      // What cannot be told now is told when it is watched anew.
      say: (to: NodeKey, watcher: number, gone: readonly unknown[]) =>
        void this.#cluster.tell(to, [this.#mark, 'gone', watcher, gone]).catch(() => {}),
      failed: (from: NodeKey, path: string, error: unknown) =>
        this.#mailroom.failed({ from, path, message: undefined, error }),
    };
    const watched = new WatchedActors(owner, max);
    const next = (event: ClusterEvent) => {
      if (event.type === 'memberRemoved') watched.removed(event.member.node);
    };
    this.#subscriptions.add(this.#cluster.events$.subscribe(next));
    return watched;
  }

  #take(message: IncomingMessage): void {
    const letter = readLetter(this.#mark, message.body);
    switch (letter?.[1]) {
      case 'deliver':
        return void this.#mailroom.deliver(message, letter[2], letter[3]);
      case 'watch':
        return this.#watched.watch(message.from, letter[2], letter[3], letter[4]);
      case 'gone':
        return this.#deathWatch.gone(message.from, letter[2], letter[3]);
    }
  }

  ref(path: string): ActorRef {
    return Object.freeze({ node: this.#cluster.self.node, path });
  }

  async tell(ref: ActorRef, message: unknown): Promise<void> {
    checkRef(ref);
    await this.#cluster.tell(ref.node, [this.#mark, 'deliver', ref.path, message]);
  }

  async ask(ref: ActorRef, message: unknown, options: AskOptions = {}): Promise<unknown> {
    checkRef(ref);
    return this.#cluster.ask(ref.node, [this.#mark, 'deliver', ref.path, message], options);
  }

  terminated$(ref: ActorRef): Observable<Terminated> {
    checkRef(ref);
    return this.#cluster.guarded('terminated$', this.#deathWatch.of(ref));
  }

  close(): void {
    this.#subscriptions.unsubscribe();
    this.#deathWatch.close();
    this.#watched.close();
    this.#mailroom.deadLetters.complete();
  }
}

function checkRef(ref: ActorRef): void {
  checkShape('ref', ref, REF);
  checkShape('ref.path', ref.path, PATH);
}
