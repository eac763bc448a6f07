/**
 * A rule left out, where it is looked for, and what should be found there (PROTOCOL
 * "Counterexamples").
 */
import type { Plan } from './plan.js';
import type { RulesUnderTest } from './rules-under-test.js';

export interface Variant {
  readonly name: string;
  /** What it leaves out, or does otherwise. */
  readonly title: string;
  readonly plan: Plan;
  readonly under: RulesUnderTest;
  /** The invariant that breaks; null if all holds. */
  readonly breaks: string | null;
}
