import { readSettings } from '@rollcall/core';
import { describe, expect, test } from 'vitest';
import { address, key, member, stateOf } from '../fake-cluster.testing.js';
import { FakeWorld } from './fake-world.testing.js';

const NODE = [
  'node',
  '--name',
  'demo',
  '--listen',
  'ws://127.0.0.1:7351',
  '--seed',
  'ws://127.0.0.1:7351',
];
const AT = ['--management', 'http://127.0.0.1:8355'];

describe('arguments that cannot be used are exit 2, and named', () => {
  test.each<[string, string[], string]>([
    ['an unknown flag', [...NODE, '--lisen', 'x'], '--listen'],
    ['an unknown command', ['membrs'], 'members'],
    ['a flag without its value', ['node', '--name'], '--name'],
    ['no name', ['node', '--listen', 'ws://127.0.0.1:1', '--seed', 'ws://127.0.0.1:1'], '--name'],
    ['no listen', ['node', '--name', 'demo', '--seed', 'ws://127.0.0.1:1'], '--listen'],
    [
      'no seed',
      ['node', '--name', 'demo', '--listen', 'ws://127.0.0.1:7351'],
      '--seed ws://127.0.0.1:7351',
    ],
    ['a level that is none', [...NODE, '--log-level', 'loud'], 'warn'],
    ['an unknown setting', [...NODE, '--set', 'downing.stableAftr=5s'], 'downing.stableAfter'],
    ['a setting out of range', [...NODE, '--set', 'detector.threshold=0'], 'detector.threshold'],
    ['a setting without a value', [...NODE, '--set', 'detector.threshold'], '--set'],
    ['a missing file', [...NODE, '--config', 'no-such-file.json'], '--config no-such-file.json'],
    ['a management address that is none', [...NODE, '--management', 'here'], '--management'],
    ['writing without management', [...NODE, '--management-write'], '--management HOST:PORT'],
    [
      'writing beyond loopback',
      [...NODE, '--management', '0.0.0.0:1', '--management-write'],
      '--management-token-file',
    ],
    ['half of TLS', [...NODE, '--tls-cert', 'x.pem'], '--tls-key'],
    ['no node to ask', ['members'], '--management'],
    ['a URL that is none', ['members', '--management', 'http://'], '--management'],
    ['nobody to down', ['down', ...AT], 'node'],
  ])('%s', async (_, args, named) => {
    const world = new FakeWorld();
    expect(await world.run(...args)).toBe(2);
    expect(world.complained).toContain(named);
    expect(world.printed).toBe('');
    expect(world.started).toBeUndefined();
  });

  test.each([
    [[...NODE, '--lisen', 'x'], 'rollcall node --help'],
    [[...NODE, '--set', 'x'], 'rollcall node --help'],
    [['members'], 'rollcall members --help'],
    [['down', ...AT], 'rollcall down --help'],
    [['down', '', ...AT], 'rollcall down --help'],
    [['simulate', '--seed', 'x'], 'rollcall simulate --help'],
    [['study', 'loss', '--cases', 'tea'], 'rollcall study loss --help'],
    [['study', 'loss', '--case', '50'], 'rollcall study loss --help'],
    [['study', 'los'], 'rollcall study --help'],
    [['membrs'], 'rollcall COMMAND --help'],
  ])('%j names where to read on', async (args, hint) => {
    const world = new FakeWorld();
    await world.run(...args);
    expect(world.complained).toContain(`\`${hint}\` shows what it takes, with an example.`);
  });

  test.each<[string[], string]>([
    [['--profile', 'local'], '(profile is a setting: --set profile=local)'],
    [['--profile=local'], '(profile is a setting: --set profile=local)'],
    [['--profile'], '--set profile=VALUE'],
    [['--downing.stableAfter', '5s'], '--set downing.stableAfter=5s'],
    [['--members.minPerRole.worker', '--role', 'x'], '--set members.minPerRole.worker=VALUE'],
  ])('a setting as a flag: %j is shown as it is given', async (flags, meant) => {
    const world = new FakeWorld();
    expect(await world.run(...NODE, ...flags)).toBe(2);
    expect(world.complained).toContain(`error: unknown option '${flags[0]}'`);
    expect(world.complained).toContain(meant);
    expect(world.complained).not.toContain('Did you mean');
  });

  test.each([
    ['0.0.0.0', 'ws://0.0.0.0:7351'],
    ['::', 'ws://[::]:7351'],
    ['a long way to write it', 'ws://[0:0:0:0:0:0:0:0]:7351'],
  ])('listening on %s without advertise', async (_, listen) => {
    const world = new FakeWorld();
    const args = ['node', '--name', 'demo', '--listen', listen, '--seed', 'ws://10.0.0.1:7351'];
    expect(await world.run(...args)).toBe(2);
    expect(world.complained).toContain('advertise');
    expect(await new FakeWorld().run(...args, '--advertise', 'ws://0.0.0.0:7351')).toBe(2);
    const ended = new FakeWorld();
    ended.cluster.end('left');
    expect(await ended.run(...args, '--advertise', 'ws://10.0.0.5:7351')).toBe(0);
  });

  test('no command at all shows the help, as a mistake', async () => {
    const world = new FakeWorld();
    expect(await world.run()).toBe(2);
    expect(world.complained).toContain('Usage: rollcall');
  });
});

describe('help', () => {
  test.each([
    [[]],
    [['node']],
    [['members']],
    [['watch']],
    [['blockers']],
    [['links']],
    [['tune']],
    [['leave']],
    [['down']],
  ])('%j has an example and is exit 0', async (command) => {
    const world = new FakeWorld();
    expect(await world.run(...command, '--help')).toBe(0);
    expect(world.printed).toMatch(/Examples?[:,]/);
    expect(world.printed).toContain(`rollcall ${command[0] ?? 'node'}`);
  });

  test('shows the commands that there are', async () => {
    const world = new FakeWorld();
    await world.run('--help');
    const listed = [...world.printed.matchAll(/^ {2}([a-z]+) .*$/gm)].map(([, name]) => name);
    expect(listed).toEqual(
      expect.arrayContaining([
        'node',
        'members',
        'watch',
        'blockers',
        'links',
        'tune',
        'leave',
        'down',
      ]),
    );
  });

  test('the version', async () => {
    const world = new FakeWorld();
    expect([await world.run('--version'), world.printed]).toEqual([0, '9.9.9\n']);
  });
});

describe('asking a node', () => {
  test('members, as a table', async () => {
    const world = new FakeWorld();
    expect(await world.run('members', ...AT)).toBe(0);
    expect(world.printed).toBe(
      [
        'NODE                   STATUS  REACHABILITY  ROLES  APP VERSION  AGE ORDER',
        'ws://127.0.0.1:7351 *  Up      reachable     -      1.0.0        0 (oldest)',
        'ws://127.0.0.1:7352    Up      reachable     -      1.0.0        1',
        '',
        '2 members, 2 Up, none unreachable. All have seen this state (digest 01234567). Seen from ws://127.0.0.1:7351 (*).',
        '',
      ].join('\n'),
    );
  });

  test('whoever gave no version has none in the table', async () => {
    const world = new FakeWorld();
    const given = ['0.0.0', '', '0.0.0-rc.1'];
    const members = given.map((appVersion, i) => member(i + 1, { appVersion }));
    world.cluster.state = stateOf(...members);
    await world.run('members', ...AT);
    const shown = [...world.printed.matchAll(/reachable +- +(\S+) +\d/g)].map(([, each]) => each);
    expect(shown).toEqual(['-', '-', '0.0.0-rc.1']);
  });

  test('--json prints the answer as it is', async () => {
    const world = new FakeWorld();
    await world.run('members', '--json', ...AT);
    const answer = await world.fetch('http://127.0.0.1:8355/cluster/members');
    expect(world.printed).toBe(await answer.text());
  });

  test('blockers, as sentences with what would help', async () => {
    const world = new FakeWorld();
    await world.run('blockers', ...AT);
    expect(world.printed).toMatch(/^Nothing is in the way/);
    world.printed = '';
    world.cluster.blockers$.next([
      { kind: 'unreachable', nodes: [], by: [], text: 'It is gone.', resolve: 'Bring it back.' },
    ]);
    await world.run('blockers', ...AT);
    expect(world.printed).toBe('It is gone.\n  Bring it back.\n');
  });

  test('links, with what their verdicts were worth', async () => {
    const world = new FakeWorld();
    expect(await world.run('links', ...AT)).toBe(0);
    expect(world.printed).toBe('ws://127.0.0.1:7351 observes nobody.\n');
    const standing = { connected: true, broken: false, heldForMs: undefined };
    const figures = { ...standing, meanMs: 1_000, deviationMs: 20, samples: 90 };
    const counted = { mistakes: 0, mistakeMs: 0, setAside: 0, queryAccuracy: 1 };
    const quiet = { mistakeRecurrenceMs: undefined, mistakeDurationMs: undefined };
    const link = { observer: key(1), ...figures, phi: 0.25, silenceMs: 700, reachable: true };
    const qos = { detectionTimeMs: 4_522.6, observedMs: 90_000, ...counted, ...quiet };
    const mistaken = { mistakes: 2, mistakeMs: 4_000, queryAccuracy: 0.999999 };
    const means = { mistakeRecurrenceMs: 7_200_000, mistakeDurationMs: 2_000 };
    world.cluster.links = [
      { ...link, subject: key(2), qos },
      {
        ...link,
        subject: key(3),
        reachable: false,
        phi: 12.5,
        silenceMs: undefined,
        qos: { ...qos, ...mistaken, ...means, detectionTimeMs: undefined, observedMs: 14_400_000 },
      },
    ];
    world.printed = '';
    await world.run('links', ...AT);
    const [head, first, second, ...rest] = world.printed.split('\n');
    const cells = (line = '') => line.split(/ {2,}/);
    expect([cells(head), cells(first), cells(second)]).toEqual([
      ['TO', 'VERDICT', 'PHI', 'SILENCE', 'T_D', 'MISTAKES', 'T_MR', 'T_M', 'P_A', 'OBSERVED'],
      [address(2), 'available', '0.3', '700 ms', '4.52 s', '0', '-', '-', '1', '90.0 s'],
      [address(3), 'convicted', '12.5', '-', '-', '2', '2.00 h', '2.00 s', '0.99999', '4.00 h'],
    ]);
    expect(rest.join(' ')).toContain(`Observed by ${address(1)} with phi-normal, threshold 8.`);
    for (const line of world.printed.split('\n')) expect(line.length).toBeLessThanOrEqual(100);
    expect(world.printed).not.toContain('its own');
    const own = { [`peers.${address(3)}.acceptablePause`]: '20s' };
    world.cluster.settings = readSettings(own);
    await world.run('links', ...AT);
    expect(world.printed).toContain(
      `\n${address(3)} has its own: threshold 8, acceptable pause 20.0 s.\n`,
    );
    expect(world.printed.replaceAll('\n', ' ')).toContain('`rollcall tune` says what other');
    world.cluster.settings = readSettings({ 'detector.kind': 'swim' });
    world.printed = '';
    await world.run('links', ...AT);
    const bySwim = world.printed.replaceAll('\n', ' ');
    expect(bySwim).toMatch(/ with swim\. .* phi is shown, and convicts nobody\./);
    expect(bySwim).not.toContain('rollcall tune');
  });

  test('leave and down, by address', async () => {
    const world = new FakeWorld();
    expect(await world.run('leave', '127.0.0.1:7352', ...AT)).toBe(0);
    expect(await world.run('down', 'ws://127.0.0.1:7352', ...AT)).toBe(0);
    expect(world.cluster.calls).toEqual([
      'leave ws://127.0.0.1:7352#uid2',
      'down ws://127.0.0.1:7352#uid2',
    ]);
    expect(world.printed).toBe('Leaving ws://127.0.0.1:7352\nDowning ws://127.0.0.1:7352\n');
  });

  test('http:// may be left out', async () => {
    expect(await new FakeWorld().run('members', '--management', '127.0.0.1:8355')).toBe(0);
  });

  test.each<[string, () => Promise<Response>, string]>([
    [
      'nobody there',
      () => Promise.reject(new TypeError('fetch failed', { cause: { code: 'ECONNREFUSED' } })),
      'the connection is refused',
    ],
    ['something else there', async () => new Response('<html>'), 'not a Rollcall node'],
    [
      'something else that says no',
      async () => new Response('nope', { status: 404 }),
      'not a Rollcall node',
    ],
    [
      'an unknown member',
      async () => Response.json({ message: 'no member is known' }, { status: 404 }),
      'answers 404: no member is known',
    ],
    [
      'writing is off',
      async () => Response.json({ message: 'start it with --management-write' }, { status: 405 }),
      '--management-write',
    ],
    [
      'a lost quorum',
      async () => Response.json({ message: 'no quorum without x' }, { status: 409 }),
      'answers 409: no quorum without x',
    ],
  ])('%s is one sentence and exit 1', async (_, handler, said) => {
    const world = new FakeWorld();
    world.answer(handler);
    expect(await world.run('down', '127.0.0.1:7352', ...AT)).toBe(1);
    expect(world.complained).toContain(said);
    expect(world.complained.trim().split('\n')).toHaveLength(1);
    expect(world.printed).toBe('');
  });
});
