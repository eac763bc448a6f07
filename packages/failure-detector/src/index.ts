/** The public names of @rollcall/failure-detector. */
export {
  createFailureDetector,
  type DetectorKind,
  type DetectorSettings,
  toleratedSilenceMs,
} from './create-failure-detector.js';
export { DeadlineDetector, type DeadlineOptions } from './deadline-detector.js';
export { DetectorSettingsError } from './detector-settings.js';
export type { FailureDetector, GapStatistics } from './failure-detector.js';
export { FailureDetectorRegistry, RegistryFullError } from './failure-detector-registry.js';
export { FlapGuard, type FlapGuardSettings } from './flap-guard.js';
export {
  type GapSample,
  type GapTail,
  gapTail,
  type LostHeartbeats,
  type Outlasted,
  outlasts,
  poolGaps,
  ruleOfThree,
} from './gap-tail.js';
export { HeartbeatHistory } from './heartbeat-history.js';
export { LocalHealth, type LocalHealthSettings } from './local-health.js';
export { LongestGaps } from './longest-gaps.js';
export {
  deviationsAtPhiExact,
  phiAtDeviationsExact,
  phiNormalExact,
  silenceAtPhiNormalExact,
} from './normal-tail.js';
export { OutcomeWindow, type OutcomeWindowSettings } from './outcome-window.js';
export {
  type ObservedGaps,
  type PatienceAdvice,
  type PatienceCost,
  type PatienceGoal,
  type PatienceStudy,
  studyPatience,
} from './patience.js';
export {
  deviationsAtPhi,
  phiAtDeviations,
  phiExponential,
  phiNormal,
  silenceAtPhiExponential,
  silenceAtPhiNormal,
} from './phi.js';
export { PhiExponentialDetector, type PhiExponentialOptions } from './phi-exponential-detector.js';
export { PhiNormalDetector, type PhiNormalOptions } from './phi-normal-detector.js';
export { PuppetDetector } from './puppet-detector.js';
export { type Qos, QosMeter } from './qos-meter.js';
export { type ProbeCounts, Swim, type SwimStart } from './swim/swim.js';
export type {
  SwimChance,
  SwimCommand,
  SwimDirective,
  SwimInput,
  SwimMemberId,
  SwimPacket,
  SwimPacketKind,
  SwimStatus,
  SwimUpdate,
  SwimVerdict,
} from './swim/swim-message.js';
export { SWIM_INCARNATION_MAX, SWIM_MEMBERS_MAX } from './swim/swim-node.js';
export {
  FOREVER_MS,
  SWIM_PROFILES,
  SWIM_VARIANTS,
  type SwimOptions,
  type SwimProfile,
  type SwimVariant,
  swimOptions,
} from './swim/swim-options.js';
