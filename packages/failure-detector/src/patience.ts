/**
 * What the settings of a detector would cost on a link whose gaps are known: for each threshold and
 * acceptable pause how soon a crash is noticed, how often a healthy subject is convicted and for how
 * long, and which of them to take. Patience is computed by the detectors themselves, the gaps that
 * outlast it come from the sample and its tail (`gap-tail.ts`).
 */
import { type DetectorSettings, toleratedSilenceMs } from './create-failure-detector.js';
import type { GapStatistics } from './failure-detector.js';
import { type GapSample, type GapTail, gapTail, outlasts, ruleOfThree } from './gap-tail.js';

const yearMs = 365 * 86_400_000;

/** How much rarer than one in all its gaps a thing may be for a sample to speak of it. */
const extrapolationMax = 1_000;

export interface ObservedGaps extends GapSample {
  /** The mean of all of them, above 0: how many there are in a year. */
  readonly meanMs: number;
  /** At which heartbeats are sent. */
  readonly intervalMs: number;
  /** What a detector has learnt of them: without those that ended an unavailability, where it leaves these out. */
  readonly learnt: GapStatistics;
}

/** One choice and what it costs, for each observed link. */
export interface PatienceCost {
  readonly threshold: number;
  readonly acceptablePauseMs: number;
  /** T_D: from the last heartbeat to the verdict. */
  readonly detectionTimeMs: number;
  /** How many gaps of the sample would have been mistakes. */
  readonly seen: number;
  /** Expected; undefined when there is too little data to say. T_MR is a year divided by it. */
  readonly mistakesPerYear: number | undefined;
  /** There would be more, and the sample does not know how many. */
  readonly isAtLeast: boolean;
  /** T_M, expected. */
  readonly mistakeDurationMs: number | undefined;
}

export interface PatienceGoal {
  /** How many mistakes a year on one link are few enough. */
  readonly mistakesPerYear: number;
  /** The longest T_D that will do; Infinity when any does. */
  readonly detectionTimeMs: number;
}

export interface PatienceStudy {
  readonly gapsPerYear: number;
  readonly tail: GapTail | undefined;
  /** By pause, and within a pause by threshold. */
  readonly costs: readonly PatienceCost[];
  readonly current: PatienceCost;
  /** The lowest rate that so many gaps can speak of: an estimate below it is the tail's word alone. */
  readonly leastPerYear: number;
  /** What the sample alone cannot rule out, with 95 % confidence, about what never happened in it. */
  readonly notRuledOutPerYear: number;
  readonly advice: PatienceAdvice;
}

/**
 * `take`: the quickest choice that meets the goal, or of those hardly slower the one nearest to the current
 * threshold, which others may have their own against. `keep`: the current one, as the goal is far beyond what
 * the sample can speak of and anything quicker would rest on nothing. `tooFew`: not enough gaps for any
 * advice. `neither`: nothing meets the goal; `cost` is then the choice with the fewest mistakes among
 * those that are quick enough, if there are any.
 */
export interface PatienceAdvice {
  readonly kind: 'take' | 'keep' | 'tooFew' | 'neither';
  readonly cost: PatienceCost | undefined;
  /** How much rarer the goal is than one in all gaps of the sample; at most 1 when it was seen often enough. */
  readonly extrapolation: number;
}

/** @throws DetectorSettingsError naming the setting that cannot be meant */
export function studyPatience(
  gaps: ObservedGaps,
  settings: DetectorSettings,
  choices: { readonly thresholds: readonly number[]; readonly pausesMs: readonly number[] },
  goal: PatienceGoal,
): PatienceStudy {
  const tail = gapTail(gaps, gaps.intervalMs);
  const gapsPerYear = yearMs / gaps.meanMs;
  const current = currentChoice(settings);
  const cost = (threshold: number, acceptablePauseMs: number): PatienceCost => {
    const detectionTimeMs = toleratedSilenceMs(
      withChoice(settings, threshold, acceptablePauseMs),
      gaps.learnt,
    );
    const { seen, chance, isAtLeast, excessMs } = outlasts(detectionTimeMs, gaps, tail);
    const mistakesPerYear = chance === undefined ? undefined : chance * gapsPerYear;
    const measures = { detectionTimeMs, seen, mistakesPerYear, isAtLeast };
    return { threshold, acceptablePauseMs, ...measures, mistakeDurationMs: excessMs };
  };
  // One has no use for a pause, the other none for a threshold.
  const pausesMs = settings.kind === 'phi-exponential' ? [current.pauseMs] : choices.pausesMs;
  const thresholds = settings.kind === 'deadline' ? [current.threshold] : choices.thresholds;
  const costs = pausesMs.flatMap((pauseMs) => thresholds.map((each) => cost(each, pauseMs)));
  const now = cost(current.threshold, current.pauseMs);
  return {
    gapsPerYear,
    tail,
    costs,
    current: now,
    leastPerYear: gapsPerYear / (gaps.count * extrapolationMax),
    notRuledOutPerYear: ruleOfThree(gaps.count) * gapsPerYear,
    advice: advise(
      [...costs, now],
      now,
      goal,
      goal.mistakesPerYear / gapsPerYear,
      gaps.count,
      tail,
    ),
  };
}

function advise(
  costs: readonly PatienceCost[],
  current: PatienceCost,
  goal: PatienceGoal,
  goalChance: number,
  count: number,
  tail: GapTail | undefined,
): PatienceAdvice {
  const extrapolation = 1 / (count * goalChance);
  if (tail === undefined) return { kind: 'tooFew', cost: undefined, extrapolation };
  const quickEnough = costs.filter((each) => each.detectionTimeMs <= goal.detectionTimeMs);
  const quiet = quickEnough.filter((each) => isQuiet(each, goal));
  if (quiet.length === 0) {
    const cost = least(quickEnough, (each) => each.mistakesPerYear ?? Number.POSITIVE_INFINITY);
    return { kind: 'neither', cost, extrapolation };
  }
  const cost = nearest(quiet, current.threshold);
  const isDaring = cost !== undefined && cost.detectionTimeMs < current.detectionTimeMs;
  if (!isDaring || extrapolation <= extrapolationMax) return { kind: 'take', cost, extrapolation };
  return { kind: 'keep', cost: current, extrapolation };
}

/** The threshold moves T_D little: what is that much slower than the quickest is as good. */
const hardlySlower = 1.1;

function nearest(costs: readonly PatienceCost[], threshold: number): PatienceCost | undefined {
  const quickestMs = Math.min(...costs.map((each) => each.detectionTimeMs));
  const quick = costs.filter((each) => each.detectionTimeMs <= hardlySlower * quickestMs);
  const distance = (each: PatienceCost) => Math.abs(each.threshold - threshold);
  const closest = Math.min(...quick.map(distance));
  const close = quick.filter((each) => distance(each) === closest);
  return least(close, (each) => each.detectionTimeMs);
}

const isQuiet = ({ mistakesPerYear, isAtLeast }: PatienceCost, goal: PatienceGoal): boolean =>
  mistakesPerYear !== undefined && !isAtLeast && mistakesPerYear <= goal.mistakesPerYear;

function least<T>(items: readonly T[], by: (item: T) => number): T | undefined {
  return items.reduce<T | undefined>(
    (best, item) => (best === undefined || by(item) < by(best) ? item : best),
    undefined,
  );
}

function currentChoice(settings: DetectorSettings): { threshold: number; pauseMs: number } {
  const threshold = settings.threshold ?? 8;
  if (settings.kind === 'phi-exponential') return { threshold, pauseMs: 0 };
  return { threshold, pauseMs: settings.acceptablePauseMs ?? 3_000 };
}

function withChoice(
  settings: DetectorSettings,
  threshold: number,
  acceptablePauseMs: number,
): DetectorSettings {
  if (settings.kind === 'phi-exponential') return { ...settings, threshold };
  return { ...settings, threshold, acceptablePauseMs };
}
