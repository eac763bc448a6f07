/** The adapter on real sockets: what HTTP lets a client do that a Request cannot express. */
import { once } from 'node:events';
import { connect } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { FakeCluster, member } from './fake-cluster.testing.js';
import { management } from './management.js';
import { type ManagementServer, serveManagement } from './serve.js';

let server: ManagementServer | undefined;
afterEach(async () => {
  await server?.close();
  server = undefined;
});

async function serve(cluster = new FakeCluster(), handler = management(cluster, { access })) {
  server = await serveManagement(handler, { host: '127.0.0.1', port: 0 });
  return { cluster, url: server.url, port: Number(new URL(server.url).port) };
}
const access = { write: true, loopback: true };

/** Raw bytes in, all that comes back until the socket closes out. */
async function raw(port: number, text: string): Promise<string> {
  const socket = connect(port, '127.0.0.1');
  let heard = '';
  socket.setEncoding('utf8').on('data', (chunk: string) => {
    heard += chunk;
  });
  socket.on('error', () => undefined);
  socket.write(text);
  await once(socket, 'close');
  return heard;
}

test('answers over HTTP what the function answers', async () => {
  const { url, cluster } = await serve();
  const response = await fetch(`${url}/cluster/members`);
  expect(response.headers.get('cache-control')).toBe('no-store');
  expect(await response.json()).toMatchObject({ members: [{}, {}, {}], leader: null });
  const body = new URLSearchParams({ operation: 'Down' });
  const down = await fetch(`${url}/cluster/members/127.0.0.1:7352`, { method: 'PUT', body });
  expect([down.status, cluster.calls.length]).toEqual([200, 1]);
});

const CLOSE = 'host: 127.0.0.1\r\nconnection: close\r\n\r\n';

test.each([
  ['not HTTP at all', 'hello\r\n\r\n', '400'],
  ['a method that no Request can hold', `TRACE /alive HTTP/1.1\r\n${CLOSE}`, '400'],
  [
    'a host that is no host',
    'GET /alive HTTP/1.1\r\nhost: a b\r\nconnection: close\r\n\r\n',
    '400',
  ],
  ['no host', 'GET /alive HTTP/1.1\r\nconnection: close\r\n\r\n', '400'],
  ['an old client', 'GET /alive HTTP/1.0\r\n\r\n', '200'],
  ['a path that looks like a host', `GET //evil.example/alive HTTP/1.1\r\n${CLOSE}`, '404'],
  ['a whole URL', `GET http://127.0.0.1/alive HTTP/1.1\r\n${CLOSE}`, '200'],
  ['the server as such', `OPTIONS * HTTP/1.1\r\n${CLOSE}`, '404'],
  ['headers without end', `GET /alive HTTP/1.1\r\nx: ${'x'.repeat(20_000)}\r\n\r\n`, '431'],
  [
    'a body where none belongs',
    `DELETE /alive HTTP/1.1\r\ncontent-length: 900000\r\n${CLOSE}x`,
    '405',
  ],
])('%s', async (_, text, status) => {
  const { port, url } = await serve();
  expect(await raw(port, text)).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
  expect((await fetch(`${url}/alive`)).status).toBe(200);
});

test('a body beyond the limit is answered, not awaited', async () => {
  const { port } = await serve();
  const head = `PUT /cluster/members/127.0.0.1:7352 HTTP/1.1\r\nhost: 127.0.0.1\r\n`;
  const type = 'content-type: application/x-www-form-urlencoded\r\ncontent-length: 9000000\r\n\r\n';
  expect(await raw(port, head + type + 'x'.repeat(20_000))).toMatch(/^HTTP\/1.1 413 /);
});

test('a client that goes frees its place among the subscribers', async () => {
  const { cluster, url } = await serve();
  const gone = new AbortController();
  const response = await fetch(`${url}/cluster/domain-events`, { signal: gone.signal });
  const reader = response.body?.getReader();
  await reader?.read();
  expect(cluster.events$.observed).toBe(true);
  gone.abort();
  await expect.poll(() => cluster.events$.observed).toBe(false);
});

test('a client that reads nothing is disconnected and holds up nobody', async () => {
  const { cluster, port } = await serve();
  const socket = connect(port, '127.0.0.1').on('error', () => undefined);
  socket.pause();
  socket.write('GET /cluster/domain-events HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n');
  await expect.poll(() => cluster.events$.observed).toBe(true);
  const big = { ...member(4), appVersion: 'x'.repeat(100_000) };
  for (let i = 0; i < 2_000 && cluster.events$.observed; i++) {
    cluster.events$.next({
      type: 'memberUp',
      member: big,
      previous: undefined,
      why: '',
      state: cluster.state,
    });
    if (i % 50 === 0) await new Promise((next) => setImmediate(next));
  }
  expect(cluster.events$.observed).toBe(false);
  socket.resume();
  await once(socket, 'close');
});

test('closing ends open streams', async () => {
  const { url } = await serve();
  const response = await fetch(`${url}/cluster/domain-events`);
  const ended = response.text().catch(() => 'broken');
  await server?.close();
  await ended;
});

test('closing lets an answer that is under way be heard', async () => {
  let answer: ((response: Response) => void) | undefined;
  const handler = () =>
    new Promise<Response>((resolve) => {
      answer = resolve;
    });
  const { url } = await serve(new FakeCluster(), handler);
  const asked = fetch(url);
  await expect.poll(() => answer).toBeDefined();
  const closing = server?.close();
  answer?.(Response.json({ message: 'Leaving' }));
  expect(await (await asked).json()).toEqual({ message: 'Leaving' });
  await closing;
});

test('an address in use is named', async () => {
  const { port } = await serve();
  const again = serveManagement(management(new FakeCluster()), { host: '127.0.0.1', port });
  await expect(again).rejects.toThrow(`127.0.0.1:${port}: something else listens there`);
});
