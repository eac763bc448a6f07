import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Qos, QosMeter } from './qos-meter.js';

type Step = readonly ['wait' | 'heard' | 'suspected' | 'mistaken' | 'dropped' | 'paused', number];

const steps: fc.Arbitrary<readonly Step[]> = fc.array(
  fc.tuple(
    fc.constantFrom('wait', 'heard', 'suspected', 'mistaken', 'dropped', 'paused'),
    fc.integer({ min: 0, max: 10_000 }),
  ),
  { maxLength: 80 },
);

/** Lives through it, and returns every reading. */
function live(all: readonly Step[]): { readings: Qos[]; meter: QosMeter } {
  let nowMs = 500;
  const meter = new QosMeter(nowMs);
  const readings = [meter.read(nowMs)];
  for (const [what, ms] of all) {
    nowMs += ms;
    if (what === 'paused') meter.paused(ms, nowMs);
    else if (what !== 'wait') meter[what](nowMs);
    readings.push(meter.read(nowMs));
  }
  return { readings, meter };
}

/** The same by keeping every millisecond's worth in a list, and adding up at the end. */
function dumb(all: readonly Step[]) {
  type Span = { ms: number; isSuspected: boolean; fate: string };
  const spans: Span[] = [{ ms: 0, isSuspected: false, fate: 'open' }];
  const gaps: number[] = [];
  let sinceHeard: number | undefined;
  for (const [what, ms] of all) {
    const last = spans.at(-1) as Span;
    if (what !== 'paused') last.ms += ms;
    if (sinceHeard !== undefined) sinceHeard += ms;
    if (what === 'paused' && ms > 0) sinceHeard = undefined;
    if (what === 'heard') {
      if (sinceHeard !== undefined) gaps.push(sinceHeard);
      sinceHeard = 0;
    }
    if (what === 'suspected' && !last.isSuspected)
      spans.push({ ms: 0, isSuspected: true, fate: 'open' });
    if ((what === 'mistaken' || what === 'dropped') && last.isSuspected) {
      last.fate = what;
      spans.push({ ms: 0, isSuspected: false, fate: 'open' });
      if (what === 'dropped') sinceHeard = undefined;
    }
  }
  const sum = (of: readonly Span[]) => of.reduce((ms, span) => ms + span.ms, 0);
  const wrong = spans.filter(({ fate }) => fate === 'mistaken');
  return {
    observedMs: sum(spans.filter(({ isSuspected }) => !isSuspected)) + sum(wrong),
    mistakes: wrong.length,
    mistakeMs: sum(wrong),
    setAside: spans.filter(({ fate }) => fate === 'dropped').length,
    gaps,
  };
}

describe('the meter', () => {
  it('is what adding up the whole history gives', () => {
    fc.assert(
      fc.property(steps, (all) => {
        const { readings, meter } = live(all);
        const { gaps, ...counted } = dumb(all);
        expect(readings.at(-1)).toMatchObject(counted);
        expect(meter.gaps.count).toBe(gaps.length);
        expect(meter.gaps.longest()).toEqual(gaps.toSorted((a, b) => b - a).slice(0, 64));
      }),
    );
  });

  it('has counters that never fall, and an accuracy that is a share', () => {
    fc.assert(
      fc.property(steps, (all) => {
        const { readings } = live(all);
        for (const [i, now] of readings.entries()) {
          const before = readings[i - 1] ?? now;
          for (const counter of ['observedMs', 'mistakes', 'mistakeMs', 'setAside'] as const)
            expect(now[counter]).toBeGreaterThanOrEqual(before[counter]);
          expect(now.mistakeMs).toBeLessThanOrEqual(now.observedMs);
          expect(now.queryAccuracy ?? 1).toBeGreaterThanOrEqual(0);
          expect(now.queryAccuracy ?? 1).toBeLessThanOrEqual(1);
        }
      }),
    );
  });

  it('agrees with the theorem: P_A = 1 - T_M / T_MR', () => {
    fc.assert(
      fc.property(steps, (all) => {
        const { readings } = live(all);
        const now = readings.at(-1) as Qos;
        if (now.mistakes === 0 || now.observedMs === 0) return;
        const { mistakeDurationMs = 0, mistakeRecurrenceMs = 1 } = now;
        expect(now.queryAccuracy).toBeCloseTo(1 - mistakeDurationMs / mistakeRecurrenceMs, 12);
      }),
    );
  });

  it('stays sane whatever the clock says', () => {
    const clock = fc.array(fc.double(), { maxLength: 30 });
    fc.assert(
      fc.property(clock, (times) => {
        const meter = new QosMeter(0);
        for (const ms of times.filter(Number.isFinite)) {
          meter.heard(ms);
          meter.suspected(ms);
          meter.paused(ms, -ms);
          meter.mistaken(-ms);
          const { observedMs, mistakeMs } = meter.read(ms);
          expect(observedMs).toBeGreaterThanOrEqual(mistakeMs);
          expect(mistakeMs).toBeGreaterThanOrEqual(0);
        }
      }),
    );
  });
});

describe('a verdict', () => {
  it('that is taken back was a mistake, and lasted as long as it stood', () => {
    const meter = new QosMeter(0);
    meter.suspected(40_000);
    meter.mistaken(45_000);
    meter.suspected(90_000);
    meter.mistaken(95_000);
    expect(meter.read(100_000)).toEqual({
      observedMs: 100_000,
      mistakes: 2,
      mistakeMs: 10_000,
      setAside: 0,
      mistakeRecurrenceMs: 50_000,
      mistakeDurationMs: 5_000,
      queryAccuracy: 0.9,
    });
  });

  it('that stands for ever says nothing about the detector: the run has crashed', () => {
    const meter = new QosMeter(0);
    meter.suspected(40_000);
    expect(meter.read(9e9)).toMatchObject({ observedMs: 40_000, mistakes: 0, queryAccuracy: 1 });
  });

  it('that is dropped unproved is counted apart, and its time is not observed', () => {
    const meter = new QosMeter(0);
    meter.suspected(40_000);
    meter.dropped(70_000);
    expect(meter.read(80_000)).toMatchObject({ observedMs: 50_000, mistakes: 0, setAside: 1 });
  });

  it('does not last while the observer sleeps', () => {
    const meter = new QosMeter(0);
    meter.suspected(10_000);
    meter.paused(60_000, 72_000);
    meter.mistaken(73_000);
    expect(meter.read(73_000)).toMatchObject({ observedMs: 13_000, mistakes: 1, mistakeMs: 3_000 });
  });
});

describe('a gap', () => {
  it('into which a pause fell is none, and the one that ended a mistake is one', () => {
    const meter = new QosMeter(0);
    for (const ms of [1_000, 2_000]) meter.heard(ms);
    meter.suspected(6_500);
    meter.mistaken(9_000);
    meter.heard(9_000);
    meter.paused(4_000, 14_000);
    for (const ms of [14_100, 15_000]) meter.heard(ms);
    expect([meter.gaps.count, meter.gaps.longest()]).toEqual([3, [7_000, 1_000, 900]]);
  });
});
