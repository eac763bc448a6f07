/** What is seen of a cluster by a node that is in none. */
import type { NodeKey } from '@rollcall/convergence';
import type { ClusterState } from './member-view.js';

export const outsideView = (self: NodeKey): ClusterState =>
  Object.freeze({
    self,
    members: Object.freeze([]),
    convergence: false,
    digest: '',
    epoch: 0,
    clusterId: undefined,
  });
