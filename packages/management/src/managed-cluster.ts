/** The part of a cluster that management reads and, where it is allowed to, tells what to do. */
import type { Cluster } from '@rollcall/core';

export type ManagedCluster = Pick<
  Cluster,
  | 'state'
  | 'self'
  | 'health'
  | 'blockers'
  | 'links'
  | 'gaps'
  | 'settings'
  | 'events$'
  | 'leave'
  | 'down'
>;
