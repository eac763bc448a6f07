import { createServer } from 'node:http';
import { expect, test } from 'vitest';
import { FakeWorld } from './fake-world.testing.js';

test.each([
  'ftp://127.0.0.1:8355',
  'ws://127.0.0.1:7355',
  'file:///members',
  'http://me:hush@127.0.0.1:99999',
  'me:hush@127.0.0.1:99999',
  'ftp://me:hush@127.0.0.1:8355',
])('%s is no URL of a node: exit 2', async (url) => {
  const world = new FakeWorld();
  expect(await world.run('members', '--management', url)).toBe(2);
  expect(world.complained).toContain('--management takes');
  expect(world.complained).not.toContain('hush');
});

test('user and password are neither sent nor shown', async () => {
  const world = new FakeWorld();
  let asked = '';
  world.answer(async ({ url }) => {
    asked = url;
    throw new TypeError('fetch failed', { cause: { code: 'ECONNREFUSED' } });
  });
  expect(await world.run('members', '--management', 'http://me:hush@127.0.0.1:8355')).toBe(1);
  expect(asked).toBe('http://127.0.0.1:8355/cluster/members');
  expect(world.complained).toContain('nobody answers at http://127.0.0.1:8355:');
});

test('https:// where nobody speaks TLS is one sentence', async () => {
  const server = createServer();
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  const { port } = server.address() as { port: number };
  const world = new FakeWorld();
  world.fetch = globalThis.fetch;
  try {
    expect(await world.run('members', '--management', `https://127.0.0.1:${port}`)).toBe(1);
  } finally {
    server.close();
  }
  expect(world.complained).toContain('does not speak TLS');
  expect(world.complained.trim().split('\n')).toHaveLength(1);
});

test('a port that fetch never uses is one sentence', async () => {
  const world = new FakeWorld();
  world.fetch = globalThis.fetch;
  expect(await world.run('members', '--management', '127.0.0.1:6000')).toBe(1);
  expect(world.complained).toContain('HTTP clients never use this port');
});

test.each(['leave', 'down'])('%s of nobody says what is missing, and asks nobody', async (name) => {
  const world = new FakeWorld();
  const at = ['--management', 'http://127.0.0.1:8355'];
  expect(await world.run(name, '', ...at)).toBe(2);
  expect(world.complained).toContain('NODE is missing');
  expect(world.cluster.calls).toEqual([]);
});
