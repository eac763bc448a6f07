/** What came of one run, as plain data that passes between threads. */
import type { Laws } from './laws.js';
import { LISTED, stepsOf } from './listed.js';
import type { Plan } from './plan.js';
import { type RulesUnderTest, shipped } from './rules-under-test.js';
import { runNamed } from './runs.js';
import { type Counts, type Ending, Search } from './search.js';
import { type Transcript, transcriptOf } from './transcript.js';
import { variantNamed } from './variants.js';

/** A run of what ships, or of a variant. */
export interface Task {
  readonly kind: 'run' | 'variant';
  readonly name: string;
  readonly maxStates: number | null;
}

export interface Outcome {
  readonly task: Task;
  readonly title: string;
  readonly ending: Ending;
  readonly counts: Counts;
  readonly laws: Pick<Laws, 'pairs' | 'triples'> | null;
  readonly seconds: number;
  /** What was found, and the way there; null if nothing was. */
  readonly violation: { readonly rule: string; readonly text: string } | null;
  readonly transcript: Transcript;
  /**
   * Whether that is what was to be shown: nothing for what ships, the listed thing for a variant.
   */
  readonly asExpected: boolean;
}

/** Seconds that have passed since some moment. */
export type Watch = () => number;

export type OnStep = (counts: Counts) => void;

export function perform(task: Task, watch: Watch, onStep: OnStep): Outcome {
  if (task.kind === 'variant') return performVariant(task, watch, onStep);
  const plan = runNamed(task.name);
  if (plan === undefined) throw new Error(`there is no run ${task.name}`);
  const outcome = explore(task, plan, shipped, null, watch, onStep);
  return { ...outcome, title: plan.title, asExpected: outcome.violation === null };
}

function performVariant(task: Task, watch: Watch, onStep: OnStep): Outcome {
  const variant = variantNamed(task.name);
  if (variant === undefined) throw new Error(`there is no variant ${task.name}`);
  const { plan, under, breaks, title } = variant;
  const outcome = explore(task, plan, under, breaks, watch, onStep);
  const listed = LISTED[variant.name];
  const isShort = listed !== undefined && outcome.transcript.steps.length <= stepsOf(listed);
  const isFound = outcome.violation?.rule === breaks && isShort;
  const asExpected = breaks === null ? outcome.ending === 'COMPLETE' : isFound;
  return { ...outcome, title, asExpected };
}

function explore(
  task: Task,
  plan: Plan,
  under: RulesUnderTest,
  wanted: string | null,
  watch: Watch,
  onStep: OnStep,
): Outcome {
  const maxStates = Math.min(task.maxStates ?? Number.POSITIVE_INFINITY, plan.maxStates);
  const search = new Search({ ...plan, maxStates }, under, wanted);
  const from = watch();
  const ending = search.run(onStep);
  const { counts, found, laws } = search;
  return {
    task,
    title: plan.title,
    ending,
    counts: { ...counts },
    laws: laws && { pairs: laws.pairs, triples: laws.triples },
    seconds: watch() - from,
    violation: found && { rule: found.what.rule, text: found.what.text },
    transcript: transcriptOf(search),
    asExpected: false,
  };
}
