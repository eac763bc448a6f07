/**
 * What cannot be read off the nodes at the end: who has met another cluster, who was never more than
 * one, since when a state has stood. It looks at streams only, as a user would.
 */
import {
  type Cluster,
  type ClusterEvent,
  type ClusterState,
  type Ending,
  type NodeKey,
  startCluster,
} from '@rollcall/core';
import type { StartCluster } from '../node-run.js';

/** What is known of one run. */
interface Notes {
  readonly cluster: Cluster;
  clusterId: NodeKey | undefined;
  /** The most members it has shown at once, in the cluster it is in. */
  sizeMax: number;
  /** Since when its state is what it is. */
  sinceMs: number;
}

export class Witness {
  readonly #nowMs: () => number;
  readonly #ended: (cluster: Cluster, ending: Ending) => void;
  readonly #notes = new Map<Cluster, Notes>();
  /** By cluster, the clusters that its members have told of; both by their founders. */
  readonly #met = new Map<NodeKey, Set<NodeKey>>();

  constructor(nowMs: () => number, ended: (cluster: Cluster, ending: Ending) => void) {
    this.#nowMs = nowMs;
    this.#ended = ended;
  }

  /** Starts a production node and looks on. */
  readonly start: StartCluster = (options, ports) =>
    startCluster(options, ports).then((cluster) => {
      this.#watch(cluster);
      return cluster;
    });

  /** It has never shown a second member. */
  wasAlwaysAlone(cluster: Cluster): boolean {
    return (this.#notes.get(cluster)?.sizeMax ?? 0) <= 1;
  }

  /** Since when it shows the state that it shows. */
  sinceMs(cluster: Cluster): number {
    return this.#notes.get(cluster)?.sinceMs ?? this.#nowMs();
  }

  /** Has anybody in this cluster told of the other, by an `islandDetected`, be it somebody who is gone by now? */
  hasMet(clusterId: NodeKey, otherId: NodeKey): boolean {
    return this.#met.get(clusterId)?.has(otherId) ?? false;
  }

  #watch(cluster: Cluster): void {
    const notes: Notes = {
      cluster,
      clusterId: undefined,
      sizeMax: 0,
      sinceMs: this.#nowMs(),
    };
    this.#notes.set(cluster, notes);
    cluster.state$.subscribe((state) => this.#shows(notes, state));
    cluster.events$.subscribe((event) => this.#tells(notes, event));
    cluster.ended.then((ending) => this.#ended(cluster, ending));
  }

  #shows(notes: Notes, { clusterId, members }: ClusterState): void {
    notes.sinceMs = this.#nowMs();
    if (notes.clusterId !== clusterId) {
      notes.clusterId = clusterId;
      notes.sizeMax = 0;
    }
    notes.sizeMax = Math.max(notes.sizeMax, members.length);
  }

  #tells(notes: Notes, event: ClusterEvent): void {
    if (event.type !== 'islandDetected') return;
    const { clusterId: mine } = notes;
    if (mine === undefined) return;
    const theirs = new Set([event.via, ...event.theirs]);
    const met = this.#met.get(mine) ?? new Set();
    this.#met.set(mine, met);
    for (const { cluster, clusterId } of this.#notes.values()) {
      if (clusterId !== undefined && theirs.has(cluster.self.node)) met.add(clusterId);
    }
  }
}
