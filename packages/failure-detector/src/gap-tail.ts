/**
 * How often a gap outlasts a patience that is longer than most gaps, or than all that were seen: peaks
 * over a threshold (Balkema and de Haan 1974, Pickands 1975). What exceeds a high level is exponential in
 * the limit for most distributions, and heartbeats that are lost independently of each other decline as
 * fast, in lumps an interval apart. Where the excesses are more spread than an exponential's, by more than
 * chance explains, the tail is taken to be a heavier one (generalised Pareto, by its moments), so that a
 * few long pauses among much regularity are not explained away. Lumps count as spread: with lost
 * heartbeats it errs towards more mistakes, by an order of magnitude or two far out.
 *
 * It knows nothing beyond the sample: a kind of pause that never happened in it has no probability here.
 */

/** Gaps between signs of life: how many in all, and the longest of them, longest first. */
export interface GapSample {
  readonly count: number;
  readonly longestMs: readonly number[];
}

/** Fewer gaps or fewer excesses than these are no basis for anything. */
const countMin = 100;
const excessesMin = 10;
/** More excesses than these come from the body and not from the tail. */
const excessesMax = 1_000;
/** Time is read in milliseconds: a tail that is steeper than that is not measured but rounded. */
const resolutionMs = 1;

export interface GapTail {
  /** Where the tail begins. */
  readonly fromMs: number;
  /** How many gaps exceed that, and by how much on average. */
  readonly excesses: number;
  readonly meanExcessMs: number;
  /** The deviation of the excesses in means: 1 for an exponential tail, more for a heavier one. */
  readonly spread: number;
  /** 0 for the exponential tail; towards 0.5 the heavier it is. */
  readonly shape: number;
}

/** The tail of a sample; undefined when there is too little of it. */
export function gapTail({ count, longestMs }: GapSample): GapTail | undefined {
  const wanted = Math.max(excessesMin, Math.min(excessesMax, Math.round(Math.sqrt(count))));
  const excesses = Math.min(wanted, longestMs.length - 1);
  if (count < countMin || excesses < excessesMin) return undefined;
  const fromMs = longestMs[excesses] ?? 0;
  const above = longestMs.slice(0, excesses).map((gapMs) => gapMs - fromMs);
  const meanMs = mean(above);
  const deviationMs = Math.sqrt(mean(above.map((ms) => (ms - meanMs) ** 2)));
  const spread = meanMs > 0 ? deviationMs / meanMs : 1;
  const isHeavy = spread > 1 + 2 / Math.sqrt(excesses);
  return {
    fromMs,
    excesses,
    meanExcessMs: Math.max(meanMs, resolutionMs),
    spread,
    shape: isHeavy ? (1 - 1 / spread ** 2) / 2 : 0,
  };
}

/** What a patience of so many milliseconds would have met with, and would meet. */
export interface Outlasted {
  /** How many gaps of the sample were that long. */
  readonly seen: number;
  /** The chance that a gap is that long; undefined when there is too little to say. */
  readonly chance: number | undefined;
  /** The sample has the longest gaps only, and so many more were that long that it does not know how many. */
  readonly isAtLeast: boolean;
  /** How much longer it then is, on average. */
  readonly excessMs: number | undefined;
}

/** Within the sample by counting, beyond it by its tail. */
export function outlasts(
  patienceMs: number,
  sample: GapSample,
  tail: GapTail | undefined,
): Outlasted {
  const { count, longestMs } = sample;
  const longer = longestMs.filter((gapMs) => gapMs >= patienceMs);
  const seen = longer.length;
  const isAtLeast = seen === longestMs.length && seen < count;
  const isWithin = tail === undefined ? seen >= excessesMin : patienceMs <= tail.fromMs;
  if (isWithin) {
    const excessMs = mean(longer.map((gapMs) => gapMs - patienceMs));
    return { seen, chance: seen / count, isAtLeast, excessMs };
  }
  if (tail === undefined) return { seen, chance: undefined, isAtLeast, excessMs: undefined };
  const { fromMs, excesses, meanExcessMs, shape } = tail;
  const beyondMs = patienceMs - fromMs;
  // By the moments: a mean excess of scale / (1 - shape) where the tail begins.
  const scaleMs = meanExcessMs * (1 - shape);
  const survives =
    shape === 0
      ? Math.exp(-beyondMs / scaleMs)
      : (1 + (shape * beyondMs) / scaleMs) ** (-1 / shape);
  return {
    seen,
    chance: (excesses / count) * survives,
    isAtLeast: false,
    excessMs: (scaleMs + shape * beyondMs) / (1 - shape),
  };
}

/**
 * The largest chance that a sample in which something never happened still allows, with 95 % confidence:
 * the rule of three (Hanley and Lippman-Hand 1983).
 */
export const ruleOfThree = (count: number): number => Math.min(1, 3 / count);

/** Several samples as one, as far as all of them are complete: each may have its longest gaps only. */
export function poolGaps(samples: readonly GapSample[]): GapSample {
  const knownFromMs = Math.max(
    0,
    ...samples.map(({ count, longestMs }) =>
      longestMs.length < count ? (longestMs.at(-1) ?? 0) : 0,
    ),
  );
  const all = samples.flatMap(({ longestMs }) => longestMs);
  return {
    count: samples.reduce((sum, { count }) => sum + count, 0),
    longestMs: all.filter((gapMs) => gapMs >= knownFromMs).sort((a, b) => b - a),
  };
}

const mean = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length);
