/** The public names of @rollcall/management. */
export type { Access } from './access.js';
export type {
  BlockersAnswer,
  MemberAnswer,
  MembersAnswer,
} from './cluster-view.js';
export type { EventStreamLimits } from './event-stream.js';
export type { EventAnswer } from './event-view.js';
export type { HealthAnswer } from './health.js';
export type {
  DetectorAnswer,
  GapsAnswer,
  LinkAnswer,
  LinksAnswer,
  QosAnswer,
} from './link-answer.js';
export type { ManagedCluster } from './managed-cluster.js';
export { type Handler, type ManagementOptions, management } from './management.js';
export {
  isLoopback,
  type ManagementAddress,
  readManagementAddress,
} from './management-address.js';
export { type ManagementServer, serveManagement } from './serve.js';
export { type StatusWord, statusWord } from './status-word.js';
