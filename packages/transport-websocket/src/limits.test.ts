/** Each limit at a live transport: what breaks it is told so and closed, and nobody else feels it. */
import { connect, type Socket } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import { RawPeer } from './raw-peer.testing.js';
import {
  linked,
  post,
  systemClock,
  type TestNode,
  type TestNodeOptions,
  TestNodes,
  until,
} from './test-node.testing.js';

const nodes = new TestNodes();
const sockets: Socket[] = [];
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  await nodes.close();
});

const rawHello = (node: TestNode, uid = 'raw') => ({
  ...node.hello,
  self: `ws://127.0.0.1:1#${uid}`,
});
const start = (settings: TestNodeOptions['settings'] = {}) => nodes.start({ settings });

/** A TCP connection that says `text` and no more. */
function tcp(
  node: TestNode,
  text = '',
): { readonly socket: Socket; heard: string; isClosed: boolean } {
  const socket = connect(Number(node.address.split(':').at(-1)), '127.0.0.1');
  sockets.push(socket);
  const seen = { socket, heard: '', isClosed: false };
  socket.on('error', () => {});
  socket.on('data', (data) => {
    seen.heard += data.toString();
  });
  socket.on('close', () => {
    seen.isClosed = true;
  });
  if (text !== '') socket.write(text);
  return seen;
}

const unharmed = async (node: TestNode): Promise<void> => {
  const other = await nodes.start();
  other.transport.link(node.address);
  await linked(node, other);
};

describe('limits.handshake', () => {
  const settings = { 'limits.handshake': 150 };

  test('ends a connection that says nothing, or half a request', async () => {
    const a = await start(settings);
    const idle = tcp(a);
    const slow = tcp(a, 'GET / HTTP/1.1\r\nHost: a\r\nX: ');
    await until('both closed', () => idle.isClosed && slow.isClosed);
  });

  test('ends a WebSocket that says no hello, and says why', async () => {
    const a = await start(settings);
    const peer = await new RawPeer(a.address).open();
    await until('closed', () => peer.closed !== undefined);
    expect(peer.closed).toMatchObject({
      code: 4003,
      reason: expect.stringMatching(/limits\.handshake/),
    });
    await until('given back', () => a.transport.connections === 0);
  });

  test('ends one that trickles its hello byte by byte', async () => {
    const a = await start(settings);
    const peer = await new RawPeer(a.address).open();
    const trickle = setInterval(() => peer.ws.ping(), 10);
    await until('closed', () => peer.closed !== undefined);
    clearInterval(trickle);
    expect(peer.closed?.code).toBe(4003);
  });

  test('ends a dial that nobody answers, and dials again', async () => {
    const settingsOfA = { ...settings, 'limits.reconnectMin': 1, 'limits.reconnectMax': 10 };
    const a = await start(settingsOfA);
    const deaf = await nodes.make({ settings: { 'limits.handshake': 60_000 } }).listen();
    a.transport.link(deaf.address);
    await until('two failures', () => a.failures.length >= 2);
    expect(a.failures[0]?.failure.code).toBe('timeout');
    expect(a.failures[0]?.failure.message).toContain(deaf.address);
  });
});

describe('limits.pendingConnections and limits.connectionsPerAddress', () => {
  test('turn a connection away with a reason, and take one again when there is room', async () => {
    const a = await start({ 'limits.pendingConnections': 2, 'limits.handshake': 60_000 });
    const waiting = [tcp(a, 'GET'), tcp(a, 'GET')];
    await until('both there', () => waiting.every(({ socket }) => socket.bytesWritten > 0));
    const third = tcp(a);
    await until('turned away', () => third.isClosed);
    expect(third.heard).toMatch(/^HTTP\/1\.1 503 .*limits\.pendingConnections: no more than 2/s);
    for (const { socket } of waiting) socket.destroy();
    await unharmed(a);
  });

  test('those that have proved themselves are pending no more, but still of their address', async () => {
    const a = await start({ 'limits.pendingConnections': 1, 'limits.connectionsPerAddress': 3 });
    for (const uid of ['r1', 'r2', 'r3']) await RawPeer.letIn(a.address, rawHello(a, uid));
    await until('all up', () => a.up.size === 3);
    const fourth = new RawPeer(a.address);
    await until('the answer', () => fourth.answer !== undefined);
    expect(fourth.answer?.status).toBe(429);
    expect(fourth.answer?.body).toContain('limits.connectionsPerAddress: no more than 3');
    expect(a.transport.counts.overLimit).toBe(1);
  });

  test('a dialler that was turned away hears why and tries again', async () => {
    const a = await start({ 'limits.connectionsPerAddress': 1 });
    const peer = await RawPeer.letIn(a.address, rawHello(a));
    const b = await start({ 'limits.reconnectMin': 1, 'limits.reconnectMax': 10 });
    b.transport.link(a.address);
    await until('a failure', () => b.failures.length > 0);
    expect(b.failures[0]?.failure.code).toBe('unreachable');
    peer.ws.close();
    await linked(a, b);
  });
});

describe('limits.framesPerSecond', () => {
  test('closes a peer that floods the control lane, and says why', async () => {
    const a = await start({ 'limits.framesPerSecond': 50 });
    const peer = await RawPeer.letIn(a.address, rawHello(a), 'control');
    for (let n = 0; n < 200; n += 1) peer.ws.send(Buffer.from('x'));
    await until('closed', () => peer.closed !== undefined);
    expect(peer.closed).toMatchObject({
      code: 1008,
      reason: expect.stringMatching(/framesPerSecond.*50/),
    });
    expect(a.frames.length).toBeLessThanOrEqual(60);
    expect(a.warnings(/framesPerSecond/)).toHaveLength(1);
    await unharmed(a);
  });

  test('reads user messages no faster, and loses none', async () => {
    const a = await start({ 'limits.framesPerSecond': 200 });
    const peer = await RawPeer.letIn(a.address, rawHello(a), 'user');
    const message = JSON.stringify({ json: 'x'.repeat(4_000) });
    for (let n = 0; n < 500; n += 1) peer.ws.send(message);
    await until('some', () => a.messages.length >= 200);
    expect(a.messages.length).toBeLessThan(500);
    await until('all', () => a.messages.length === 500);
    expect(peer.closed).toBeUndefined();
  });

  test('counts pings too', async () => {
    const a = await start({ 'limits.framesPerSecond': 50 });
    const peer = await RawPeer.letIn(a.address, rawHello(a));
    for (let n = 0; n < 200; n += 1) peer.ws.ping();
    await until('closed', () => peer.closed !== undefined);
    await unharmed(a);
  });
});

describe('limits.frameBytes', () => {
  test('closes a peer whose frame is larger', async () => {
    const a = await start({ 'limits.frameBytes': 20_000, 'limits.members': 2 });
    const peer = await RawPeer.letIn(a.address, rawHello(a));
    await until('up', () => a.up.size === 1);
    peer.ws.send(Buffer.alloc(30_000));
    await until('closed', () => peer.closed !== undefined);
    expect(peer.closed?.code).toBe(1009);
    await until('down', () => a.downs.length === 1);
    expect(a.frames).toEqual([]);
  });

  test('is refused at the sender', async () => {
    const [a, b] = await nodes.pair({
      settings: { 'limits.frameBytes': 20_000, 'limits.members': 2 },
    });
    a.send(b, 'x'.repeat(20_001));
    a.send(b, 'small');
    await until('the small one', () => b.frames.length === 1);
    expect(b.texts()).toEqual(['small']);
    expect(a.warnings(/limits\.frameBytes/)).toHaveLength(1);
  });

  test('leaves the user lane its own', async () => {
    const settings = {
      'limits.members': 2,
      'limits.frameBytes': 20_000,
      'limits.messageBytes': 100_000,
    };
    const [a, b] = await nodes.pair({ settings }, { settings });
    await post(a.transport, b.key, 'x'.repeat(90_000));
    await until('it arrives', () => b.messages.length === 1);
    const peer = await RawPeer.letIn(a.address, rawHello(a), 'user');
    peer.ws.send(`"${'x'.repeat(120_000)}"`);
    await until('closed', () => peer.closed !== undefined);
    expect(peer.closed?.code).toBe(1009);
  });
});

test('before its handshake is through a peer cannot make this end read much', async () => {
  const a = await start();
  const peer = await new RawPeer(a.address).open();
  for (let n = 0; n < 8; n += 1) peer.ws.ping(Buffer.alloc(125));
  // One frame, never finished: no message comes of it, only bytes.
  const head = Buffer.from([0x82, 0xff, 0, 0, 0, 0, 0, 0x0f, 0, 0, 1, 2, 3, 4]);
  const { _socket: socket } = peer.ws as unknown as { readonly _socket: Socket };
  socket.write(Buffer.concat([head, Buffer.alloc(200_000)]));
  await until('closed', () => peer.closed !== undefined);
  expect(a.transport.counts.overLimit).toBe(1);
});

describe('closing', () => {
  test('is idempotent and takes with it who has not said hello', async () => {
    const a = await start({ 'limits.handshake': 60_000 });
    const peer = await new RawPeer(a.address).open();
    const idle = tcp(a, 'GET');
    await until('it is there', () => idle.socket.bytesWritten > 0);
    await Promise.all([a.transport.close(), a.transport.close()]);
    await a.transport.close();
    await until('both closed', () => peer.closed !== undefined && idle.isClosed);
    expect(peer.closed?.code).toBe(1001);
  });

  test('leaves no timer and no socket behind', async () => {
    const waiting = new Set<() => void>();
    const clock = {
      nowMs: systemClock.nowMs,
      schedule: (afterMs: number, run: () => void) => {
        waiting.add(run);
        const cancel = systemClock.schedule(afterMs, () => {
          waiting.delete(run);
          run();
        });
        return () => {
          waiting.delete(run);
          cancel();
        };
      },
    };
    const open = () => process.getActiveResourcesInfo().filter((kind) => kind.startsWith('TCP'));
    const before = open().length;
    const [a, b] = await nodes.pair({ clock }, { clock });
    a.transport.link('ws://127.0.0.1:9');
    await post(a.transport, b.key, 'a second connection');
    await until('a failed dial', () => a.failures.length > 0);
    const probed = a.transport.probe(b.address, 60_000);
    expect(waiting.size).toBeGreaterThan(4);
    await Promise.all([a.transport.close(), b.transport.close()]);
    expect(await probed).toBeUndefined();
    expect(waiting.size).toBe(0);
    await until('no socket', () => open().length <= before);
  });

  test('does not wait for a peer that has stopped reading', async () => {
    const a = await start({ 'limits.flush': 50 });
    const peer = await RawPeer.letIn(a.address, rawHello(a));
    await until('up', () => a.up.size === 1);
    peer.ws.pause();
    for (let n = 0; n < 20; n += 1)
      a.transport.send(rawHello(a).self, Buffer.alloc(900_000), 'urgent');
    await a.transport.close();
    expect(a.transport.connections).toBe(0);
    peer.ws.terminate();
  });
});
