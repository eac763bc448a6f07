/**
 * How often a gap outlasts a patience that is longer than most gaps, or than all that were seen: peaks
 * over a threshold (Balkema and de Haan 1974, Pickands 1975). What exceeds a high level is exponential in
 * the limit for most distributions. Where the excesses are more spread than an exponential's, by more
 * than chance explains, the tail is taken to be a heavier one (generalised Pareto, by its moments), so
 * that a few long pauses among much regularity are not explained away.
 *
 * Lost heartbeats need a tail of their own: their gaps lie in lumps an interval apart, each further lump
 * rarer by the chance that after one loss comes another. A smooth tail through lumps would decline far
 * too slowly. So where long gaps lie in lumps, what is counted are intervals (a geometric tail).
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
/** Long gaps that lie this close to a whole number of intervals, in intervals, lie in a lump ... */
const lumpWidth = 0.25;
/** ... and this share of them has to: of a smooth tail half would. */
const lumpedMin = 0.8;
/** So few of them do: how often they recur is then taken to be more than was seen anyway. */
const lumpedCountMin = 4;
/** Time is read in milliseconds: a tail that is steeper than that is not measured but rounded. */
const resolutionMs = 1;

export interface GapTail {
  /** Where the tail begins. */
  readonly fromMs: number;
  /** How many gaps exceed that, and by how much on average. */
  readonly excesses: number;
  readonly meanExcessMs: number;
  /** The deviation of the excesses, 1 for an exponential or geometric tail, more for a heavier one. */
  readonly spread: number;
  /** 0 for the exponential tail; towards 0.5 the heavier it is. */
  readonly shape: number;
  /** Set where long gaps lie in lumps, as those of lost heartbeats do. */
  readonly lost: LostHeartbeats | undefined;
}

export interface LostHeartbeats {
  readonly intervalMs: number;
  /** The lump that the tail begins with, in intervals: 2 where one lost heartbeat was seen often enough. */
  readonly firstLump: number;
  /** The chance that after one that was lost the next is lost too, taken to be a little more than was seen. */
  readonly again: number;
}

/**
 * The tail of a sample; undefined when there is too little of it. Given the interval at which heartbeats
 * are sent, it can tell lost ones.
 */
export function gapTail(sample: GapSample, intervalMs?: number): GapTail | undefined {
  const { count, longestMs } = sample;
  if (count < countMin) return undefined;
  const lumped = intervalMs === undefined ? undefined : lumpedTail(sample, intervalMs);
  if (lumped !== undefined) return lumped;
  const wanted = Math.max(excessesMin, Math.min(excessesMax, Math.round(Math.sqrt(count))));
  const excesses = Math.min(wanted, longestMs.length - 1);
  if (excesses < excessesMin) return undefined;
  const fromMs = longestMs[excesses] ?? 0;
  const above = longestMs.slice(0, excesses).map((gapMs) => gapMs - fromMs);
  const { meanOf, deviation } = moments(above);
  const spread = meanOf > 0 ? deviation / meanOf : 1;
  const shape = isHeavy(spread, excesses) ? (1 - 1 / spread ** 2) / 2 : 0;
  const meanExcessMs = Math.max(meanOf, resolutionMs);
  return { fromMs, excesses, meanExcessMs, spread, shape, lost: undefined };
}

/** Undefined when long gaps are few, or lie in no lumps, or decline too unevenly for losses alone. */
function lumpedTail({ count, longestMs }: GapSample, intervalMs: number): GapTail | undefined {
  const knownFromMs = longestMs.length < count ? (longestMs.at(-1) ?? 0) : 0;
  const firstLump = Math.max(2, Math.ceil(knownFromMs / intervalMs + 0.5));
  const fromMs = (firstLump - 0.5) * intervalMs;
  const long = longestMs.slice(0, countFrom(fromMs, longestMs)).map((gapMs) => gapMs / intervalMs);
  const excesses = long.length;
  if (excesses < lumpedCountMin) return undefined;
  const inLumps = long.filter((each) => Math.abs(each - Math.round(each)) <= lumpWidth);
  if (inLumps.length < lumpedMin * excesses) return undefined;
  const further = long.map((each) => Math.round(each) - firstLump);
  const { meanOf, deviation } = moments(further);
  const spread = meanOf > 0 ? deviation / Math.sqrt(meanOf * (1 + meanOf)) : 1;
  if (isHeavy(spread, excesses)) return undefined;
  const steps = meanOf * excesses;
  const again = (steps + 1) / (steps + excesses + 1);
  const meanExcessMs = moments(long).meanOf * intervalMs - fromMs;
  const lost = { intervalMs, firstLump, again };
  return { fromMs, excesses, meanExcessMs, spread, shape: 0, lost };
}

/** More spread than two standard errors of that of an exponential. */
const isHeavy = (spread: number, count: number): boolean => spread > 1 + 2 / Math.sqrt(count);

function moments(values: readonly number[]): { meanOf: number; deviation: number } {
  const meanOf = mean(values);
  return { meanOf, deviation: Math.sqrt(mean(values.map((each) => (each - meanOf) ** 2))) };
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
  const seen = countFrom(patienceMs, longestMs);
  const isAtLeast = seen === longestMs.length && seen < count;
  const isWithin = tail === undefined ? seen >= excessesMin : patienceMs <= tail.fromMs;
  if (isWithin) {
    const excessMs = mean(longestMs.slice(0, seen)) - (seen > 0 ? patienceMs : 0);
    return { seen, chance: seen / count, isAtLeast, excessMs };
  }
  if (tail === undefined) return { seen, chance: undefined, isAtLeast, excessMs: undefined };
  const { chance, excessMs } = beyond(patienceMs, tail);
  return { seen, chance: (tail.excesses / count) * chance, isAtLeast: false, excessMs };
}

/** Of those in the tail: the chance to outlast this, and by how much on average. */
function beyond(patienceMs: number, tail: GapTail): { chance: number; excessMs: number } {
  const { fromMs, meanExcessMs, shape, lost } = tail;
  if (lost !== undefined) return beyondLumps(patienceMs, lost);
  const beyondMs = patienceMs - fromMs;
  // By the moments: a mean excess of scale / (1 - shape) where the tail begins.
  const scaleMs = meanExcessMs * (1 - shape);
  const chance =
    shape === 0
      ? Math.exp(-beyondMs / scaleMs)
      : (1 + (shape * beyondMs) / scaleMs) ** (-1 / shape);
  return { chance, excessMs: (scaleMs + shape * beyondMs) / (1 - shape) };
}

/** A lump outlasts what its later end does. */
function beyondLumps(patienceMs: number, { intervalMs, firstLump, again }: LostHeartbeats) {
  const lump = Math.max(firstLump, Math.ceil(patienceMs / intervalMs - lumpWidth));
  const restMs = Math.max(resolutionMs, lump * intervalMs - patienceMs);
  return {
    chance: again ** (lump - firstLump),
    excessMs: restMs + (again / (1 - again)) * intervalMs,
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

/** How many of them are that long or longer: they are in order. */
function countFrom(gapMs: number, longestMs: readonly number[]): number {
  let below = 0;
  let above = longestMs.length;
  while (below < above) {
    const middle = (below + above) >> 1;
    if ((longestMs[middle] ?? 0) >= gapMs) below = middle + 1;
    else above = middle;
  }
  return below;
}

const mean = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length);
