import { describe, expect, it } from 'vitest';
import { createFailureDetector, type DetectorSettings } from './create-failure-detector.js';
import { type ObservedGaps, type PatienceGoal, studyPatience } from './patience.js';

const THRESHOLDS = [3, 4, 5, 6, 7, 8, 9, 10, 11, 12];
const PAUSES = [1_000, 2_000, 3_000, 5_000, 8_000];
const once: PatienceGoal = { mistakesPerYear: 1, detectionTimeMs: Number.POSITIVE_INFINITY };
const normal: DetectorSettings = { kind: 'phi-normal' };

/** Gaps of a second and an exponential delay, as a link of that many heartbeats would have. */
function observed(count: number, delayMs: number, extra: readonly number[] = []): ObservedGaps {
  const gaps = Array.from(
    { length: count },
    (_, i) => 1_000 - delayMs - delayMs * Math.log(1 - (i + 0.5) / count),
  );
  const longestMs = [...gaps, ...extra].sort((a, b) => b - a);
  const learnt = { count, meanMs: 1_000, deviationMs: delayMs };
  return { count: longestMs.length, longestMs, meanMs: 1_000, intervalMs: 1_000, learnt };
}

const study = (gaps: ObservedGaps, goal = once, settings: DetectorSettings = normal) =>
  studyPatience(gaps, settings, { thresholds: THRESHOLDS, pausesMs: PAUSES }, goal);

describe('what a choice costs', () => {
  it('T_D is what the detector says that has heard these gaps', () => {
    for (const kind of ['phi-normal', 'phi-exponential', 'deadline'] as const) {
      for (const threshold of [3, 8, 12]) {
        const settings = { kind, threshold, acceptablePauseMs: 2_000 };
        const detector = createFailureDetector(settings);
        for (let ms = 0; ms <= 400_000; ms += 1_000) detector.heartbeat(ms + (ms % 3_000) / 20);
        const last = detector.lastSignOfLifeMs ?? 0;
        const { gaps: learnt } = detector;
        const gaps = { ...observed(1_000, 50), learnt };
        const { current } = study(gaps, once, settings);
        expect(current.detectionTimeMs).toBeCloseTo(detector.unavailableAtMs() - last, 6);
      }
    }
  });

  it('reproduces the closed form: exponential delays of 400 ms', () => {
    const { costs, gapsPerYear } = study(observed(20_000, 400));
    expect(gapsPerYear).toBe(31_536_000);
    for (const { detectionTimeMs, mistakesPerYear = 0, mistakeDurationMs = 0 } of costs) {
      const exact = gapsPerYear * Math.exp(-(detectionTimeMs - 600) / 400);
      const decades = Math.log10(mistakesPerYear / exact);
      expect(Math.abs(decades)).toBeLessThan(0.1 * Math.abs(Math.log10(exact / gapsPerYear)));
      expect(mistakeDurationMs / 400).toBeCloseTo(1, 1);
    }
  });

  it.each([300, 400, 500])(
    'agrees with a detector that lives through it: delays of %d ms',
    (delayMs) => {
      const count = 100_003;
      const choice = { threshold: 3, acceptablePauseMs: 1_000 };
      const detector = createFailureDetector({ kind: 'phi-normal', ...choice, maxSamples: count });
      const lateMs = (i: number) => -delayMs * Math.log(1 - (i + 0.5) / count);
      let [nowMs, mistakes, mistakeMs] = [0, 0, 0];
      detector.heartbeat(nowMs);
      for (let i = 0; i < count; i++) {
        nowMs += 1_000 - delayMs + lateMs((i * 7_919) % count);
        const dueMs = detector.unavailableAtMs();
        if (nowMs >= dueMs) {
          mistakes++;
          mistakeMs += nowMs - dueMs;
        }
        detector.heartbeat(nowMs);
      }
      const gaps = { ...observed(count, delayMs), learnt: detector.gaps };
      const { current, gapsPerYear } = study(gaps, once, { kind: 'phi-normal', ...choice });
      expect(mistakes).toBeGreaterThan(20);
      const expected = ((current.mistakesPerYear ?? 0) * count) / gapsPerYear;
      expect(expected / mistakes).toBeGreaterThan(0.7);
      expect(expected / mistakes).toBeLessThan(1.4);
      expect(((current.mistakeDurationMs ?? 0) * mistakes) / mistakeMs).toBeCloseTo(1, 0);
    },
  );

  it('more patience: later, and never more mistakes', () => {
    const { costs } = study(observed(5_000, 300, [4_000, 9_000]));
    const sorted = costs.toSorted((a, b) => a.detectionTimeMs - b.detectionTimeMs);
    for (const [i, now] of sorted.entries()) {
      const before = sorted[i - 1] ?? now;
      expect(now.mistakesPerYear).toBeLessThanOrEqual(before.mistakesPerYear ?? 0);
      expect(now.seen).toBeLessThanOrEqual(before.seen);
    }
  });

  it.each<[DetectorSettings, number]>([
    [{ kind: 'phi-normal' }, 50],
    [{ kind: 'phi-exponential' }, 10],
    [{ kind: 'deadline' }, 5],
  ])('%j has %d choices', (settings, count) => {
    expect(study(observed(1_000, 50), once, settings).costs).toHaveLength(count);
  });
});

describe('the advice', () => {
  it('is the quickest that meets the goal, or hardly slower with the threshold there is', () => {
    const { advice, costs, current } = study(observed(100_000, 50));
    expect(advice).toMatchObject({
      kind: 'take',
      cost: { threshold: 8, acceptablePauseMs: 1_000 },
    });
    expect(advice.extrapolation).toBeCloseTo(315.36, 6);
    expect(advice.cost?.detectionTimeMs).toBeLessThan(current.detectionTimeMs);
    expect(costs).toContainEqual(advice.cost);
  });

  it('is to keep what there is, when the goal is far beyond the sample', () => {
    const { advice, current } = study(observed(1_000, 50));
    expect(advice).toMatchObject({ kind: 'keep', cost: current });
    expect(advice.extrapolation).toBeCloseTo(31_536, 6);
  });

  it('is more patience on few data all the same, when these ask for it', () => {
    const { advice, current } = study(observed(1_000, 400));
    expect(current.mistakesPerYear).toBeGreaterThan(1);
    expect(advice.kind).toBe('take');
    expect(advice.cost?.detectionTimeMs).toBeGreaterThan(current.detectionTimeMs);
  });

  it('is never slower than the current settings when these meet the goal', () => {
    const gaps = observed(50_000, 50);
    const choices = { thresholds: THRESHOLDS, pausesMs: [8_000] };
    const { advice, current } = studyPatience(gaps, normal, choices, once);
    expect(advice).toMatchObject({ kind: 'take', cost: current });
  });

  it('is none on a handful of gaps', () => {
    const { advice, notRuledOutPerYear } = study(observed(60, 50));
    expect(advice).toMatchObject({ kind: 'tooFew', cost: undefined });
    expect(notRuledOutPerYear).toBe((3 / 60) * 31_536_000);
  });

  it('says that nothing does, with the best that is quick enough', () => {
    const { advice } = study(observed(5_000, 1_000), {
      mistakesPerYear: 1,
      detectionTimeMs: 9_500,
    });
    expect(advice.kind).toBe('neither');
    expect(advice.cost?.detectionTimeMs).toBeLessThanOrEqual(9_500);
    expect(advice.cost?.mistakesPerYear).toBeGreaterThan(1);
    const none = study(observed(5_000, 50), { mistakesPerYear: 1, detectionTimeMs: 100 }).advice;
    expect(none).toMatchObject({ kind: 'neither', cost: undefined });
  });
});
