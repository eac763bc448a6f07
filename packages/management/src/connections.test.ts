/** What clients do that say, read or close nothing: on real sockets, with limits that a test can reach. */
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import type { Logger } from '@rollcall/core';
import { afterEach, expect, test } from 'vitest';
import { FakeCluster } from './fake-cluster.testing.js';
import { management } from './management.js';
import { LIMITS, type ManagementServer, type ServerLimits, serveWithin } from './serve.js';

let server: ManagementServer | undefined;
let sockets: Socket[] = [];
afterEach(async () => {
  for (const each of sockets) each.destroy();
  sockets = [];
  await server?.close();
  server = undefined;
});

const SUBSCRIBERS = { subscribers: 2, queued: 8, keepAliveMs: 10_000 };

async function serve(limits: Partial<ServerLimits>, logger?: Logger) {
  const cluster = new FakeCluster();
  const access = { write: true, loopback: true };
  const handler = management(cluster, {
    access,
    eventStreams: SUBSCRIBERS,
    ...(logger && { logger }),
  });
  server = await serveWithin({ ...LIMITS, ...limits }, handler, { host: '127.0.0.1', port: 0 });
  return { cluster, url: server.url, port: Number(new URL(server.url).port) };
}

/** Sends this much and no more, reads nothing and never closes its half. */
async function silent(port: number, text = ''): Promise<Socket> {
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
  socket.on('error', () => undefined);
  sockets.push(socket);
  await once(socket, 'connect');
  if (text !== '') socket.write(text);
  return socket;
}

const isAlive = (url: string) =>
  fetch(`${url}/alive`, {
    signal: AbortSignal.timeout(2_000),
    headers: { connection: 'close' },
  }).then(
    ({ status }) => status === 200,
    () => false,
  );

const HOST = 'host: 127.0.0.1\r\n';
const FORM = 'content-type: application/x-www-form-urlencoded\r\n';
const ONE = '/cluster/members/127.0.0.1:7352';
const cases: [string, string][] = [
  ['nothing', ''],
  ['half a header', 'GET /alive HTTP/1.1\r\nhost'],
  ['nonsense', 'hello\r\n\r\n'],
  ['a request, and then nothing', `GET /alive HTTP/1.1\r\n${HOST}\r\n`],
  ['half a body', `PUT ${ONE} HTTP/1.1\r\n${HOST}${FORM}content-length: 20\r\n\r\noperation`],
];

test.each(cases)('at the limit those go that sent %s', async (_, text) => {
  const { url, port } = await serve({ connections: 4 });
  for (let i = 0; i < 4; i++) await silent(port, text);
  expect(await isAlive(url)).toBe(true);
});

test.each(cases)('in time the server lets go of one that sent %s', async (_, text) => {
  const quick = { headersMs: 100, requestMs: 100, keepAliveMs: 100, checkMs: 50 };
  const { port } = await serve({ ...quick, lastAnswersMs: 50 });
  const accepted: Socket[] = [];
  const note = (message: unknown) => accepted.push((message as { socket: Socket }).socket);
  subscribe('net.server.socket', note);
  await silent(port, text);
  const letGo = () => accepted.map((each) => each.destroyed);
  await expect.poll(letGo, { timeout: 3_000 }).toEqual([true]);
  unsubscribe('net.server.socket', note);
});

test('one on which nothing moves while it is answered is let go of', async () => {
  const { port, cluster } = await serve({ stalledMs: 100 });
  const socket = await silent(port, `GET /cluster/domain-events HTTP/1.1\r\n${HOST}\r\n`);
  await expect.poll(() => cluster.events$.observed).toBe(true);
  await expect.poll(() => cluster.events$.observed).toBe(false);
  socket.resume();
  await once(socket, 'end');
});

test('what is being answered keeps its place', async () => {
  const { cluster, url, port } = await serve({ connections: 3 });
  const stream = await fetch(`${url}/cluster/domain-events`);
  for (let i = 0; i < 6; i++) await silent(port);
  expect(await isAlive(url)).toBe(true);
  cluster.events$.complete();
  expect(await stream.text()).toContain('event: CurrentClusterState');
});

test('a newcomer is turned away when all the places are of those who are being answered', async () => {
  const { cluster, url } = await serve({ connections: 2 });
  const streams = [await fetch(`${url}/cluster/domain-events`)];
  streams.push(await fetch(`${url}/cluster/domain-events`));
  expect(await isAlive(url)).toBe(false);
  cluster.events$.complete();
  for (const each of streams) await each.text();
  expect(await isAlive(url)).toBe(true);
});

test('one that is slow is told so', async () => {
  const { port } = await serve({ headersMs: 100, requestMs: 100, checkMs: 50 });
  const socket = await silent(port);
  const [heard] = await once(socket.setEncoding('utf8'), 'data');
  expect(heard).toMatch(/^HTTP\/1.1 408 /);
});

test('a subscriber beyond the limit keeps no place', async () => {
  const { port, url } = await serve({});
  for (let i = 0; i < SUBSCRIBERS.subscribers; i++) await fetch(`${url}/cluster/domain-events`);
  const socket = await silent(port, `GET /cluster/domain-events HTTP/1.1\r\n${HOST}\r\n`);
  let heard = '';
  socket.setEncoding('utf8').on('data', (chunk: string) => {
    heard += chunk;
  });
  await once(socket, 'end');
  expect(heard).toMatch(/^HTTP\/1.1 503 .*connection: close\r\n/is);
}, 3_000);

test('a client that hangs up in the middle of a body is no failure of this node', async () => {
  const lines: string[] = [];
  const log = (_: object, message: string) => lines.push(message);
  const logger: Logger = { debug() {}, info: log, warn: log, error: log };
  const { port, url, cluster } = await serve({}, logger);
  const [, half = ''] = cases.at(-1) ?? [];
  const socket = await silent(port, half);
  await new Promise((next) => setTimeout(next, 50));
  socket.resetAndDestroy();
  (await silent(port, half)).end();
  await new Promise((next) => setTimeout(next, 100));
  expect(await isAlive(url)).toBe(true);
  expect([lines, cluster.calls]).toEqual([[], []]);
});
