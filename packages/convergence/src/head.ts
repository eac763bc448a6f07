/**
 * What a state says besides its members: which cluster, which epoch, and who was removed by the
 * fire that produced this epoch (R10). Small and rarely changed, so it is hashed as a whole.
 */
import { Fingerprint } from './fingerprint.js';
import { type NodeKey, sortKeys } from './node-key.js';

export class Head {
  readonly clusterId: NodeKey;
  readonly epoch: number;
  /** In key order. */
  readonly removed: readonly NodeKey[];
  readonly sum: Fingerprint;

  constructor(clusterId: NodeKey, epoch: number, removed: Iterable<NodeKey>) {
    this.clusterId = clusterId;
    this.epoch = epoch;
    this.removed = sortKeys(removed);
    let sum = Fingerprint.of(JSON.stringify(['clusterId', clusterId]));
    sum = sum.plus(Fingerprint.of(JSON.stringify(['epoch', epoch])));
    for (const key of this.removed) {
      sum = sum.plus(Fingerprint.of(JSON.stringify(['removed', key])));
    }
    this.sum = sum;
  }
}
