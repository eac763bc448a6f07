/** The detectors of a node, one for each member it observes, as its settings ask for. */
import { addressOf, type NodeKey } from '@rollcall/convergence';
import {
  createFailureDetector,
  type DetectorSettings,
  FailureDetectorRegistry,
} from '@rollcall/failure-detector';
import { settingsFor } from './peer-settings.js';
import type { Settings } from './setting-table.js';

/** The most that `limits.members` can be anywhere. */
const MEMBERS_MAX = 50_000;

/** What a detector of this node is told: the one place where settings become a detector's own. */
export function detectorSettings({ detector, heartbeat }: Settings): DetectorSettings {
  switch (detector.kind) {
    // With SWIM phi is shown, and convicts nobody.
    case 'swim':
    case 'phi-normal':
      return {
        kind: 'phi-normal',
        threshold: detector.threshold,
        maxSamples: detector.maxSamples,
        minStdDeviationMs: detector.minStdDeviation,
        acceptablePauseMs: detector.acceptablePause,
        firstIntervalMs: heartbeat.interval,
      };
    case 'phi-exponential':
      return {
        kind: 'phi-exponential',
        threshold: detector.threshold,
        maxSamples: detector.maxSamples,
        firstIntervalMs: heartbeat.interval,
      };
    case 'deadline':
      return {
        kind: 'deadline',
        threshold: detector.threshold,
        intervalMs: heartbeat.interval,
        acceptablePauseMs: detector.acceptablePause,
      };
  }
}

export function newRegistry(settings: Settings): FailureDetectorRegistry<NodeKey> {
  const create = (key: NodeKey) =>
    createFailureDetector(detectorSettings(settingsFor(settings, addressOf(key))));
  // Whom to observe follows from the members there are, whoever let them in; limits.members is about
  // whom this node lets in.
  return new FailureDetectorRegistry(create, { limit: MEMBERS_MAX });
}
