/** The public names of @rollcall/simulator. */
export { Checker, type Violation } from './checker.js';
export { Counters, type Traffic } from './counters.js';
export { addressFor, nodeNames, shortKey } from './node-name.js';
export type { NodeOptions, RunOptions } from './node-options.js';
export { NodeRun, type Phase, type StartCluster } from './node-run.js';
export { Outcome } from './outcome.js';
export { pendingAmong } from './pending.js';
export {
  around,
  cut,
  type Distribution,
  duplicate,
  flipFlop,
  isolate,
  latency,
  longTail,
  loss,
  type PacketFacts,
  type PacketKind,
  partition,
  type Rule,
  reorder,
  segmentLoss,
  uniform,
  type Verdict,
} from './rule.js';
export { ScheduledEvent } from './scheduled-event.js';
export { Scheduler, type WalkEnd } from './scheduler.js';
export { SeededRandom } from './seeded-random.js';
export { SimulatedClock } from './simulated-clock.js';
export { type NetworkCounters, SimulatedNetwork } from './simulated-network.js';
export type { Hosts } from './simulated-resolver.js';
export { SimulatedTransport } from './simulated-transport.js';
export { Simulation, type SimulationOptions } from './simulation.js';
export { SimulationError } from './simulation-error.js';
export { performTask, STUDIES, studyNamed } from './studies/studies.js';
export type {
  Study,
  StudyFlags,
  StudyReport,
  StudyResult,
  StudyTask,
} from './studies/study.js';
export type { EndKind } from './swarm/judgement.js';
export {
  FAULTS,
  type Fault,
  type Level,
  type Part,
  type Plan,
  type Step,
  WORK,
  type Work,
} from './swarm/plan.js';
export { planOf } from './swarm/plan-of-seed.js';
export { planWords } from './swarm/plan-words.js';
export { readPlan } from './swarm/read-plan.js';
export {
  type Reduction,
  type Replay,
  readReplay,
  reduce,
  replayWords,
} from './swarm/reduction.js';
export { type ShrinkOptions, type Shrunk, shrink } from './swarm/shrink.js';
export {
  type Failed,
  type SeedVerdict,
  type Settled,
  type Survival,
  survive,
} from './swarm/survive.js';
export {
  Trace,
  type TraceDetail,
  type TraceEntry,
  type TraceOptions,
  traceHead,
  traceLine,
} from './trace.js';
export { TRACE_WORDS, type TraceWord } from './trace-words.js';
export type { TransportWorld } from './transport-world.js';
export {
  describe,
  isAgreed,
  isFormed,
  isGoneAt,
  isUnreachableAt,
  memberAt,
} from './view.js';
