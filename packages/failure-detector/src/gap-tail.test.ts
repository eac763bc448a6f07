import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type GapSample, gapTail, outlasts, poolGaps, ruleOfThree } from './gap-tail.js';

/** The middle of each of `count` equal parts of a distribution: a sample without chance. */
function sampleOf(count: number, quantile: (share: number) => number): GapSample {
  const longestMs = Array.from({ length: count }, (_, i) => quantile((i + 0.5) / count));
  return { count, longestMs: longestMs.sort((a, b) => b - a) };
}

const exponential = (meanMs: number) => (share: number) => 1_000 - meanMs * Math.log(1 - share);
/** What a lost heartbeat does: with chance `loss` the gap is one interval longer, and so on. */
const lossy = (loss: number) => (share: number) =>
  1_000 * (1 + Math.floor(Math.log(1 - share) / Math.log(loss))) + 20 * (share - 0.5);
const pareto = (shape: number) => (share: number) =>
  1_000 + (50 / shape) * ((1 - share) ** -shape - 1);

describe('the tail of known distributions', () => {
  it.each([10, 50, 300])('exponential with a mean of %d ms', (meanMs) => {
    const sample = sampleOf(10_000, exponential(meanMs));
    const tail = gapTail(sample);
    expect(tail?.shape).toBe(0);
    expect(tail?.spread).toBeCloseTo(1, 0);
    expect((tail?.meanExcessMs ?? 0) / meanMs).toBeCloseTo(1, 1);
    // Beyond the sample: in orders of magnitude, within a tenth.
    for (const decades of [5, 6, 7]) {
      const { chance = 0, excessMs = 0 } = outlasts(
        1_000 + meanMs * decades * Math.LN10,
        sample,
        tail,
      );
      expect(-Math.log10(chance) / decades).toBeGreaterThan(0.9);
      expect(-Math.log10(chance) / decades).toBeLessThan(1.1);
      expect(excessMs / meanMs).toBeCloseTo(1, 1);
    }
  });

  it.each([0.3, 0.1, 0.01])(
    'heartbeats lost, %d of them: a factor of that for each interval',
    (loss) => {
      const sample = sampleOf(50_000, lossy(loss));
      const tail = gapTail(sample, 1_000);
      expect(tail?.lost).toMatchObject({ intervalMs: 1_000, firstLump: 2 });
      expect((tail?.lost?.again ?? 0) / loss).toBeCloseTo(1, 0);
      for (const lost of [1, 2, 3, 4, 5]) {
        const { chance = 0, excessMs = 0 } = outlasts(1_000 * lost + 520, sample, tail);
        expect(Math.log10(chance) / Math.log10(loss ** lost)).toBeCloseTo(1, 1);
        expect(excessMs).toBeCloseTo(480 + (1_000 * loss) / (1 - loss), -2);
      }
    },
  );

  it('of the longest gaps of a lossy link alone, the same', () => {
    const whole = sampleOf(50_000, lossy(0.1));
    const longest = { count: 50_000, longestMs: whole.longestMs.slice(0, 64) };
    const tail = gapTail(longest, 1_000);
    expect(tail?.lost?.firstLump).toBe(4);
    const { chance = 0 } = outlasts(7_500, longest, tail);
    expect(Math.log10(chance)).toBeCloseTo(-7, 0);
  });

  it('lumps of another interval, and a pause among losses, are no losses alone', () => {
    const sample = sampleOf(50_000, lossy(0.1));
    expect(gapTail(sample, 600)?.lost).toBeUndefined();
    const paused = { count: 50_001, longestMs: [30_000, ...sample.longestMs] };
    expect(gapTail(paused, 1_000)?.lost).toBeUndefined();
    expect(outlasts(20_000, paused, gapTail(paused, 1_000)).chance).toBeGreaterThan(1e-7);
  });

  it('without the interval it errs towards more mistakes', () => {
    const sample = sampleOf(50_000, lossy(0.1));
    const { chance = 0 } = outlasts(7_500, sample, gapTail(sample));
    expect(chance).toBeGreaterThan(1e-7);
  });

  it('a heavy one is seen as heavy, and promises less', () => {
    const sample = sampleOf(20_000, pareto(0.4));
    const tail = gapTail(sample);
    expect(tail?.spread).toBeGreaterThan(1.2);
    expect(tail?.shape).toBeGreaterThan(0.1);
    const heavy = outlasts(20_000, sample, tail);
    const taken = outlasts(20_000, sample, tail && { ...tail, shape: 0 });
    expect(heavy.chance).toBeGreaterThan(10 * (taken.chance ?? 1));
    expect(heavy.excessMs).toBeGreaterThan(taken.excessMs ?? 1e9);
  });

  it('one with an end is not taken for more than exponential', () => {
    const sample = sampleOf(10_000, (share) => 950 + 100 * share);
    expect(gapTail(sample)?.shape).toBe(0);
    expect(outlasts(1_100, sample, gapTail(sample)).chance).toBeLessThan(1e-8);
  });

  it('gaps that are all alike end where they are, up to the resolution of the clock', () => {
    const sample = sampleOf(1_000, () => 1_000);
    expect(outlasts(1_010, sample, gapTail(sample)).chance).toBeLessThan(1e-5);
    expect(outlasts(1_010, sample, gapTail(sample)).excessMs).toBe(1);
  });
});

describe('within the sample', () => {
  it('it is counted', () => {
    const sample = sampleOf(1_000, exponential(50));
    const all = outlasts(1_000, sample, gapTail(sample));
    expect(all).toMatchObject({ seen: 1_000, chance: 1, isAtLeast: false });
    expect(all.excessMs).toBeCloseTo(50, 0);
    expect(outlasts(1_000 + 50 * Math.LN2, sample, gapTail(sample)).chance).toBeCloseTo(0.5, 3);
  });

  it('a sample of the longest only says at least, below the shortest of them', () => {
    const whole = sampleOf(10_000, exponential(50));
    const longest = { count: 10_000, longestMs: whole.longestMs.slice(0, 64) };
    expect(outlasts(1_001, longest, gapTail(longest))).toMatchObject({
      seen: 64,
      chance: 0.0064,
      isAtLeast: true,
    });
    const [some, all] = [longest, whole].map((each) => outlasts(2_000, each, gapTail(longest)));
    expect(some).toEqual(all);
  });

  it('the chance does not rise with the patience', () => {
    const any = fc.integer({ min: 1, max: 20_000 });
    const lumps = fc
      .tuple(fc.constantFrom(1, 1, 1, 1, 2, 3), fc.integer({ min: -200, max: 200 }))
      .map(([lump, ms]) => 1_000 * lump + ms);
    const gaps = fc.oneof(
      fc.array(any, { minLength: 100, maxLength: 400 }),
      fc.array(lumps, { minLength: 100, maxLength: 400 }),
    );
    const patience = fc.tuple(
      fc.integer({ min: 0, max: 40_000 }),
      fc.integer({ min: 0, max: 9_000 }),
    );
    fc.assert(
      fc.property(gaps, patience, (all, [ms, moreMs]) => {
        const sample = { count: all.length, longestMs: all.toSorted((a, b) => b - a) };
        const tail = gapTail(sample, 1_000);
        const [sooner, later] = [ms, ms + moreMs].map((each) => outlasts(each, sample, tail));
        expect(sooner?.chance).toBeGreaterThanOrEqual(later?.chance ?? 2);
        for (const { chance = 2, excessMs = -1 } of [sooner ?? {}, later ?? {}]) {
          expect(chance).toBeGreaterThanOrEqual(0);
          expect(chance).toBeLessThanOrEqual(1);
          expect(excessMs).toBeGreaterThanOrEqual(0);
        }
      }),
    );
  });
});

describe('too little data', () => {
  it.each([0, 1, 10, 99])('%d gaps have no tail, and no chance is made up', (count) => {
    const sample = sampleOf(count, exponential(50));
    expect(gapTail(sample)).toBeUndefined();
    expect(outlasts(5_000, sample, undefined)).toEqual({
      seen: 0,
      chance: undefined,
      isAtLeast: false,
      excessMs: undefined,
    });
  });

  it('what happened often enough is still counted', () => {
    expect(outlasts(1_000, sampleOf(50, exponential(50)), undefined).chance).toBe(1);
  });

  it('the rule of three', () => {
    expect([ruleOfThree(1_000), ruleOfThree(1)]).toEqual([0.003, 1]);
  });
});

describe('pooling', () => {
  it('of whole samples is the sample of all', () => {
    const a = { count: 2, longestMs: [5, 1] };
    expect(poolGaps([a, { count: 1, longestMs: [3] }])).toEqual({
      count: 3,
      longestMs: [5, 3, 1],
    });
  });

  it('of the longest leaves out what another link may have had without keeping it', () => {
    const some = { count: 100, longestMs: [9, 7, 6] };
    const whole = { count: 3, longestMs: [8, 5, 2] };
    expect(poolGaps([some, whole])).toEqual({ count: 103, longestMs: [9, 8, 7, 6] });
  });

  it('of nothing is nothing', () => {
    expect(poolGaps([])).toEqual({ count: 0, longestMs: [] });
  });
});
