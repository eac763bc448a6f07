import type { Member, NodeKey } from '@rollcall/convergence';
import { describe, expect, it, test } from 'vitest';
import { decode, encode } from './codec.js';
import {
  CHARACTERS_MAX,
  isUniqueAddress,
  isWord,
  KEY_BYTES_MAX,
  ROLES_MAX,
} from './member-facts.js';
import { memberBytesMax } from './setting-combinations.js';
import { readSettings } from './settings.js';
import { ClusterSettingsError } from './settings-error.js';

const problemOf = (given: Record<string, unknown>): ClusterSettingsError => {
  try {
    readSettings(given);
  } catch (error) {
    if (error instanceof ClusterSettingsError) return error;
    throw error;
  }
  throw new Error(`${JSON.stringify(given)} was taken`);
};

/** As long as addresses get: their host has letters of several bytes. */
const longest = (i: number): NodeKey => {
  const tail = `:65535#${String(i).padStart(16, '0')}`;
  const host = 'ö'.repeat((KEY_BYTES_MAX - 'wss://'.length - tail.length) / 2);
  return `wss://${host}${tail}`;
};

const word = (i: number): string => String(i).padStart(CHARACTERS_MAX, 'x');

test.each([1, 5, 10])('a member at all its limits takes what is reckoned: %i rings', (rings) => {
  const settings = readSettings({ heartbeat: { rings } });
  const neighbours = Array.from({ length: 2 * rings }, (_, i) => longest(100 + i));
  const largest = (i: number): Member => ({
    key: longest(i),
    status: 'Up',
    upNumber: 2 ** 52,
    row: {
      version: 2 ** 52,
      unreachable: neighbours,
      unwell: true,
      cutOff: true,
      leases: ['0'.repeat(32), '1'.repeat(32)],
    },
    roles: Array.from({ length: ROLES_MAX }, (_, role) => word(role)),
    appVersion: word(0),
  });
  const sizeOf = (count: number): number => {
    const put = Array.from({ length: count }, (_, i) => largest(i));
    const patch = {
      base: '0'.repeat(32),
      digest: '0'.repeat(32),
      clusterId: longest(0),
      epoch: 2 ** 52,
      removed: put.map(({ key }) => key),
      put,
      drop: [],
      buckets: [],
    };
    const welcome = { kind: 'welcome', token: '0'.repeat(16), patch } as const;
    const bytes = encode(welcome);
    expect(decode(bytes)).toEqual(welcome);
    return bytes.length;
  };
  expect(isUniqueAddress(longest(1)) && isWord(word(1))).toBe(true);
  const each = memberBytesMax(settings);
  const [one, many] = [sizeOf(1), sizeOf(41)];
  expect((many - one) / 40).toBeLessThanOrEqual(each);
  expect((many - one) / 40).toBeGreaterThan(0.98 * each);
  expect(one - each).toBeLessThanOrEqual(512);
});

describe('settings that cannot work together', () => {
  it.each([
    ['downing.quorum', { downing: { strategy: 'static-quorum' } }],
    ['detector.acceptablePause', { detector: { acceptablePause: '900ms' } }],
    ['limits.frameBytes', { limits: { members: 50_000 } }],
    ['limits.frameBytes', { limits: { members: 2, frameBytes: 16_384 } }],
    ['limits.guestLinks', { limits: { guestLinks: 0 } }],
    ['limits.reconnectMax', { limits: { reconnectMin: '5s', reconnectMax: '1s' } }],
    ['damping.holdDownMax', { damping: { holdDownMax: '29999ms' } }],
    [
      'limits.framesPerSecond',
      { heartbeat: { interval: '20ms' }, limits: { framesPerSecond: 10 } },
    ],
    [
      'limits.framesPerSecond',
      { detector: { probeRepeat: '10ms' }, limits: { framesPerSecond: 100 } },
    ],
  ])('name %s', (setting, given) => {
    expect(problemOf(given)).toMatchObject({ setting });
  });

  it('say what would do: frames', () => {
    const given = { members: 100, frameBytes: 200_000 };
    const { message } = problemOf({ limits: given });
    const [, needed, fewer] =
      /, (\d+) in all; set limits\.frameBytes to that, or limits\.members to (\d+)$/.exec(
        message,
      ) ?? [];
    const larger = { ...given, frameBytes: Number(needed) };
    const smaller = { ...given, members: Number(fewer) };
    expect(readSettings({ limits: larger }).limits).toMatchObject(larger);
    expect(readSettings({ limits: smaller }).limits).toMatchObject(smaller);
    for (const over of [
      { ...larger, frameBytes: larger.frameBytes - 1 },
      { ...smaller, members: smaller.members + 1 },
    ])
      expect(problemOf({ limits: over }).setting).toBe('limits.frameBytes');
  });

  it('say what would do: the longest hold-down', () => {
    const damping = (holdDown: string, holdDownMax: string) => ({
      damping: { holdDown, holdDownMax },
    });
    expect(problemOf(damping('1m', '30s')).message).toBe(
      'damping.holdDownMax (30s) is below damping.holdDown (1m); set damping.holdDownMax to 1m or more, or damping.holdDown to 30s or less',
    );
    for (const [holdDown, longest] of [
      ['1m', '1m'],
      ['30s', '30s'],
      ['0ms', '0ms'],
      ['0ms', '10m'],
    ] as const)
      expect(readSettings(damping(holdDown, longest)).damping.turns).toBe(3);
  });

  it('say what would do: frames a second', () => {
    const rate = (framesPerSecond: number, interval: string, detector = {}) => ({
      heartbeat: { interval },
      limits: { framesPerSecond },
      detector,
    });
    const taken = (...given: Parameters<typeof rate>) =>
      readSettings(rate(...given)).limits.framesPerSecond;
    expect(problemOf(rate(99, '20ms')).message).toBe(
      'limits.framesPerSecond (99) is too small: at heartbeat.interval (20ms) each link carries 50 heartbeats a second, ' +
        'and as much again is needed for all else, 100 in all; a link above the limit is closed; ' +
        'set limits.framesPerSecond to 100 at least',
    );
    expect(taken(100, '20ms')).toBe(100);
    expect(problemOf(rate(11, '200ms')).message).toContain(
      'carries 5 heartbeats a second, and a member that is silent is asked 6.67 times a second besides, ' +
        'at detector.probeRepeat (150ms), 12 in all',
    );
    expect(taken(12, '200ms')).toBe(12);
    expect(taken(10, '200ms', { indirectProbes: 0 })).toBe(10);
    expect(taken(10, '1s')).toBe(10);
  });

  it('say what would do: a deadline that one lost heartbeat misses', () => {
    const deadline = (acceptablePause: string) => ({
      detector: { kind: 'deadline', acceptablePause },
      heartbeat: { interval: '1s' },
    });
    expect(problemOf(deadline('1s')).message).toBe(
      'detector.acceptablePause (1s) is no longer than heartbeat.interval (1s): the deadline is the sum of both, 2s, ' +
        'and after one lost heartbeat the next comes 2s after the last, so a healthy member would be suspected ' +
        'again and again; three intervals (3s) are a good pause',
    );
    expect(problemOf(deadline('900ms')).message).toContain('(900ms) is shorter than');
    expect(readSettings(deadline('1001ms')).detector.acceptablePause).toBe(1_001);
    expect(readSettings({ detector: { acceptablePause: '1s' } }).detector.kind).toBe('phi-normal');
  });
});
