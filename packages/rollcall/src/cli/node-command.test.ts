import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ClusterError, type Ending, type Logger, settingRows } from '@rollcall/core';
import { afterAll, describe, expect, test } from 'vitest';
import { address, member } from '../fake-cluster.testing.js';
import { logMembership } from '../membership-log.js';
import { FakeWorld } from './fake-world.testing.js';

const folder = mkdtempSync(join(tmpdir(), 'rollcall-'));
afterAll(() => rmSync(folder, { recursive: true }));

function file(name: string, text: string): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}

const NODE = [
  'node',
  '--name',
  'demo',
  '--listen',
  'ws://127.0.0.1:7351',
  '--seed',
  'ws://127.0.0.1:7351',
];

describe('how a run ended is the exit code, and the last line of the log', () => {
  test.each<[Ending['reason'], number]>([
    ['left', 0],
    ['stopped', 1],
    ['failed', 1],
    ['removed', 3],
    ['minority', 3],
    ['notQuorate', 3],
    ['toldToGo', 3],
    ['refused', 4],
    ['gaveUp', 4],
  ])('%s is %i', async (reason, exitCode) => {
    const world = new FakeWorld();
    const run = world.run(...NODE);
    world.cluster.end(reason, 'because of this');
    expect(await run).toBe(exitCode);
    const level = exitCode === 0 ? 'info' : 'error';
    expect(world.logged.at(-1)).toMatchObject({
      level,
      reason,
      exitCode,
      message: 'because of this',
    });
  });

  test('its end is told once, and what came before as it came', async () => {
    const world = new FakeWorld();
    const { startNode, cluster } = world;
    world.startNode = async (options) => {
      const started = await startNode(options);
      logMembership(started, options.logger as Logger);
      return started;
    };
    const run = world.run(...NODE);
    await expect.poll(() => world.cluster.calls).toContain('up');
    cluster.say('memberLeft', member(1, { status: 'leaving' }), 'this node was told to leave');
    const why = 'left the cluster';
    cluster.events$.next({ type: 'selfRemoved', reason: 'left', why, state: cluster.state });
    cluster.end('left', why);
    expect(await run).toBe(0);
    expect(world.logged.slice(-2)).toEqual([
      expect.objectContaining({
        event: 'memberLeft',
        message: `${address(1)} is leaving (this node was told to leave)`,
      }),
      { level: 'info', event: 'ended', reason: 'left', exitCode: 0, message: why },
    ]);
  });

  test('a refusal is logged with who refused', async () => {
    const world = new FakeWorld();
    const { cluster } = world;
    const run = world.run(...NODE);
    await expect.poll(() => cluster.events$.observed).toBe(true);
    const refusal = { code: 'clusterName' as const, message: 'another name', by: address(2) };
    cluster.events$.next({ type: 'joinRefused', refusal, state: cluster.state });
    cluster.end('refused', 'refused by ws://127.0.0.1:7352');
    expect(await run).toBe(4);
    expect(world.logged.at(-1)).toMatchObject({ refusals: [refusal], exitCode: 4 });
  });

  test.each([
    ['badSetting', 2],
    ['cannotListen', 1],
  ] as const)('a node that could not start with %s is %i', async (code, exitCode) => {
    const world = new FakeWorld();
    world.startFails = new ClusterError(code, 'ws://127.0.0.1:7351 is in use');
    expect(await world.run(...NODE)).toBe(exitCode);
    expect(world.logged.at(-1)?.message).toContain('ws://127.0.0.1:7351 is in use');
  });
});

describe('signals', () => {
  test('the first leaves, and that is exit 0', async () => {
    const world = new FakeWorld();
    const run = world.run(...NODE);
    await expect.poll(() => world.cluster.calls).toContain('up');
    world.signal();
    expect(await run).toBe(0);
    expect(world.cluster.calls).toContain('leave self');
    expect(world.hears).toBe(false);
  });

  test('the second ends it at once with exit 1', async () => {
    const world = new FakeWorld();
    world.cluster.leaves = false;
    const run = world.run(...NODE);
    await expect.poll(() => world.cluster.calls).toContain('up');
    world.signal();
    world.signal('SIGINT');
    expect(world.exits).toEqual([1]);
    world.cluster.end('left');
    await run;
  });

  test('one that comes while the node starts is not lost', async () => {
    const world = new FakeWorld();
    const { startNode } = world;
    world.startNode = (options) => {
      world.signal();
      return startNode(options);
    };
    expect(await world.run(...NODE)).toBe(0);
  });

  test('one that comes before anything is ready is exit 0, and no node is started', async () => {
    const world = new FakeWorld();
    const { createLogger } = world;
    world.createLogger = (level) => {
      world.signal();
      return createLogger(level);
    };
    expect(await world.run(...NODE)).toBe(0);
    expect(world.started).toBeUndefined();
    expect(world.hears).toBe(false);
  });
});

describe('what a node is started with', () => {
  test('every flag', async () => {
    const world = new FakeWorld();
    world.cluster.end('left');
    const secret = file('secret', 'open sesame\n');
    const more = [
      '--role',
      'api',
      '--role',
      'worker',
      '--app-version',
      '1.2.3',
      '--secret-file',
      secret,
    ];
    const where = ['--advertise', 'ws://10.0.0.5:7351', '--seed', 'ws://10.0.0.1:7351'];
    expect(await world.run(...NODE, ...more, ...where)).toBe(0);
    expect(world.started).toMatchObject({
      name: 'demo',
      listen: 'ws://127.0.0.1:7351',
      advertise: 'ws://10.0.0.5:7351',
      seeds: ['ws://127.0.0.1:7351', 'ws://10.0.0.1:7351'],
      roles: ['api', 'worker'],
      appVersion: '1.2.3',
      secret: 'open sesame',
    });
  });

  test('--set wins over --config wins over the profile, however the file is written', async () => {
    const nested = {
      profile: 'local',
      downing: { stableAfter: '7s' },
      heartbeat: { interval: '2s' },
    };
    const tree = { 'heartbeat.interval': '3s', ...nested, 'detector.acceptablePause': '9s' };
    const config = file('settings.json', JSON.stringify(tree));
    const world = new FakeWorld();
    await world.run(
      'node',
      '--print-settings',
      '--config',
      config,
      '--set',
      'heartbeat.interval=4s',
    );
    const value = (name: string) => new RegExp(`^${name} +(\\S+)`, 'm').exec(world.printed)?.[1];
    expect(value('heartbeat.interval')).toBe('4s');
    expect(value('downing.stableAfter')).toBe('7s');
    expect(value('detector.acceptablePause')).toBe('9s');
    expect(value('profile')).toBe('local');
  });

  test.each([
    ['not JSON', '{', 'is not JSON'],
    ['no object', '[]', 'object of settings'],
    ['an unknown setting', '{"heartbeat":{"intervall":1}}', 'heartbeat.interval'],
  ])('a file of settings that is %s is exit 2', async (_, text, said) => {
    const world = new FakeWorld();
    expect(await world.run(...NODE, '--config', file('bad.json', text))).toBe(2);
    expect(world.complained).toContain(said);
  });

  test('a file of settings may begin with a byte order mark', async () => {
    const config = file('bom.json', '\ufeff{"heartbeat":{"interval":"3s"}}');
    const world = new FakeWorld();
    expect(await world.run('node', '--print-settings', '--config', config)).toBe(0);
    expect(world.printed).toMatch(/^heartbeat\.interval +3s/m);
  });

  test('settings that are nested without end are exit 2', async () => {
    const depth = 100_000;
    const config = file('deep.json', `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`);
    const world = new FakeWorld();
    expect(await world.run(...NODE, '--config', config)).toBe(2);
    expect(world.complained).toContain('nested too deep');
  });
});

describe('--print-settings', () => {
  test('shows every setting with value, default, range and purpose, and starts nothing', async () => {
    const world = new FakeWorld();
    expect(await world.run('node', '--print-settings', '--set', 'members.minPerRole.api=2')).toBe(
      0,
    );
    expect(world.started).toBeUndefined();
    expect(world.printed).toMatch(
      /^downing\.stableAfter +20s +20s +a duration from 100ms to 1h\n {4}unreachable .* downed/m,
    );
    expect(world.printed).toMatch(/^members\.minPerRole\.api +2 /m);
    expect(world.printed).toMatch(/^profile +lan +lan +one of lan, wan, local/m);
    for (const { name } of settingRows) expect(world.printed).toContain(`\n${name} `);
  });

  test('fits a screen, and a value that is wider than its column moves its own line only', async () => {
    const print = async (...args: string[]) => {
      const world = new FakeWorld();
      await world.run('node', '--print-settings', ...args);
      return world.printed;
    };
    const plain = await print();
    expect(Math.max(...plain.split('\n').map((line) => line.length))).toBeLessThanOrEqual(100);
    const role = 'r'.repeat(64);
    const wide = await print('--set', `downing.role=${role}`);
    const isOther = (line: string) => !line.startsWith('downing.role ');
    expect(wide).toContain(`downing.role                  ${role}  (none)`);
    expect(
      Math.max(
        ...wide
          .split('\n')
          .filter(isOther)
          .map((line) => line.length),
      ),
    ).toBeLessThan(101);
  });
});

describe('management', () => {
  test('is there before the node, and shows the node once it is', async () => {
    const world = new FakeWorld();
    const { startNode } = world;
    let early: Response | undefined;
    let port = 0;
    world.startNode = async (options) => {
      early = await fetch(`http://127.0.0.1:${port}/startup`);
      return startNode(options);
    };
    port = await freePort();
    const run = world.run(...NODE, '--management', `127.0.0.1:${port}`);
    await expect.poll(() => world.cluster.calls).toContain('up');
    expect(early?.status).toBe(503);
    const late = await fetch(`http://127.0.0.1:${port}/startup`);
    expect([late.status, late.headers.get('content-type')]).toEqual([
      200,
      expect.stringContaining('json'),
    ]);
    const write = await fetch(`http://127.0.0.1:${port}/cluster/members/127.0.0.1:7352`, {
      method: 'DELETE',
    });
    expect(write.status).toBe(405);
    world.signal();
    expect(await run).toBe(0);
    await expect(fetch(`http://127.0.0.1:${port}/startup`)).rejects.toThrow();
  });

  test('that cannot listen is exit 1, names the address, and starts no node', async () => {
    const world = new FakeWorld();
    const port = await freePort();
    const first = world.run(...NODE, '--management', `127.0.0.1:${port}`);
    await expect.poll(() => world.cluster.calls).toContain('up');
    const second = new FakeWorld();
    expect(await second.run(...NODE, '--management', `127.0.0.1:${port}`)).toBe(1);
    expect(second.logged.at(-1)?.message).toContain(`127.0.0.1:${port}`);
    expect(second.started).toBeUndefined();
    world.signal();
    await first;
  });
});

/** Below those that operating systems give to whoever asks for any. */
async function freePort(): Promise<number> {
  const { createServer } = await import('node:net');
  for (;;) {
    const port = 18_000 + Math.floor(Math.random() * 14_000);
    const server = createServer();
    const isFree = await new Promise<boolean>((settled) => {
      server.once('error', () => settled(false));
      server.listen(port, '127.0.0.1', () => settled(true));
    });
    await new Promise((closed) => server.close(closed));
    if (isFree) return port;
  }
}
