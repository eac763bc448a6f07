/** The public names of rollcall. */
export {
  type Blocker,
  type Cluster,
  ClusterError,
  type ClusterErrorCode,
  type ClusterEvent,
  type ClusterState,
  type Ending,
  type GivenSettings,
  type Lease,
  type LeaseConduct,
  type LinkView,
  type Logger,
  type Member,
  type MemberEvent,
  type MemberStatus,
  type MemberView,
  type NodeKey,
  type Reachability,
  type Refusal,
  type Self,
  type Settings,
  type StopReason,
  silentLogger,
} from '@rollcall/core';
export { dnsResolver } from './dns-resolver.js';
export { type JoinOptions, join } from './join.js';
export { MemoryLease } from './memory-lease.js';
export type { NodeOptions } from './node-options.js';
export { startNode } from './start-node.js';
export { systemClock } from './system-clock.js';
export { systemRandom } from './system-random.js';
