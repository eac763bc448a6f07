/** The public names of @rollcall/core. */
export {
  addressOf,
  compareKeys,
  type DowningStrategy,
  type NodeKey,
  nodeKey,
  uidOf,
} from '@rollcall/convergence';
export type { Clock } from './clock.js';
export type { Cluster, ClusterHealth, Ending, Self } from './cluster.js';
export { ClusterError, type ClusterErrorCode } from './errors.js';
export { HandClock } from './hand-clock.js';
export type { Asked, IncomingMessage, Told } from './incoming-message.js';
export { type Lease, type LeaseConduct, MemoryLease } from './lease.js';
export { type Logger, silentLogger, steadyLogger } from './logger.js';
export type {
  ClusterEvent,
  MemberEvent,
  MemberEventType,
  StopReason,
} from './membership/cluster-event.js';
export { decode, encode, KINDS } from './membership/codec.js';
export { detectorSettings } from './membership/detector-registry.js';
export {
  checkCluster,
  checkHello,
  checkSettings,
  type Hello,
  PROTOCOL,
  REFUSAL_CODES,
  type Refusal,
  type RefusalCode,
} from './membership/hello.js';
export { isUniqueAddress, isWord, ROLES_MAX } from './membership/member-facts.js';
export type {
  Blocker,
  ClusterState,
  LinkGaps,
  LinkQos,
  LinkView,
  Member,
  MemberStatus,
  MemberView,
  Reachability,
} from './membership/member-view.js';
export type { Message, SeenBits, Standing, Status } from './membership/message.js';
export { settingsFor } from './membership/peer-settings.js';
export { PROFILES, type Profile } from './membership/profiles.js';
export type { Random } from './membership/random.js';
export { replay } from './membership/replay.js';
export { type Setting, showDuration } from './membership/setting.js';
export {
  type GivenSettings,
  type PeerSettings,
  SETTINGS,
  type Settings,
} from './membership/setting-table.js';
export {
  agreedSettings,
  readSettings,
  type SettingRow,
  settingRows,
} from './membership/settings.js';
export { ClusterSettingsError } from './membership/settings-error.js';
export {
  checkShape,
  checkShapes,
  checkTree,
  hasMethods,
  isObject,
  isText,
  isTexts,
  type OptionShape,
  type OptionShapes,
  SIGNAL,
} from './option-shapes.js';
export type { AskOptions } from './pending-asks.js';
export type { Ports } from './ports.js';
export type { Resolver } from './resolver.js';
export { type StartOptions, startCluster } from './start-cluster.js';
export type { Address, DialFailure, Slot, Transport, TransportEvents } from './transport.js';
