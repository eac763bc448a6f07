import { createFailureDetector } from '@rollcall/failure-detector';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { detectorSettings } from './detector-registry.js';
import type { Settings } from './setting-table.js';
import { readSettings } from './settings.js';
import { ClusterSettingsError } from './settings-error.js';

interface Given {
  readonly kind: Settings['detector']['kind'];
  readonly interval: number;
  readonly acceptablePause: number;
  readonly threshold: number;
  readonly minStdDeviation: number;
  readonly firstReply: number;
}

const given: fc.Arbitrary<Given> = fc.record({
  kind: fc.constantFrom('phi-normal', 'phi-exponential', 'deadline'),
  interval: fc.integer({ min: 20, max: 60_000 }),
  acceptablePause: fc.integer({ min: 0, max: 120_000 }),
  threshold: fc.oneof(
    fc.double({ min: 0.1, max: 2, noNaN: true }),
    fc.double({ min: 2, max: 100, noNaN: true }),
  ),
  minStdDeviation: fc.integer({ min: 1, max: 60_000 }),
  firstReply: fc.integer({ min: 10, max: 60_000 }),
});

const read = ({ interval, ...detector }: Given): Settings =>
  readSettings({ heartbeat: { interval }, detector });

function refusal(what: Given): ClusterSettingsError | undefined {
  try {
    read(what);
    return undefined;
  } catch (error) {
    if (error instanceof ClusterSettingsError) return error;
    throw error;
  }
}

describe('settings of detection', () => {
  it('are refused by a message that names both, with their values', () => {
    fc.assert(
      fc.property(given, (what) => {
        const error = refusal(what);
        if (error === undefined) return;
        const named = error.message.match(/\b(?:heartbeat|detector)\.[a-zA-Z]+\b/g) ?? [];
        expect(new Set(named).size).toBeGreaterThanOrEqual(2);
        expect(named).toContain(error.setting);
        expect(error.message).toMatch(/\(\d[\d.e-]*(?:ms|s|m|h)?\)/);
      }),
      { numRuns: 2_000 },
    );
  });

  it('that are accepted forgive one lost heartbeat, of a member as of one never heard yet', () => {
    fc.assert(
      fc.property(given, (what) => {
        if (refusal(what) !== undefined) return;
        const { interval, firstReply } = what;
        const known = createFailureDetector(detectorSettings(read(what)));
        for (let beat = 0; beat <= 1_100; beat++) known.heartbeat(beat * interval);
        const lastMs = known.lastSignOfLifeMs ?? 0;
        expect(known.isAvailable(lastMs + 2 * interval - 1)).toBe(true);
        // However short `detector.firstReply` is: it is added to the first estimate.
        const expected = createFailureDetector(detectorSettings(read(what)));
        expected.heartbeat(0, false);
        expected.excuse(firstReply);
        expect(expected.isAvailable(2 * interval - 1)).toBe(true);
      }),
      { numRuns: 300 },
    );
  });

  const usual: Given = {
    kind: 'phi-normal',
    interval: 1_000,
    acceptablePause: 3_000,
    threshold: 8,
    minStdDeviation: 100,
    firstReply: 1_000,
  };

  it.each<[Partial<Given>, string]>([
    [
      { threshold: 0.5 },
      'detector.threshold (0.5) is reached 0.478 deviations after the mean gap and detector.acceptablePause have passed, ' +
        '47.8 ms at detector.minStdDeviation (100ms): that is inside one deviation, where a gap ends by ordinary ' +
        'scatter; one deviation is a threshold of 0.8, and 8 is usual',
    ],
    [
      { kind: 'phi-exponential', threshold: 0.5 },
      'detector.threshold (0.5) is reached after 1.15 gaps, 1150 ms at heartbeat.interval (1s): after one lost heartbeat ' +
        'the next comes 2s after the last, so a healthy member would be convicted again and again; 0.87 is just ' +
        'enough for one, and 8 is usual',
    ],
    [
      { acceptablePause: 900 },
      'detector.acceptablePause (900ms) is shorter than heartbeat.interval (1s): one lost heartbeat would convict a healthy member',
    ],
  ])('%j', (change, message) => {
    expect(refusal({ ...usual, ...change })?.message).toBe(message);
  });

  it.each<[Partial<Given>, Partial<Given>]>([
    [{ threshold: 0.79 }, { threshold: 0.8 }],
    [
      { kind: 'phi-exponential', threshold: 0.86 },
      { kind: 'phi-exponential', threshold: 0.87 },
    ],
    [{ acceptablePause: 999 }, { acceptablePause: 1_000 }],
  ])('what the message offers works: not %j, but %j', (bad, good) => {
    expect(refusal({ ...usual, ...bad })).toBeDefined();
    expect(refusal({ ...usual, ...good })).toBeUndefined();
  });
});
