/** All runs by name, and the two sets that a command runs. */
import { decisionRuns, longDecisionRuns } from './decision-runs.js';
import { livenessRuns, longLivenessRuns } from './liveness-runs.js';
import type { Plan } from './plan.js';
import { longSafetyRuns, safetyRuns } from './safety-runs.js';

/** Bounded, for every commit. */
export const shortRuns: readonly Plan[] = [...safetyRuns, ...decisionRuns, ...livenessRuns];

export const allRuns: readonly Plan[] = [
  ...safetyRuns,
  ...longSafetyRuns,
  ...decisionRuns,
  ...longDecisionRuns,
  ...livenessRuns,
  ...longLivenessRuns,
];

export const runNamed = (name: string): Plan | undefined =>
  allRuns.find((plan) => plan.name.toLowerCase() === name.toLowerCase());
