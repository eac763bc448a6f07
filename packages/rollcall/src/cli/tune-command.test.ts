import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type LinkView, readSettings } from '@rollcall/core';
import { afterAll, describe, expect, test } from 'vitest';
import { key } from '../fake-cluster.testing.js';
import { FakeWorld } from './fake-world.testing.js';
import { WIDTH } from './table.js';

const folder = mkdtempSync(join(tmpdir(), 'rollcall-tune-'));
afterAll(() => rmSync(folder, { recursive: true }));

function file(name: string, content: string): string {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
}

const AT = ['--management', 'http://127.0.0.1:8355'];

/** A second and a delay: exponential, without chance; one in a hundred heartbeats is lost if asked for. */
function delays(count: number, delayMs: number, isLossy = false): number[] {
  return Array.from({ length: count }, (_, i) => {
    const share = (((i * 7_919) % count) + 0.5) / count;
    const lateMs = -delayMs * Math.log(1 - share);
    return (
      Math.round(10 * (1_000 - delayMs + lateMs + (isLossy && i % 100 === 99 ? 1_000 : 0))) / 10
    );
  });
}

const small = file('gaps.csv', `gapMs\n${delays(400, 10, true).join('\n')}\n`);
const many = file('many.json', JSON.stringify(delays(100_000, 20)));
const few = file('few.csv', delays(60, 20).join('\n'));

async function tune(...args: string[]) {
  const world = new FakeWorld();
  const exitCode = await world.run('tune', ...args);
  return {
    exitCode,
    printed: world.printed.replaceAll(`${folder}/`, ''),
    complained: world.complained,
  };
}

const flat = (text: string) => text.replaceAll('\n', ' ');
/** The last paragraph, as one line. */
const advice = (printed: string) => flat(printed.trimEnd().split('\n\n').at(-1) ?? '');

describe('from a file', () => {
  test('three tables and a paragraph, which fit a screen', async () => {
    const { exitCode, printed } = await tune('--file', small);
    expect(exitCode).toBe(0);
    for (const line of printed.split('\n')) expect(line.length).toBeLessThanOrEqual(WIDTH);
    await expect(printed).toMatchFileSnapshot('testdata/tune.txt');
  });

  test('says when these can hardly be gaps between heartbeats of that interval', async () => {
    const fast = file('fast.json', JSON.stringify(delays(400, 10).map((ms) => ms / 10)));
    const { printed } = await tune('--file', fast);
    expect(flat(printed)).toContain(
      'heartbeat.interval is 1s, and these gaps are 100 ms on average: if heartbeats were sent that often, --set heartbeat.interval=100ms says so.',
    );
    const told = await tune('--file', fast, '--set', 'heartbeat.interval=100ms');
    expect(told.printed).not.toContain('these gaps are');
  });

  test('lines fit with as many and as long pauses as may be given', async () => {
    const pauses = ['--pauses', '101500ms,102500ms,103500ms,104500ms,105500ms,106500ms,107500ms'];
    const { printed } = await tune('--file', small, ...pauses);
    for (const line of printed.split('\n')) expect(line.length).toBeLessThanOrEqual(WIDTH);
  });

  test('enough gaps: what is quicker is recommended, and how far it is extrapolated is said', async () => {
    const { printed } = await tune('--file', many);
    expect(advice(printed)).toMatch(
      /^Take detector\.threshold=8 with detector\.acceptablePause=1s\./,
    );
    expect(advice(printed)).toContain('the longest of 100,000 gaps was 1.22 s');
    expect(advice(printed)).toContain('no more unevenly than an exponential tail');
    expect(advice(printed)).toContain(
      'cannot rule out that one longer than all of them comes 946 times',
    );
  });

  test('too few gaps: no number is made up', async () => {
    const { printed } = await tune('--file', few);
    expect(printed).not.toContain('Mistakes a year, expected');
    expect(advice(printed)).toMatch(/^No recommendation: 60 gaps are too few/);
    expect(advice(printed)).toContain('1,580,000 times a year (rule of three, 95 %)');
    const { costs, advice: given } = JSON.parse((await tune('--file', few, '--json')).printed);
    expect(given).toMatchObject({ kind: 'tooFew' });
    expect(costs.every((cost: object) => !('mistakesPerYear' in cost))).toBe(true);
  });

  test('--json has every figure in full', async () => {
    const { printed } = await tune('--file', small, '--json', '--within', '5s');
    const value = JSON.parse(printed);
    expect(value).toMatchObject({
      detector: { kind: 'phi-normal', threshold: 8, acceptablePauseMs: 3_000, intervalMs: 1_000 },
      gaps: { count: 400 },
      messagesPerSecond: 10,
      goal: { mistakesPerYear: 1, detectionTimeMs: 5_000 },
      tail: { lost: { firstLump: 2 } },
      advice: { kind: expect.any(String) },
    });
    expect(value.costs).toHaveLength(60);
    expect(value.costs[0]).toMatchObject({ threshold: 3, acceptablePauseMs: 1_000 });
  });

  test.each([
    ['phi-exponential', 'ANY PAUSE', '18.6 s'],
    ['deadline', 'ANY THRESHOLD  3.00 s', '4.00 s *'],
  ])('%s has one choice less', async (kind, shown, now) => {
    const { printed } = await tune('--file', small, '--set', `detector.kind=${kind}`);
    expect(printed).toContain(shown);
    expect(printed).toContain(now);
  });

  test('other settings', async () => {
    const set = ['--set', 'heartbeat.interval=500ms', '--set', 'heartbeat.rings=3'];
    const { printed } = await tune('--file', small, ...set, '--pauses', '2s, 500ms');
    expect(flat(printed)).toContain('A heartbeat each 500ms is up to 12 messages a second');
    expect(printed).toMatch(/^THRESHOLD \\ PAUSE {2}500ms {3}2s$/m);
  });

  test('a goal that nothing meets', async () => {
    const { printed } = await tune('--file', small, '--within', '2s');
    expect(advice(printed)).toMatch(/^No recommendation: nothing here convicts within 2\.00 s\./);
    const strict = await tune('--file', small, '--within', '3s', '--mistakes', '0.001');
    expect(advice(strict.printed)).toMatch(
      /^No recommendation: nothing here meets the goal of 0\.001/,
    );
  });
});

describe('from a node', () => {
  const qos = {
    detectionTimeMs: 4_522.6,
    mistakes: 1,
    mistakeMs: 900,
    observedMs: 7_200_000,
    setAside: 0,
    mistakeRecurrenceMs: 7_200_000,
    mistakeDurationMs: 900,
    queryAccuracy: 0.999875,
  };
  const link = (n: number): LinkView => ({
    observer: key(1),
    subject: key(n),
    connected: true,
    reachable: true,
    broken: false,
    heldForMs: undefined,
    phi: 0,
    silenceMs: 500,
    meanMs: 1_000,
    deviationMs: 10 * n,
    samples: 1_000,
    qos,
  });

  function worldWithLinks() {
    const world = new FakeWorld();
    world.cluster.links = [link(2), link(3)];
    world.cluster.gaps = [2, 3].map((n) => {
      const longestMs = delays(7_200, 10 * n)
        .sort((a, b) => b - a)
        .slice(0, 64);
      return { subject: key(n), count: 7_200, longestMs };
    });
    return world;
  }

  test('all its links together', async () => {
    const world = worldWithLinks();
    expect(await world.run('tune', ...AT)).toBe(0);
    expect(world.printed).toContain(
      '2 links of ws://127.0.0.1:7351: 14,400 gaps, 1.00 s ± 25.5 ms',
    );
    expect(flat(world.printed)).toContain('2 mistakes in 4.00 h of observing.');
    expect(world.printed).toContain('is 2 messages a second from each node');
    expect(advice(world.printed)).toMatch(
      /^Keep detector\.threshold=8 with detector\.acceptablePause=3s/,
    );
  });

  test.each(['127.0.0.1:7353', 'ws://127.0.0.1:7353/'])('one of them: %s', async (name) => {
    const world = worldWithLinks();
    expect(await world.run('tune', ...AT, '--link', name)).toBe(0);
    expect(world.printed).toContain('7,200 gaps, 1.00 s ± 30.0 ms');
  });

  const given = { 'peers.ws://127.0.0.1:7353.acceptablePause': '20s' };

  test('one with settings of its own: by these, and named as they are', async () => {
    const world = worldWithLinks();
    world.cluster.settings = readSettings(given);
    expect(await world.run('tune', ...AT, '--link', '127.0.0.1:7353')).toBe(0);
    expect(world.printed).toContain(
      'Now phi-normal, threshold 8, acceptable pause 20s: T_D 21.5 s',
    );
    expect(advice(world.printed)).toMatch(
      /^Keep peers\.ws:\/\/127\.0\.0\.1:7353\.threshold=8 with peers\.ws:\/\/127\.0\.0\.1:7353\.acceptablePause=20s:/,
    );
  });

  test('of the others the settings of all: what is set for one link says nothing there', async () => {
    const world = worldWithLinks();
    world.cluster.settings = readSettings(given);
    expect(await world.run('tune', ...AT)).toBe(0);
    expect(flat(world.printed)).toContain(
      '1 link of ws://127.0.0.1:7351, without 1 that has settings of its own: 7,200 gaps, 1.00 s ± 20.0 ms',
    );
    expect(world.printed).toContain('acceptable pause 3s');
    expect(world.printed).toContain('is 2 messages a second from each node');
    const each = { ...given, 'peers.ws://127.0.0.1:7352.threshold': 9 };
    world.cluster.settings = readSettings(each);
    expect(await world.run('tune', ...AT)).toBe(2);
    expect(world.complained).toContain('--link: ws://127.0.0.1:7352, ws://127.0.0.1:7353');
  });

  test('its saved answer is as good', async () => {
    const world = worldWithLinks();
    const response = await world.fetch('http://127.0.0.1:8355/cluster/links?gaps=64');
    const saved = file('links.json', await response.text());
    await world.run('tune', ...AT);
    const { printed } = await tune('--file', saved);
    expect(printed).toBe(world.printed);
  });

  test('one that observes nobody, or does not say, is one sentence and exit 1', async () => {
    const world = new FakeWorld();
    expect(await world.run('tune', ...AT)).toBe(1);
    expect(world.complained).toContain('has no gaps to read: it observes nobody');
    const silent = new FakeWorld();
    silent.cluster.links = [link(2)];
    expect(await silent.run('tune', ...AT)).toBe(1);
    expect(silent.complained).toContain('has heard nobody twice yet');
  });

  test('a link that there is not is exit 2, with those that there are', async () => {
    const world = worldWithLinks();
    expect(await world.run('tune', ...AT, '--link', '127.0.0.1:1')).toBe(2);
    expect(world.complained).toContain('it observes ws://127.0.0.1:7352, ws://127.0.0.1:7353');
  });
});

describe('arguments that cannot be used are exit 2, and named', () => {
  test.each<[string, string[], string]>([
    ['nothing', [], '--file FILE'],
    ['both', ['--file', small, ...AT], 'only one of them'],
    ['no such file', ['--file', join(folder, 'none.csv')], 'there is no such file'],
    ['settings of a running node', [...AT, '--set', 'detector.threshold=3'], '--set goes with'],
    ['a link in a file', ['--file', small, '--link', 'x'], '--link goes with a node'],
    ['a pause without its unit', ['--file', small, '--pauses', '3'], '--pauses takes a duration'],
    [
      'a pause below an interval',
      ['--file', small, '--pauses', '500ms'],
      'heartbeat.interval (1s)',
    ],
    ['too many pauses', ['--file', small, '--pauses', '1s,2s,3s,4s,5s,6s,7s,8s'], '7 at most'],
    ['no goal', ['--file', small, '--mistakes', '0'], '--mistakes takes a number above 0'],
    ['a goal in words', ['--file', small, '--mistakes', 'few'], '--mistakes takes a number'],
    ['a bound without its unit', ['--file', small, '--within', '5'], '--within takes a duration'],
    ['a setting that is none', ['--file', small, '--set', 'detector.kin=x'], 'detector.kind'],
  ])('%s', async (_, args, named) => {
    const { exitCode, printed, complained } = await tune(...args);
    expect([exitCode, printed]).toEqual([2, '']);
    expect(complained).toContain(named);
    expect(complained).toContain('`rollcall tune --help` shows what it takes, with an example.');
  });
});

test('the help has examples, and its lines fit', async () => {
  const { exitCode, printed } = await tune('--help');
  expect(exitCode).toBe(0);
  expect(printed).toMatch(/Examples:/);
  const [, after = ''] = printed.split('Examples:');
  for (const line of after.split('\n')) expect(line.length).toBeLessThanOrEqual(106);
});
