/** The detectors of a node, one for each member it observes, as its settings ask for. */
import type { NodeKey } from '@rollcall/convergence';
import { createFailureDetector, FailureDetectorRegistry } from '@rollcall/failure-detector';
import type { Settings } from './setting-table.js';

/** The most that `limits.members` can be anywhere. */
const MEMBERS_MAX = 50_000;

export function newRegistry({ detector, heartbeat }: Settings): FailureDetectorRegistry<NodeKey> {
  const create = () => {
    switch (detector.kind) {
      case 'phi-normal':
        return createFailureDetector({
          kind: 'phi-normal',
          threshold: detector.threshold,
          maxSamples: detector.maxSamples,
          minStdDeviationMs: detector.minStdDeviation,
          acceptablePauseMs: detector.acceptablePause,
          firstIntervalMs: heartbeat.interval,
        });
      case 'phi-exponential':
        return createFailureDetector({
          kind: 'phi-exponential',
          threshold: detector.threshold,
          maxSamples: detector.maxSamples,
          firstIntervalMs: heartbeat.interval,
        });
      case 'deadline':
        return createFailureDetector({
          kind: 'deadline',
          threshold: detector.threshold,
          intervalMs: heartbeat.interval,
          acceptablePauseMs: detector.acceptablePause,
        });
    }
  };
  // Whom to observe follows from the members there are, whoever let them in; limits.members is about
  // whom this node lets in.
  return new FailureDetectorRegistry(create, { limit: MEMBERS_MAX });
}
