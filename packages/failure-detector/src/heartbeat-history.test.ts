import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DetectorSettingsError } from './detector-settings.js';
import { HeartbeatHistory } from './heartbeat-history.js';

/** The dumb twin: keeps everything, and computes from scratch in two passes. */
function twin(gaps: readonly number[], maxSamples: number) {
  const held = gaps.slice(-maxSamples);
  if (held.length === 0) return { count: 0, meanMs: 0, deviationMs: 0, largestMs: 0 };
  const meanMs = held.reduce((sum, gap) => sum + gap, 0) / held.length;
  const squares = held.reduce((sum, gap) => sum + (gap - meanMs) ** 2, 0);
  const deviationMs = Math.sqrt(squares / held.length);
  return { count: held.length, meanMs, deviationMs, largestMs: Math.max(...held) };
}

function expectTwin(history: HeartbeatHistory, expected: ReturnType<typeof twin>): void {
  expect(history.count).toBe(expected.count);
  const meanApart = Math.abs(history.meanMs - expected.meanMs);
  expect(meanApart).toBeLessThanOrEqual(1e-12 * expected.largestMs);
  const deviationApart = Math.abs(history.deviationMs - expected.deviationMs);
  expect(deviationApart).toBeLessThanOrEqual(1e-7 * expected.largestMs);
}

const filled = (gaps: Iterable<number>, maxSamples = 1_000) => {
  const history = new HeartbeatHistory(maxSamples);
  for (const gap of gaps) history.add(gap);
  return history;
};

describe('a heartbeat history', () => {
  it('knows nothing when empty', () => {
    expect(filled([])).toMatchObject({ count: 0, meanMs: 0, deviationMs: 0 });
  });

  it("has the mean and the deviation of Akka's example", () => {
    const history = filled([100, 200, 125, 340, 130]);
    expect(history.meanMs).toBe(179);
    expect(history.deviationMs ** 2).toBeCloseTo(7_584, 9);
  });

  it('forgets the oldest when full', () => {
    expect(filled([10_000, 1, 2, 3], 3)).toMatchObject({ count: 3, meanMs: 2 });
  });

  it('leaves out what is no gap', () => {
    const bad = [Number.NaN, -1, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, 1e13];
    expect(filled([5, ...bad])).toMatchObject({ count: 1, meanMs: 5, deviationMs: 0 });
  });

  it.each([0, -1, 1.5, Number.NaN, Number.POSITIVE_INFINITY, 1_000_001])(
    'refuses %d samples',
    (n) => {
      expect(() => new HeartbeatHistory(n)).toThrow(DetectorSettingsError);
    },
  );
});

describe('a heartbeat history beside its twin', () => {
  it('agrees after every gap', () => {
    const gap = fc
      .oneof(
        fc.double({ min: 0, max: 5_000, noNaN: true }),
        fc.double({ min: 0, max: 1e12, noNaN: true }),
        fc.constantFrom(0, 1_000, 1e12),
      )
      .map((ms) => Math.round(ms * 1e3) / 1e3); // clocks do not tell 10^-300 ms apart

    fc.assert(
      fc.property(
        fc.array(gap, { maxLength: 120 }),
        fc.integer({ min: 1, max: 40 }),
        (gaps, size) => {
          const history = new HeartbeatHistory(size);
          gaps.forEach((gap, index) => {
            history.add(gap);
            expectTwin(history, twin(gaps.slice(0, index + 1), size));
          });
        },
      ),
    );
  });

  it('leaves no trace of an outlier that is gone', () => {
    const gaps = [1e12, ...Array.from({ length: 100 }, (_, i) => 990 + (i % 21))];
    expectTwin(filled(gaps, 100), twin(gaps, 100));
  });

  it('has not drifted after ten million gaps', () => {
    const maxSamples = 1_000;
    const history = new HeartbeatHistory(maxSamples);
    const latest: number[] = [];
    let state = 1;
    for (let i = 0; i < 10_000_000; i++) {
      state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
      const chance = state / 2 ** 32;
      const gap = chance > 0.9999 ? chance * 1e9 : 1_000 + chance * 3;
      history.add(gap);
      if (i >= 10_000_000 - maxSamples) latest.push(gap);
    }
    expectTwin(history, twin(latest, maxSamples));
  });
});
