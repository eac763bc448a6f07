/** The part of a cluster that routing reads and sends through. */
import type { Cluster } from '@rollcall/core';

export type RoutedCluster = Pick<
  Cluster,
  | 'state'
  | 'state$'
  | 'events$'
  | 'settings'
  | 'clock'
  | 'random'
  | 'phi'
  | 'avoid$'
  | 'health'
  | 'tell'
  | 'ask'
  | 'guarded'
>;
