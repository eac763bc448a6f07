/** The public names of @rollcall/convergence. */
export {
  heedsNotice,
  holdersOf,
  type Introduction,
  type Judgement,
  judge,
  judgeIntroduction,
  mayIntroduce,
} from './acceptance.js';
export { type Accusations, accusations, need } from './accusations.js';
export { BaseGraph } from './base-graph.js';
export { bucketIndex } from './bucket.js';
export { contenders, decide, wouldLoseQuorum } from './decide.js';
export { type Blocker, type BlockerKind, blockers } from './describe.js';
export { type Downing, downing } from './downing.js';
export { canonicalMember } from './entry.js';
export type { Digest } from './fingerprint.js';
export { goers } from './goers.js';
export { murmur32, murmur128 } from './hash.js';
export { introduce } from './introduction.js';
export { assertAgreement, assertInvariants } from './invariants.js';
export {
  beginLeave,
  declareExited,
  holdLease,
  markDown,
  setRow,
  setWeaklyUp,
} from './local-change.js';
export {
  allows,
  compareAge,
  emptyRow,
  isCounted,
  isLive,
  type Member,
  NEXT,
  RANK,
  type Row,
  type Status,
} from './member.js';
export { merge } from './merge.js';
export { addressOf, compareKeys, type NodeKey, nodeKey, sortKeys, uidOf } from './node-key.js';
export {
  apply,
  type BucketContent,
  bucketDigests,
  bucketPatch,
  diff,
  type Patch,
} from './patch.js';
export {
  type DowningStrategy,
  defaultRules,
  missingForQuorum,
  quorate,
  type Rules,
  type Tie,
  ties,
  wins,
} from './quorum.js';
export { isAnybodyNamed, isCutOff, reach, reachesQuorum } from './reach.js';
export {
  change,
  noteSeen,
  type Phase,
  type Replica,
  receive,
  replicaOf,
  type Settled,
  settle,
} from './replica.js';
export { baseGraph, baseNeighbours, neighbours, RING_HASH, ringsOf } from './rings.js';
export { Seen } from './seen.js';
export { type Introduced, State, type StateParts } from './state.js';
export { configurationId } from './tie.js';
export { converged, f } from './transition.js';
