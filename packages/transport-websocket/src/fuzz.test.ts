/**
 * Thousands of broken frames at a live transport, before and after the handshake, on both lanes and
 * below WebSocket: nothing throws, nothing is told that did not happen, and a peer beside them
 * notices nothing.
 */
import { connect } from 'node:net';
import fc from 'fast-check';
import { afterEach, describe, expect, test } from 'vitest';
import { RawPeer } from './raw-peer.testing.js';
import { post, type TestNode, TestNodes, until } from './test-node.testing.js';
import { MessageCodec } from './user-message.js';

const nodes = new TestNodes();
const escaped: unknown[] = [];
const note = (error: unknown): void => void escaped.push(error);
process.on('uncaughtExceptionMonitor', note);
process.on('unhandledRejection', note);
afterEach(() => nodes.close());

const settings = {
  'limits.framesPerSecond': 1_000_000,
  'limits.connectionsPerAddress': 60_000,
  'limits.handshake': 2_000,
  'limits.idleLink': 600_000,
};

/** `count` samples, the same each time. */
const samples = <T>(arbitrary: fc.Arbitrary<T>, count: number): T[] =>
  fc.sample(arbitrary, { numRuns: count, seed: 7 });

const bytes = fc.uint8Array({ maxLength: 300 }).map((array) => Buffer.from(array));
const frame = fc.oneof(bytes, fc.string({ maxLength: 200 }), fc.json());

/** A true text with some of its characters exchanged, doubled or cut off. */
function mutations(text: string): fc.Arbitrary<string> {
  const cut = fc.nat(text.length).map((at) => text.slice(0, at));
  const exchange = fc
    .array(fc.tuple(fc.nat(text.length - 1), fc.constantFrom(...'{}[]":,0-9n\\_x\u0000é')), {
      minLength: 1,
      maxLength: 4,
    })
    .map((changes) => {
      const letters = [...text];
      for (const [at, letter] of changes) letters[at] = letter;
      return letters.join('');
    });
  return fc.oneof(cut, exchange, exchange, exchange);
}

interface Scene {
  readonly a: TestNode;
  readonly b: TestNode;
  /** Fails when anything but the broken connections has changed. */
  unharmed(): Promise<void>;
}

async function scene(): Promise<Scene> {
  const [a, b] = await nodes.pair({ settings }, { settings });
  await post(a.transport, b.key, 'before');
  return {
    a,
    b,
    unharmed: async () => {
      a.send(b, 'after');
      await post(a.transport, b.key, 'after');
      await until('both arrive', () => b.frames.length === 1 && b.messages.length === 2);
      await until('only the pair is left', () => a.transport.connections === 2);
      expect([a.downs.filter((key) => key === b.key), b.downs, b.failures]).toEqual([[], [], []]);
      expect(escaped).toEqual([]);
    },
  };
}

/** Runs `act` on every item, a few at a time. */
async function each<T>(items: readonly T[], act: (item: T) => Promise<void>): Promise<void> {
  const queue = [...items];
  const worker = async (): Promise<void> => {
    for (let item = queue.pop(); item !== undefined; item = queue.pop()) await act(item);
  };
  await Promise.all(Array.from({ length: 16 }, worker));
}

describe('broken frames', { timeout: 120_000 }, () => {
  test('instead of a hello', async () => {
    const { a, unharmed } = await scene();
    await each(samples(frame, 400), async (data) => {
      const peer = await new RawPeer(a.address, data.length % 2 ? '/user' : '/').open();
      peer.ws.send(data);
      await until('closed', () => peer.closed !== undefined);
      expect(peer.closed?.reason).not.toBe('');
    });
    expect(a.ups).toHaveLength(1);
    await unharmed();
  });

  test('that were a hello, a proof', async () => {
    const { a, unharmed } = await scene();
    const hello = JSON.stringify({
      type: 'hello',
      lane: 'control',
      nonce: 'A'.repeat(43),
      secured: false,
      tls: false,
      ...a.hello,
      self: 'ws://127.0.0.1:1#raw',
    });
    await each(
      samples(fc.tuple(mutations(hello), mutations('{"type":"prove","mac":""}')), 600),
      async (texts) => {
        const peer = await new RawPeer(a.address).open();
        for (const text of texts) peer.ws.send(text);
        peer.ws.close(1000);
        await until('closed', () => peer.closed !== undefined);
      },
    );
    await until('whoever got in is gone', () => a.up.size === 1);
    expect(a.told.filter((line) => line.endsWith('again'))).toEqual([]);
    await unharmed();
  });

  test('on the user lane', async () => {
    const { a, b, unharmed } = await scene();
    const whole = new MessageCodec().encode({
      m: new Map([[1n, new Date(0)]]),
      s: new Set([undefined]),
      e: new Error('x'),
    });
    let uid = 0;
    await each(
      samples(fc.oneof(frame, mutations(whole), mutations(whole)), 1_500),
      async (data) => {
        uid += 1;
        const hello = { ...b.hello, self: `ws://127.0.0.1:1#raw${uid}` };
        const peer = await RawPeer.letIn(a.address, hello, 'user');
        peer.ws.send(data);
        peer.ws.close(1000);
        await until('closed', () => peer.closed !== undefined);
      },
    );
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
    await unharmed();
  });

  test('of text on the control lane', async () => {
    const { a, b, unharmed } = await scene();
    let uid = 0;
    await each(samples(fc.string({ maxLength: 50 }), 200), async (text) => {
      uid += 1;
      const peer = await RawPeer.letIn(a.address, {
        ...b.hello,
        self: `ws://127.0.0.1:1#raw${uid}`,
      });
      peer.ws.send(text);
      await until('closed', () => peer.closed !== undefined);
      expect(peer.closed?.code).toBe(1003);
    });
    expect(a.frames).toEqual([]);
    await unharmed();
  });

  test('below WebSocket, and before it', async () => {
    const { a, unharmed } = await scene();
    const port = Number(a.address.split(':').at(-1));
    const upgrade = [
      'GET / HTTP/1.1',
      'Host: a',
      'Upgrade: websocket',
      'Connection: Upgrade',
      'Sec-WebSocket-Version: 13',
      'Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==',
      'Sec-WebSocket-Protocol: rollcall.1',
      '\r\n',
    ].join('\r\n');
    const junk = fc.oneof(
      bytes,
      bytes.map((rest) => Buffer.concat([Buffer.from(upgrade), rest])),
      mutations(upgrade).map((text) => Buffer.from(text)),
    );
    await each(samples(junk, 1_000), async (data) => {
      let isClosed = false;
      const socket = connect(port, '127.0.0.1', () => socket.end(data));
      socket.on('error', () => {});
      socket.resume();
      socket.on('close', () => {
        isClosed = true;
      });
      await until('closed', () => isClosed);
    });
    expect(a.ups).toHaveLength(1);
    await unharmed();
  });
});
