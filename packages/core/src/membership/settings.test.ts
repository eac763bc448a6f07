import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { PROFILES } from './profiles.js';
import { showDuration } from './setting.js';
import { agreedSettings, readSettings, settingRows } from './settings.js';
import { ClusterSettingsError } from './settings-error.js';

const problemOf = (given: unknown): ClusterSettingsError => {
  try {
    readSettings(given as Record<string, unknown>);
  } catch (error) {
    if (error instanceof ClusterSettingsError) return error;
    throw error;
  }
  throw new Error(`${JSON.stringify(given)} was taken`);
};

describe('the settings of a node that says nothing', () => {
  it('are those of a local network', () => {
    expect(readSettings()).toEqual(readSettings({ profile: 'lan' }));
    expect(readSettings()).toMatchObject({
      profile: 'lan',
      heartbeat: { interval: 1_000, rings: 5 },
      detector: { kind: 'phi-normal', threshold: 8, acceptablePause: 3_000, minStdDeviation: 100 },
      agreement: { observers: 2 },
      downing: { strategy: 'keep-majority', stableAfter: 20_000, unstableAfter: 15_000 },
      join: { seedTimeout: 5_000, batchWindow: 250, batchMax: 2_000 },
      gossip: { batchWindow: 5 },
      leave: { timeout: 10_000, linger: 5_000 },
      members: { min: 1, minPerRole: {} },
      limits: { joins: 64, guestLinks: 10 },
    });
  });

  it('are frozen, branches too', () => {
    const settings = readSettings({ members: { minPerRole: { worker: 2 } } });
    for (const each of [
      settings,
      settings.heartbeat,
      settings.members,
      settings.members.minPerRole,
    ])
      expect(Object.isFrozen(each)).toBe(true);
  });

  it.each(PROFILES)('differ by profile only in defaults: %s', (profile) => {
    const settings = readSettings({ profile });
    expect(settings.profile).toBe(profile);
    const own = readSettings({ profile, heartbeat: { interval: '700ms' } });
    expect(own.heartbeat.interval).toBe(700);
    const { stableAfter, unstableAfter } = settings.downing;
    expect(unstableAfter).toBe(0.75 * stableAfter);
  });
});

describe('the names that are promised', () => {
  const promised = [
    'heartbeat.interval',
    'heartbeat.rings',
    'detector.kind',
    'detector.threshold',
    'detector.acceptablePause',
    'detector.minStdDeviation',
    'detector.firstReply',
    'agreement.observers',
    'downing.strategy',
    'downing.stableAfter',
    'downing.role',
    ...[
      'downing.quorum',
      'downing.downIfAlone',
      'downing.unstableAfter',
      'join.seedTimeout',
      'join.retryAfter',
    ],
    'join.giveUpAfter',
    'join.batchWindow',
    'join.batchMax',
    'gossip.batchWindow',
    'leave.timeout',
    'leave.linger',
    'members.min',
    'limits.joins',
    'limits.guestLinks',
  ];

  it('are all there, each with a default, what it takes and what it does', () => {
    const rows = new Map(settingRows.map((row) => [row.name, row.setting]));
    expect(promised.filter((name) => !rows.has(name))).toEqual([]);
    for (const [name, setting] of rows) {
      expect([name, setting.takes, setting.about].every((text) => text.length > 3)).toBe(true);
      expect(setting.show(setting.default)).not.toBe('');
    }
  });

  it('take their own default back, as a value and as a person would write it', () => {
    for (const { name, setting } of settingRows) {
      // Static-quorum, which needs a number to go with it, is nobody's default.
      expect(setting.read(setting.default)).toEqual({ value: setting.default });
      const shown = setting.show(setting.default);
      if (shown !== '(none)') expect(setting.read(shown), name).toEqual({ value: setting.default });
    }
  });
});

describe('a tree of settings', () => {
  it('leaves unstableAfter at three quarters of stableAfter unless it is given', () => {
    expect(readSettings({ downing: { stableAfter: '8s' } }).downing.unstableAfter).toBe(6_000);
    const given = { downing: { stableAfter: '8s', unstableAfter: '1s' } };
    expect(readSettings(given).downing.unstableAfter).toBe(1_000);
  });

  it('may be nested, flat with dotted names, or both', () => {
    const nested = { downing: { stableAfter: '5s', strategy: 'manual' }, members: { min: 3 } };
    const flat = { 'downing.stableAfter': '5s', 'downing.strategy': 'manual', 'members.min': '3' };
    const both = {
      downing: { stableAfter: 5_000 },
      'downing.strategy': 'manual',
      members: { min: 3 },
    };
    expect(readSettings(flat)).toEqual(readSettings(nested));
    expect(readSettings(both)).toEqual(readSettings(nested));
  });

  it.each([
    [true, true],
    ['on', true],
    ['true', true],
    [false, false],
    ['off', false],
  ])('takes %j for on or off', (given, isOn) => {
    expect(readSettings({ downing: { downIfAlone: given } }).downing.downIfAlone).toBe(isOn);
  });

  it.each([
    ['250ms', 250],
    ['5s', 5_000],
    ['1.5s', 1_500],
    ['2m', 120_000],
    ['1h', 3_600_000],
    ['0.5h', 1_800_000],
    [' 7s ', 7_000],
    [800, 800],
  ])('reads the duration %j', (given, ms) => {
    expect(readSettings({ join: { giveUpAfter: given } }).join.giveUpAfter).toBe(ms);
  });

  it('leaves out what is undefined', () => {
    expect(readSettings({ heartbeat: { interval: undefined }, profile: 'wan' })).toEqual(
      readSettings({ profile: 'wan' }),
    );
  });

  it('takes a least number of members for any role', () => {
    const { minPerRole } = readSettings({
      members: { minPerRole: { worker: 2, 'a.b': '3' } },
    }).members;
    expect({ ...minPerRole }).toEqual({ worker: 2, 'a.b': 3 });
    expect(problemOf({ 'members.minPerRole.worker': -1 })).toMatchObject({
      setting: 'members.minPerRole.worker',
    });
  });
});

describe('a duration is shown', () => {
  it.each([
    [0, '0ms'],
    [1_500, '1500ms'],
    [90_000, '90s'],
    [600_000, '10m'],
    [3_600_000, '1h'],
    [86_400_000, '24h'],
    [5_400_000, '90m'],
  ])('%i ms as %s, and read back', (ms, text) => {
    expect(showDuration(ms)).toBe(text);
    const { setting } = settingRows.find(({ name }) => name === 'leave.linger') ?? {};
    if (ms <= 600_000) expect(setting?.read(text)).toEqual({ value: ms });
  });
});

describe('a setting that cannot be used', () => {
  const bad: readonly (readonly [name: string, value: unknown, says: string])[] = [
    [
      'heartbeat.interval',
      '500',
      'takes a duration from 20ms to 1m, not "500", which has no unit: 500ms?',
    ],
    [
      'heartbeat.interval',
      '5',
      'takes a duration from 20ms to 1m, not "5", which has no unit: 5s?',
    ],
    [
      'heartbeat.interval',
      '0',
      'takes a duration from 20ms to 1m, not "0", which has no unit: ms, s, m or h',
    ],
    [
      'heartbeat.interval',
      '5 sec',
      'takes a duration from 20ms to 1m, not "5 sec", written as a number and ms',
    ],
    ['join.giveUpAfter', '25h', 'takes a duration from 100ms to 24h, not "25h"'],
    ['heartbeat.interval', '5h', 'takes a duration'],
    ['heartbeat.interval', 19, 'takes a duration'],
    ['heartbeat.interval', Number.NaN, 'takes a duration'],
    ['heartbeat.interval', Number.POSITIVE_INFINITY, 'takes a duration'],
    ['heartbeat.interval', -1_000, 'takes a duration'],
    ['heartbeat.interval', null, 'takes a duration'],
    ['heartbeat.interval', true, 'takes a duration'],
    ['heartbeat.interval', {}, 'takes a duration'],
    ['heartbeat.interval', ['1s'], 'takes a duration'],
    ['heartbeat.interval', () => 5, 'takes a duration'],
    ['heartbeat.rings', 2.5, 'takes a whole number from 1 to 10, not 2.5'],
    ['heartbeat.rings', '', 'takes a whole number'],
    ['heartbeat.rings', 11, 'takes a whole number'],
    ['detector.threshold', 'high', 'takes a number from 0.1 to 100, not "high"'],
    ['detector.kind', 'phi', 'takes one of phi-normal, phi-exponential, deadline, swim, not "phi"'],
    ['downing.strategy', 'keep-minority', 'takes one of keep-majority,'],
    ['downing.role', 'two words', 'takes a word'],
    ['downing.role', 7, 'takes a word'],
    ['downing.downIfAlone', 'maybe', 'takes on or off, not "maybe"'],
    ['downing.downIfAlone', 1, 'takes on or off'],
    ['profile', 'moon', 'takes one of lan, wan, local, not "moon"'],
  ];

  it.each(bad)('is named: %s = %j', (name, value, says) => {
    const problem = problemOf({ [name]: value });
    expect(problem.setting).toBe(name);
    expect(problem.message).toContain(`${name} ${says}`);
  });

  it.each([
    ['downing.stabelAfter', 'downing.stableAfter'],
    ['heartbeat.intervall', 'heartbeat.interval'],
    ['detector.treshold', 'detector.threshold'],
    ['profil', 'profile'],
    ['members.minPerRoles.x', 'members.minPerRole.<role>'],
  ])('and unknown gets the nearest name: %s', (given, nearest) => {
    expect(problemOf({ [given]: 1 })).toMatchObject({
      setting: given,
      message: `there is no setting "${given}"; the nearest is ${nearest}`,
    });
  });

  it.each([
    ['downing', 5, 'downing.strategy and downing.stableAfter, instead of 5'],
    ['downing', null, 'downing.strategy and downing.stableAfter, instead of null'],
    ['members', 'many', 'members.min and members.minPerRole.<role>, instead of "many"'],
    ['members.minPerRole', 5, 'members.minPerRole.<role>, instead of 5'],
  ])('that is a group is said to be one: %s = %j', (name, value, some) => {
    expect(problemOf({ [name]: value })).toMatchObject({
      setting: name,
      message: `${name} is a group of settings: give some of them, such as ${some}`,
    });
  });

  it.each([null, 5, 'text', [], [{ profile: 'lan' }]])(
    'is the whole tree when it is %j',
    (tree) => {
      expect(problemOf(tree).message).toContain('settings must be an object of settings');
    },
  );

  it('is always told as a settings error, whatever is given', () => {
    const name = fc.constantFrom(
      ...settingRows.map((row) => row.name),
      'profile',
      'members',
      '__proto__',
    );
    fc.assert(
      fc.property(name, fc.anything({ withBigInt: true }), (key, value) => {
        try {
          readSettings({ [key]: value });
        } catch (error) {
          expect(error).toBeInstanceOf(ClusterSettingsError);
        }
      }),
      { numRuns: 2_000 },
    );
  });
});

describe('names that would reach into objects', () => {
  it.each([
    '{"__proto__": {"polluted": 1}}',
    '{"constructor": {"prototype": {"polluted": 1}}}',
    '{"heartbeat": {"__proto__": {"polluted": 1}}}',
    '{"heartbeat.__proto__": 1}',
    '{"profile": "__proto__"}',
    '{"toString": 1}',
  ])('are settings that do not exist: %s', (json) => {
    expect(problemOf(JSON.parse(json))).toBeInstanceOf(ClusterSettingsError);
    expect(Object.hasOwn(Object.prototype, 'polluted')).toBe(false);
  });

  it('are roles like any other', () => {
    const { minPerRole } = readSettings(
      JSON.parse('{"members": {"minPerRole": {"__proto__": 2, "constructor": 3}}}'),
    ).members;
    expect(Object.entries(minPerRole)).toEqual([
      ['__proto__', 2],
      ['constructor', 3],
    ]);
    expect(Object.getPrototypeOf(minPerRole)).toBeNull();
  });
});

describe('the settings that members must share', () => {
  const names = agreedSettings(readSettings()).map((pair) => pair.split('=')[0]);

  it('are what decisions read, and nothing else', () => {
    expect(names).toEqual([
      'agreement.observers',
      'detector.kind',
      'downing.downIfAlone',
      'downing.quorum',
      'downing.role',
      'downing.stableAfter',
      'downing.strategy',
      'downing.unstableAfter',
      'heartbeat.rings',
      'ring hash',
    ]);
  });

  it('are the same text for the same values, however those were written', () => {
    const one = readSettings({ downing: { stableAfter: '60s' } });
    const other = readSettings({ 'downing.stableAfter': 60_000, heartbeat: { interval: '2s' } });
    expect(agreedSettings(one)).toEqual(agreedSettings(other));
    expect(agreedSettings(one)).toContain('downing.stableAfter=1m');
    expect(agreedSettings(one)).not.toEqual(agreedSettings(readSettings()));
  });
});
