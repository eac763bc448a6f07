/**
 * Which member owns a key, and which keys move when members come and go: a hash ring over those that the cluster
 * agrees on (`owners.ts`). Nothing is stored and nobody is asked: each node works it out from its state.
 */
import { type ClusterState, checkShapes, type Member, type NodeKey } from '@rollcall/core';
import { distinctUntilChanged, map, Observable, Subscription } from 'rxjs';
import { HashRing, RING, type RingOptions } from './hash-ring.js';
import { MoveFinder, type PlacementChange } from './moves.js';
import { oneOf, RING_SHAPES, ROLE } from './option-kinds.js';
import { OwnerRing } from './owner-ring.js';
import { type MoveOn, owners } from './owners.js';
import type { RoutedCluster } from './routed-cluster.js';

export interface PlacementOptions extends Partial<RingOptions> {
  /** Only members that offer this role own keys; all members unless given. */
  readonly role?: string;
  /** When a key leaves its owner; `removal` unless given, and the other two give up that two nodes agree. */
  readonly moveOn?: MoveOn;
}

export interface Placement {
  /** The owner of a key by today's state; undefined while nobody can own anything, as before this node is a member. */
  ownerOf(key: string): NodeKey | undefined;
  /** Today's owner at once, then each change; completes when the node stops, after undefined. */
  ownerOf$(key: string): Observable<NodeKey | undefined>;
  /**
   * What moves of the keys that `keys` names each time it is called, one emission for each change that moves some of them. At once, what this
   * node owns today, as if it had come now: from those who would own it otherwise. Then `coming`, when a member is on its way
   * out: its keys will go where it says, and it is there to hand them over; and `moved`, when they have gone. When this node's own
   * run ends, all it had moves to nobody: it must stop using it. Completes when the node stops.
   */
  moves$(keys: () => Iterable<string>): Observable<PlacementChange>;
}

const SHAPES = {
  ...RING_SHAPES,
  role: ROLE,
  moveOn: oneOf('removal', 'unreachable', 'suspicion'),
};

/** Throws ClusterError `badSetting`. Nothing is subscribed to until one of its streams is. */
export function createPlacement(cluster: RoutedCluster, options: PlacementOptions = {}): Placement {
  checkShapes(options, SHAPES, "{ role: 'worker' }");
  return new RingPlacement(cluster, options);
}

class RingPlacement implements Placement {
  readonly #cluster: RoutedCluster;
  readonly #options: PlacementOptions;
  #state: ClusterState | undefined;
  #ring: OwnerRing;

  constructor(cluster: RoutedCluster, options: PlacementOptions) {
    this.#cluster = cluster;
    this.#options = options;
    const { points = RING.points, probes = RING.probes } = options;
    this.#ring = new OwnerRing([], HashRing.of([], { points, probes }));
  }

  ownerOf(key: string): NodeKey | undefined {
    return this.#at(this.#cluster.state).ownerOf(key);
  }

  ownerOf$(key: string): Observable<NodeKey | undefined> {
    const owner$ = this.#cluster.state$.pipe(
      map((state) => this.#at(state).ownerOf(key)),
      distinctUntilChanged(),
    );
    return this.#cluster.guarded('ownerOf$', owner$);
  }

  moves$(keys: () => Iterable<string>): Observable<PlacementChange> {
    const { state$, events$, clock, settings } = this.#cluster;
    const moves$ = new Observable<PlacementChange>((subscriber) => {
      const finder = new MoveFinder(keys, clock, settings);
      const subscription = new Subscription();
      // Events come before the state they lead to, and alone say how a member that is gone went.
      subscription.add(
        events$.subscribe((event) => {
          if (event.type === 'memberRemoved') finder.removed(event.member.node, event.previous);
        }),
      );
      subscription.add(
        state$.subscribe({
          next: (state) => {
            for (const change of finder.changes(state, this.#at(state))) subscriber.next(change);
          },
          complete: () => subscriber.complete(),
        }),
      );
      return subscription;
    });
    return this.#cluster.guarded('moves$', moves$);
  }

  /** The ring of a state, kept until another state is asked about. */
  #at(state: ClusterState): OwnerRing {
    if (state === this.#state) return this.#ring;
    this.#state = state;
    this.#ring = this.#ring.with(this.#ownersIn(state));
    return this.#ring;
  }

  #ownersIn(state: ClusterState): readonly Member[] {
    const { role, moveOn = 'removal' } = this.#options;
    return owners(state, role, moveOn);
  }
}
