import { describe, expect, it } from 'vitest';
import { DeadlineDetector } from './deadline-detector.js';
import { DetectorSettingsError } from './detector-settings.js';
import { FailureDetectorRegistry, RegistryFullError } from './failure-detector-registry.js';
import { PhiNormalDetector } from './phi-normal-detector.js';

/** A registry of four-second deadlines, and the keys it made detectors for. */
function deadlines(limit = 10) {
  const made: string[] = [];
  const registry = new FailureDetectorRegistry<string>(
    (key) => {
      made.push(key);
      return new DeadlineDetector();
    },
    { limit },
  );
  return { registry, made };
}

describe('a registry of failure detectors', () => {
  it('knows nothing of a subject nobody spoke of', () => {
    const { registry, made } = deadlines();
    expect(registry.isAvailable('a', 1e9)).toBe(true);
    expect(registry.suspicion('a', 1e9)).toBe(0);
    expect(registry.isMonitoring('a')).toBe(false);
    expect(registry.isHeard('a')).toBe(false);
    expect(registry.get('a')).toBeUndefined();
    expect(registry.earliestUnavailableAtMs()).toBe(Number.POSITIVE_INFINITY);
    expect(made).toEqual([]);
  });

  it('makes one detector for each subject on its first heartbeat', () => {
    const { registry, made } = deadlines();
    for (const key of ['a', 'b', 'a']) registry.heartbeat(key, 0);
    registry.heartbeat('a', 3_000);
    expect(made).toEqual(['a', 'b']);
    expect(registry.keys()).toEqual(['a', 'b']);
    expect(registry.size).toBe(2);
    expect(registry.isAvailable('a', 5_000)).toBe(true);
    expect(registry.isAvailable('b', 5_000)).toBe(false);
    expect(registry.suspicion('b', 5_000)).toBe(10);
  });
});

describe('a subject that was dialled', () => {
  it('is convicted even if it was never heard', () => {
    const { registry } = deadlines();
    registry.expect('a', 100);
    expect(registry.isMonitoring('a')).toBe(true);
    expect(registry.isHeard('a')).toBe(false);
    expect(registry.earliestUnavailableAtMs()).toBe(4_100);
    expect(registry.isAvailable('a', 4_100)).toBe(false);
  });

  it('gets patience for a first reply in its first silence only', () => {
    const { registry } = deadlines();
    registry.expect('a', 0, 1_000);
    expect(registry.earliestUnavailableAtMs()).toBe(5_000);
    registry.heartbeat('a', 50);
    expect(registry.isHeard('a')).toBe(true);
    expect(registry.earliestUnavailableAtMs()).toBe(4_050);
  });

  it('gains nothing by being dialled again', () => {
    const { registry } = deadlines();
    registry.heartbeat('a', 0);
    registry.expect('a', 3_000);
    expect(registry.earliestUnavailableAtMs()).toBe(4_000);
  });

  it('does not take the time from dial to answer for a gap', () => {
    const registry = new FailureDetectorRegistry<string>(() => new PhiNormalDetector(), {
      limit: 1,
    });
    registry.expect('a', 0);
    registry.heartbeat('a', 20);
    expect(registry.get('a')?.gaps).toMatchObject({ count: 2, meanMs: 1_000 });
    registry.heartbeat('a', 1_020);
    expect(registry.get('a')?.gaps.count).toBe(3);
    registry.heartbeat('a', 1_100, false);
    expect(registry.get('a')?.gaps.count).toBe(3);
  });

  it('takes a sign of life that is no heartbeat for a first answer, and for no gap', () => {
    const registry = new FailureDetectorRegistry<string>(() => new PhiNormalDetector(), {
      limit: 2,
    });
    registry.expect('a', 0);
    for (const key of ['a', 'b']) {
      registry.contact(key, 20);
      expect(registry.isHeard(key)).toBe(true);
      registry.contact(key, 500);
      registry.heartbeat(key, 520);
      expect(registry.get(key)?.gaps).toMatchObject({ count: 2, meanMs: 1_000 });
      registry.heartbeat(key, 1_520);
      expect(registry.get(key)?.gaps).toMatchObject({ count: 3, meanMs: 1_000 });
    }
  });
});

describe('a registry with many subjects', () => {
  it('forgets a removed subject and begins afresh', () => {
    const { registry, made } = deadlines();
    registry.heartbeat('a', 0);
    expect(registry.remove('a')).toBe(true);
    expect(registry.remove('a')).toBe(false);
    expect(registry.isAvailable('a', 1e9)).toBe(true);
    registry.heartbeat('a', 10_000);
    expect(made).toEqual(['a', 'a']);
  });

  it('finds the next to become unavailable, on request past those that are', () => {
    const { registry } = deadlines();
    for (const [key, ms] of [['a', 0] as const, ['b', 500] as const, ['c', 200] as const]) {
      registry.heartbeat(key, ms);
    }
    expect(registry.earliestUnavailableAtMs()).toBe(4_000);
    expect(registry.earliestUnavailableAtMs(4_000)).toBe(4_200);
    expect(registry.earliestUnavailableAtMs(9_000)).toBe(Number.POSITIVE_INFINITY);
  });

  it('excuses a pause of the observer in every running silence', () => {
    const { registry } = deadlines();
    registry.heartbeat('a', 0);
    registry.heartbeat('b', 2_900);
    registry.excuse(2_000, 3_000);
    expect(registry.get('a')?.unavailableAtMs()).toBe(6_000);
    expect(registry.get('b')?.unavailableAtMs()).toBe(7_000);
  });
});

describe('a registry at its limits', () => {
  it('refuses one subject too many, says so, and is unchanged', () => {
    const { registry, made } = deadlines(2);
    registry.heartbeat('a', 0);
    registry.expect('b', 0);
    expect(() => registry.heartbeat('c', 0)).toThrow(RegistryFullError);
    expect(() => registry.expect('c', 0)).toThrow(
      'cannot watch c: the registry is at its limit of 2',
    );
    expect(registry.keys()).toEqual(['a', 'b']);
    expect(made).toEqual(['a', 'b']);
    registry.heartbeat('a', 1_000);
    registry.remove('b');
    registry.heartbeat('c', 0);
    expect(registry.keys()).toEqual(['a', 'c']);
  });

  it('ignores a time that is no time', () => {
    const { registry } = deadlines();
    registry.heartbeat('a', Number.NaN);
    registry.expect('a', Number.POSITIVE_INFINITY);
    expect(registry.size).toBe(0);
  });

  it.each([0, -1, 2.5, Number.NaN])('refuses a limit of %d', (limit) => {
    expect(() => deadlines(limit)).toThrow(DetectorSettingsError);
  });
});
