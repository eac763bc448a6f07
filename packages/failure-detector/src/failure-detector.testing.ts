/**
 * What every failure detector owes its caller, as one suite that takes a factory. A detector of your
 * own passes when it passes this.
 */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { FailureDetector } from './failure-detector.js';

export interface SuiteOptions<D extends FailureDetector> {
  /** Called when silence begins, for a detector that must be told when to lose patience. */
  readonly silenceBegins?: (detector: D, lastSignOfLifeMs: number) => void;
  /** Set for a detector that weighs neither heartbeats nor excuses; says why. */
  readonly weighsNothingBecause?: string;
}

type Step =
  | {
      readonly kind: 'sign';
      readonly afterMs: number;
      readonly isHeartbeat: boolean;
      readonly learn: boolean;
    }
  | { readonly kind: 'excuse'; readonly pauseMs: number; readonly bounded: boolean }
  | { readonly kind: 'nonsense'; readonly value: number };

const gapMs = fc.oneof(
  { weight: 4, arbitrary: fc.double({ min: 800, max: 1_200, noNaN: true }) },
  { weight: 1, arbitrary: fc.double({ min: 0, max: 60_000, noNaN: true }) },
);
const nonsense = fc.constantFrom(
  Number.NaN,
  Number.POSITIVE_INFINITY,
  Number.NEGATIVE_INFINITY,
  -1,
  -1e300,
);
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant('sign' as const),
      afterMs: gapMs,
      isHeartbeat: fc.boolean(),
      learn: fc.boolean(),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('excuse' as const),
      pauseMs: fc.double({ min: 0, max: 20_000, noNaN: true }),
      bounded: fc.boolean(),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('nonsense' as const), value: nonsense }) },
);
const history = fc.array(step, { minLength: 1, maxLength: 60 });

export function failureDetectorSuite<D extends FailureDetector>(
  name: string,
  create: () => D,
  { silenceBegins, weighsNothingBecause }: SuiteOptions<D> = {},
): void {
  const after = (steps: readonly Step[]) => {
    const detector = create();
    detector.heartbeat(1_000);
    const nowMs = steps.reduce((ms, step) => take(step, detector, ms), 1_000);
    silenceBegins?.(detector, nowMs);
    return { detector, nowMs };
  };
  const subject = { create, after };
  describe(`${name}, as a failure detector`, () => {
    owesBeforeItHears(subject);
    owesPatience(subject);
    owesSanity(subject);
    owesRestraintInLearning(subject);
    if (weighsNothingBecause === undefined) owesForgiveness(subject);
    else owesItsWord(subject, weighsNothingBecause);
  });
}

/** The detector under test, and ways to give it a past. */
interface Subject<D extends FailureDetector> {
  create(): D;
  /** A detector with this past, and the time it has come to; silence has begun. */
  after(steps: readonly Step[]): { readonly detector: D; readonly nowMs: number };
}

const regular = Array.from({ length: 20 }, (): Step => {
  return { kind: 'sign', afterMs: 1_000, isHeartbeat: true, learn: true };
});

/** Takes one step at `nowMs` and returns the time after it. */
function take(step: Step, detector: FailureDetector, nowMs: number): number {
  switch (step.kind) {
    case 'sign':
      if (step.isHeartbeat) detector.heartbeat(nowMs + step.afterMs, step.learn);
      else detector.contact(nowMs + step.afterMs);
      return nowMs + step.afterMs;
    case 'excuse':
      if (step.bounded) detector.excuse(step.pauseMs, nowMs);
      else detector.excuse(step.pauseMs);
      return nowMs;
    case 'nonsense':
      detector.heartbeat(step.value);
      detector.excuse(step.value);
      return nowMs;
  }
}

function owesBeforeItHears<D extends FailureDetector>({ create }: Subject<D>): void {
  it('suspects nobody before the first heartbeat', () => {
    const detector = create();
    expect(detector.isMonitoring).toBe(false);
    expect(detector.lastSignOfLifeMs).toBeUndefined();
    for (const nowMs of [0, 1e9, Number.POSITIVE_INFINITY, Number.NaN, -1]) {
      expect(detector.suspicion(nowMs)).toBe(0);
      expect(detector.isAvailable(nowMs)).toBe(true);
    }
    expect(detector.unavailableAtMs()).toBe(Number.POSITIVE_INFINITY);
    expect(detector.gaps).toEqual({ count: 0, meanMs: 0, deviationMs: 0 });
  });

  it('monitors from the first heartbeat on, learnt or not', () => {
    for (const learn of [true, false]) {
      const detector = create();
      detector.heartbeat(5, learn);
      expect(detector.isMonitoring).toBe(true);
      expect(detector.lastSignOfLifeMs).toBe(5);
      expect(detector.isAvailable(5)).toBe(true);
    }
  });
}

function owesPatience<D extends FailureDetector>({ after }: Subject<D>): void {
  it('loses patience in the end, and does not regain it by more silence', () => {
    const { detector, nowMs } = after(regular);
    expect(detector.isAvailable(nowMs)).toBe(true);
    const atMs = detector.unavailableAtMs();
    expect(atMs).toBeGreaterThan(nowMs);
    expect(atMs).toBeLessThan(nowMs + 60_000);
    for (const laterMs of [0, 1, 1e3, 1e6, 1e12, Number.POSITIVE_INFINITY]) {
      expect(detector.isAvailable(atMs + laterMs)).toBe(false);
    }
  });

  it('says in advance exactly when it becomes unavailable', () => {
    const before = fc.double({ min: 1e-6, max: 1, noNaN: true });
    fc.assert(
      fc.property(history, before, (steps, beforeMs) => {
        const { detector } = after(steps);
        const atMs = detector.unavailableAtMs();
        expect(detector.isAvailable(atMs)).toBe(false);
        expect(detector.isAvailable(atMs - beforeMs)).toBe(true);
      }),
    );
  });

  it('has a suspicion that is finite and does not decrease while the silence lasts', () => {
    const times = fc.array(fc.integer({ min: 0, max: 200_000 }), { minLength: 2, maxLength: 20 });
    fc.assert(
      fc.property(history, times, (steps, times) => {
        const { detector, nowMs } = after(steps);
        const atMs = [...times].sort((a, b) => a - b).map((silenceMs) => nowMs + silenceMs);
        let previous = 0;
        for (const ms of [...atMs, 1e12, 1e300, Number.POSITIVE_INFINITY]) {
          const suspicion = detector.suspicion(ms);
          expect(Number.isFinite(suspicion)).toBe(true);
          expect(suspicion).toBeGreaterThanOrEqual(previous);
          previous = suspicion;
        }
      }),
    );
  });

  it('suspects more when it is unavailable than while it was available', () => {
    fc.assert(
      fc.property(history, (steps) => {
        const { detector } = after(steps);
        const atMs = detector.unavailableAtMs();
        expect(detector.suspicion(atMs)).toBeGreaterThan(detector.suspicion(atMs - 1e-6));
      }),
    );
  });
}

function owesSanity<D extends FailureDetector>({ after }: Subject<D>): void {
  it('stays sane whatever the clock says', () => {
    fc.assert(
      fc.property(history, fc.array(fc.double(), { maxLength: 20 }), (steps, times) => {
        const { detector } = after(steps);
        for (const ms of times) {
          const suspicion = detector.suspicion(ms);
          expect(Number.isFinite(suspicion) && suspicion >= 0).toBe(true);
          detector.heartbeat(ms);
          detector.contact(-ms);
          detector.excuse(ms, -ms);
          expect(detector.unavailableAtMs()).not.toBeNaN();
          expect(Number.isFinite(detector.lastSignOfLifeMs)).toBe(true);
          expect(Object.values(detector.gaps).every((n) => Number.isFinite(n) && n >= 0)).toBe(
            true,
          );
        }
      }),
    );
  });

  it('ignores a heartbeat older than the latest, and one without a time', () => {
    const { detector, nowMs } = after(regular);
    const expected = [detector.unavailableAtMs(), detector.gaps, detector.suspicion(nowMs + 999)];
    for (const ms of [nowMs - 1, 0, -5, Number.NaN, Number.POSITIVE_INFINITY]) {
      detector.heartbeat(ms);
    }
    expect(detector.lastSignOfLifeMs).toBe(nowMs);
    expect([detector.unavailableAtMs(), detector.gaps, detector.suspicion(nowMs + 999)]).toEqual(
      expected,
    );
  });

  it('answers a question from before the latest heartbeat as if there were no silence', () => {
    const { detector, nowMs } = after(regular);
    expect(detector.suspicion(nowMs - 5_000)).toBe(detector.suspicion(nowMs));
    expect(detector.suspicion(Number.NaN)).toBe(detector.suspicion(nowMs));
    expect(detector.isAvailable(Number.NaN)).toBe(true);
  });
}

function owesRestraintInLearning<D extends FailureDetector>({ after }: Subject<D>): void {
  it('learns nothing from a heartbeat that is not to be learnt', () => {
    const { detector, nowMs } = after(regular);
    const { gaps } = detector;
    detector.heartbeat(nowMs + 250, false);
    expect(detector.lastSignOfLifeMs).toBe(nowMs + 250);
    expect(detector.gaps).toEqual(gaps);
  });

  it('learns from the next heartbeat as if a sign of life that is none had not come', () => {
    const { detector, nowMs } = after(regular);
    const twin = after(regular).detector;
    detector.contact(nowMs + 300);
    detector.contact(nowMs + 1_100);
    expect(detector.lastSignOfLifeMs).toBe(nowMs + 1_100);
    for (const each of [detector, twin]) each.heartbeat(nowMs + 1_300);
    expect(detector.gaps).toEqual(twin.gaps);
    expect(detector.unavailableAtMs()).toBe(twin.unavailableAtMs());
  });

  it('learns nothing from a gap that signs of life have kept going for longer than it tolerates', () => {
    const { detector, nowMs } = after(regular);
    const { gaps } = detector;
    const untilMs = detector.unavailableAtMs();
    for (let atMs = nowMs; atMs < untilMs; atMs += 500) detector.contact(atMs);
    detector.heartbeat(untilMs);
    expect(detector.gaps).toEqual(gaps);
  });

  it('learns nothing from a gap with a pause in it, however it went on', () => {
    const { detector, nowMs } = after(regular);
    const { gaps } = detector;
    detector.excuse(400, nowMs + 500);
    detector.contact(nowMs + 600);
    detector.heartbeat(nowMs + 1_200);
    expect(detector.gaps).toEqual(gaps);
  });

  it('hands out what it knows of the gaps as a value', () => {
    const { detector, nowMs } = after(regular);
    const { gaps } = detector;
    const copy = { ...gaps };
    detector.heartbeat(nowMs + 1_200);
    expect(gaps).toEqual(copy);
  });
}

function owesForgiveness<D extends FailureDetector>({ create, after }: Subject<D>): void {
  it('is available again after any sign of life, and monitors from it on', () => {
    const { detector } = after(regular);
    const atMs = detector.unavailableAtMs() + 10_000;
    detector.contact(atMs);
    expect(detector.isAvailable(atMs)).toBe(true);
    expect(detector.unavailableAtMs()).toBeGreaterThan(atMs);
    const fresh = create();
    fresh.contact(7);
    expect([fresh.isMonitoring, fresh.lastSignOfLifeMs]).toEqual([true, 7]);
  });

  it('is available again after a heartbeat', () => {
    const { detector } = after(regular);
    const atMs = detector.unavailableAtMs() + 10_000;
    detector.heartbeat(atMs);
    expect(detector.isAvailable(atMs)).toBe(true);
    expect(detector.suspicion(atMs)).toBeLessThan(1);
    expect(detector.unavailableAtMs()).toBeGreaterThan(atMs);
  });

  it('subtracts an excused pause from the silence, and only from this one', () => {
    fc.assert(
      fc.property(history, fc.double({ min: 1, max: 30_000, noNaN: true }), (steps, pauseMs) => {
        const { detector, nowMs } = after(steps);
        const twin = after(steps).detector;
        detector.excuse(pauseMs);
        expect(detector.unavailableAtMs()).toBeCloseTo(twin.unavailableAtMs() + pauseMs, 6);
        expect(detector.suspicion(nowMs + 2_000 + pauseMs)).toBeCloseTo(
          twin.suspicion(nowMs + 2_000),
          6,
        );
        const { gaps } = detector;
        detector.heartbeat(nowMs + pauseMs + 900);
        expect(detector.gaps).toEqual(gaps);
        twin.heartbeat(nowMs + pauseMs + 900, false);
        expect(detector.unavailableAtMs()).toBe(twin.unavailableAtMs());
      }),
    );
  });

  it('excuses no more than the silence has lasted, when told the time', () => {
    const { detector, nowMs } = after(regular);
    const atMs = detector.unavailableAtMs();
    detector.excuse(10_000, nowMs);
    expect(detector.unavailableAtMs()).toBe(atMs);
    detector.excuse(10_000, nowMs + 700);
    expect(detector.unavailableAtMs()).toBeCloseTo(atMs + 700, 6);
    expect(detector.suspicion(nowMs + 700)).toBe(detector.suspicion(nowMs));
  });

  it.each([0, -5, Number.NaN, Number.POSITIVE_INFINITY])('excuses nothing for %d ms', (ms) => {
    const { detector } = after(regular);
    const atMs = detector.unavailableAtMs();
    detector.excuse(ms);
    expect(detector.unavailableAtMs()).toBe(atMs);
  });

  it('excuses nothing before the first heartbeat', () => {
    const detector = create();
    detector.excuse(10_000);
    const twin = create();
    detector.heartbeat(0);
    twin.heartbeat(0);
    expect(detector.unavailableAtMs()).toBe(twin.unavailableAtMs());
  });
}

function owesItsWord<D extends FailureDetector>({ after }: Subject<D>, because: string): void {
  it(`owes nothing to heartbeats and excuses: ${because}`, () => {
    const { detector, nowMs } = after(regular);
    const atMs = detector.unavailableAtMs();
    detector.heartbeat(nowMs + 1);
    detector.excuse(500);
    expect(detector.unavailableAtMs()).toBe(atMs);
  });
}
