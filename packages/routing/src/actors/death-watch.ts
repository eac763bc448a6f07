/**
 * Watching actors at other nodes. Each node is told what this one watches there, at once and then again and again, whole
 * blocks at a time: what was lost with a connection is mended by the next time, whichever way it went. So the news of an end comes at
 * once or somewhat later, and never not at all. That its node cannot be reached ends nothing; that it is removed does.
 */
import { addressOf, type Cluster, ClusterError, type NodeKey } from '@rollcall/core';
import { Observable, Subscription } from 'rxjs';
import type { ActorRef } from './bridge.js';
import type { GoneWhy } from './letter.js';
import { PeerWatches, type Watch } from './peer-watches.js';

/**
 * Why an actor is gone. `stopped`: its node says so. `noActor`: there was none when its node was asked. `removed`: its node is
 * no member any more; it may run on there, and not know.
 */
export interface Terminated {
  readonly ref: ActorRef;
  readonly why: GoneWhy | 'removed';
}

export type WatchingCluster = Pick<
  Cluster,
  'clock' | 'events$' | 'random' | 'self' | 'state' | 'tell'
>;

export interface WatchOptions {
  /** How often a node is told what is watched there. */
  readonly watchMs: number;
  readonly max: number;
}

/** Of watchers that follow each other at a node no two have the same, as good as surely. */
const WATCHERS = 2 ** 48;

export class DeathWatch {
  readonly #cluster: WatchingCluster;
  readonly #mark: string;
  readonly #options: WatchOptions;
  /** Tells this watcher from one before it at this node, of which letters may be under way. */
  readonly #watcher: number;
  readonly #peers = new Map<NodeKey, PeerWatches>();
  readonly #subscriptions = new Subscription();
  #cancel: (() => void) | undefined;
  #isOver = false;

  constructor(cluster: WatchingCluster, mark: string, options: WatchOptions) {
    this.#cluster = cluster;
    this.#mark = mark;
    this.#options = options;
    this.#watcher = Math.floor(cluster.random.next() * WATCHERS);
    const removals = cluster.events$.subscribe({
      next: (event) => {
        if (event.type === 'memberRemoved') this.#removed(event.member.node);
      },
      complete: () => this.close(),
    });
    this.#subscriptions.add(removals);
  }

  of(ref: ActorRef): Observable<Terminated> {
    return new Observable((subscriber) => {
      if (this.#isOver) return subscriber.complete();
      const { max } = this.#options;
      if (this.#size >= max) {
        const message = `${max} actors of other nodes are watched already (watchesMax)`;
        return subscriber.error(new ClusterError('backPressure', message, { max }));
      }
      const peer = this.#peer(ref.node);
      const watch: Watch = {
        path: ref.path,
        sinceMs: this.#cluster.clock.nowMs(),
        over: (why) => {
          subscriber.next(Object.freeze({ ref, why }));
          subscriber.complete();
        },
        fail: (error) => subscriber.error(error),
        complete: () => subscriber.complete(),
      };
      const id = peer.add(watch);
      this.#cancel ??= this.#cluster.clock.schedule(this.#options.watchMs, () => this.#renew());
      return () => peer.remove(id);
    });
  }

  /** A node says that actors there are gone. */
  gone(
    from: NodeKey,
    watcher: number,
    gone: readonly (readonly [id: number, why: GoneWhy])[],
  ): void {
    if (watcher !== this.#watcher) return;
    const peer = this.#peers.get(from);
    for (const [id, why] of gone) peer?.take(id)?.over(why);
  }

  /** Ends all watches without a word. */
  close(): void {
    this.#isOver = true;
    this.#subscriptions.unsubscribe();
    this.#cancel?.();
    for (const peer of this.#peers.values()) for (const watch of peer.end()) watch.complete();
    this.#peers.clear();
  }

  get #size(): number {
    return [...this.#peers.values()].reduce((sum, { size }) => sum + size, 0);
  }

  #peer(node: NodeKey): PeerWatches {
    const known = this.#peers.get(node);
    if (known !== undefined) return known;
    const { clock } = this.#cluster;
    const peer = new PeerWatches(clock, {
      say: (block, watches) =>
        this.#cluster.tell(node, [this.#mark, 'watch', this.#watcher, block, [...watches]]),
      // Not in the turn of whoever began to watch, who may begin again at once.
      unknown: () => void clock.schedule(0, () => this.#unknown(node, peer)),
    });
    this.#peers.set(node, peer);
    return peer;
  }

  #renew(): void {
    const isNeeded = [...this.#peers.values()].map((peer) => peer.renew()).includes(true);
    this.#cancel = undefined;
    if (isNeeded)
      this.#cancel = this.#cluster.clock.schedule(this.#options.watchMs, () => this.#renew());
  }

  #removed(node: NodeKey): void {
    // A node that stops tells the removal of all: that says nothing about them.
    if (this.#cluster.self.status === 'removed') return this.close();
    const watches = this.#peers.get(node)?.end() ?? [];
    this.#peers.delete(node);
    for (const watch of watches) watch.over('removed');
  }

  /** A reference may arrive before the news of its node does: only then is it no sign of a removal, and not for long. */
  #unknown(node: NodeKey, peer: PeerWatches): void {
    if (this.#peers.get(node) !== peer) return;
    const address = addressOf(node);
    const isReplaced = this.#cluster.state.members.some((member) => member.address === address);
    if (isReplaced) return this.#removed(node);
    const untilMs = this.#cluster.clock.nowMs() - this.#options.watchMs;
    const old = peer.takeSince(untilMs);
    if (peer.size === 0) {
      peer.end();
      this.#peers.delete(node);
    }
    for (const watch of old) watch.over('removed');
  }
}
