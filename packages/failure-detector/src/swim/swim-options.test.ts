import { describe, expect, it } from 'vitest';
import { DetectorSettingsError } from '../detector-settings.js';
import { SWIM_PROFILES, SWIM_VARIANTS, type SwimOptions, swimOptions } from './swim-options.js';

describe('the profiles', () => {
  it("are memberlist's numbers", () => {
    const numbers = Object.values(SWIM_PROFILES).map((profile) => [
      profile.probeIntervalMs,
      profile.probeTimeoutMs,
      profile.helpers,
      profile.suspicionMult,
      profile.suspicionMaxMult,
      profile.retransmitMult,
      profile.gossipIntervalMs,
      profile.gossipFanout,
      profile.gossipToDeadMs,
      profile.syncIntervalMs,
      profile.healthMax,
    ]);
    expect(numbers).toEqual([
      [1_000, 500, 3, 4, 6, 4, 200, 3, 30_000, 30_000, 7],
      [5_000, 3_000, 3, 6, 6, 4, 500, 4, 60_000, 60_000, 7],
      [1_000, 200, 1, 3, 6, 2, 100, 3, 15_000, 15_000, 7],
    ]);
  });

  it('pass their own checks, with every variant', () => {
    for (const profile of ['lan', 'wan', 'local'] as const) {
      for (const variant of Object.values(SWIM_VARIANTS)) {
        expect(swimOptions(profile, variant)).toMatchObject(variant);
      }
    }
  });
});

describe('what cannot be meant', () => {
  it.each<[keyof SwimOptions, unknown]>([
    ['probeIntervalMs', 0],
    ['probeTimeoutMs', 1_000],
    ['helpers', -1],
    ['helpers', 1.5],
    ['suspicionMult', 0],
    ['gossipToDeadMs', Number.POSITIVE_INFINITY],
    ['graceMs', Number.NaN],
    ['cadence', 'sometimes'],
    ['onFailure', 'panic'],
    ['healthMax', 1e9],
    ['updatesPerPacket', 0],
    ['nackAfterMs', 500],
  ])('%s = %s is refused by name', (name, value) => {
    const read = () => swimOptions('lan', { [name]: value });
    expect(read).toThrow(DetectorSettingsError);
    expect(read).toThrow(new RegExp(`^${name} `));
  });

  it('a nack that comes when the probe has ended says when it would come, and a wait that would do', () => {
    const wan = { nackAfterMs: 2_400 };
    expect(() => swimOptions('wan', wan)).toThrow(
      'nackAfterMs with probeTimeoutMs must be below probeIntervalMs: 3000 + 2400 = 5400 is not below 5000, so every nack would ' +
        'come when the probe has ended, and whoever probes a dead member would take itself for unwell; three quarters of ' +
        'what the timeout leaves (1500) are a good wait',
    );
    expect(() => swimOptions('wan', { nackAfterMs: 2_000 })).toThrow('3000 + 2000 = 5000');
    expect(swimOptions('wan', { nackAfterMs: 1_999 }).nackAfterMs).toBe(1_999);
    for (const unused of [{ nacks: false }, { helpers: 0 }]) {
      expect(swimOptions('wan', wan, unused)).toMatchObject({ ...wan, ...unused });
    }
  });
});
