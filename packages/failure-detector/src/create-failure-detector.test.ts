import { describe, expect, it } from 'vitest';
import { createFailureDetector, type DetectorSettings } from './create-failure-detector.js';
import { DeadlineDetector } from './deadline-detector.js';
import { DetectorSettingsError } from './detector-settings.js';
import { PhiExponentialDetector } from './phi-exponential-detector.js';
import { PhiNormalDetector } from './phi-normal-detector.js';

describe('a detector from settings', () => {
  it.each([
    ['phi-normal', PhiNormalDetector],
    ['phi-exponential', PhiExponentialDetector],
    ['deadline', DeadlineDetector],
  ] as const)('%s', (kind, type) => {
    expect(createFailureDetector({ kind })).toBeInstanceOf(type);
  });

  it('is phi-normal by default', () => {
    expect(createFailureDetector()).toBeInstanceOf(PhiNormalDetector);
  });

  it('passes the options on', () => {
    const detector = createFailureDetector({
      kind: 'deadline',
      intervalMs: 1,
      acceptablePauseMs: 2,
    });
    detector.heartbeat(10);
    expect(detector.unavailableAtMs()).toBe(13);
  });

  it('takes an option that is undefined as left out', () => {
    const detector = createFailureDetector({ kind: 'phi-normal', threshold: undefined });
    expect((detector as PhiNormalDetector).threshold).toBe(8);
  });

  const bad = [Number.NaN, -1, Number.POSITIVE_INFINITY];
  const refused: [DetectorSettings['kind'], string, number[]][] = [
    ['phi-normal', 'threshold', [...bad, 0, 1_001]],
    ['phi-normal', 'maxSamples', [...bad, 0, 1.5]],
    ['phi-normal', 'minStdDeviationMs', [...bad, 0]],
    ['phi-normal', 'acceptablePauseMs', bad],
    ['phi-normal', 'firstIntervalMs', [...bad, 0]],
    ['phi-exponential', 'threshold', [...bad, 0]],
    ['phi-exponential', 'maxSamples', [...bad, 0, 1e7]],
    ['phi-exponential', 'firstIntervalMs', [...bad, 0]],
    ['phi-exponential', 'longestGapMs', [...bad, 0]],
    ['phi-exponential', 'minMeanMs', [...bad, 0]],
    ['deadline', 'threshold', [...bad, 0]],
    ['deadline', 'intervalMs', [...bad, 0]],
    ['deadline', 'acceptablePauseMs', bad],
  ];
  it.each(
    refused.flatMap(([kind, setting, values]) =>
      values.map((value) => [kind, setting, value] as const),
    ),
  )('%s refuses %s %d, by name', (kind, setting, value) => {
    const make = () => createFailureDetector({ kind, [setting]: value } as DetectorSettings);
    expect(make).toThrow(DetectorSettingsError);
    expect(make).toThrow(expect.objectContaining({ setting }));
    expect(make).toThrow(`${setting} must be `);
  });

  it('refuses a kind it does not know', () => {
    const settings = { kind: 'crystal-ball' } as unknown as DetectorSettings;
    expect(() => createFailureDetector(settings)).toThrow(
      'kind must be phi-normal, phi-exponential or deadline, not crystal-ball',
    );
  });
});
