/** Frames beside the links, over real UDP sockets on loopback, where nothing is lost unless somebody means it. */
import { createSocket, type Socket } from 'node:dgram';
import { afterEach, describe, expect, test } from 'vitest';
import { isToken } from './datagrams.js';
import { RawPeer } from './raw-peer.testing.js';
import { selfSigned } from './self-signed.testing.js';
import { linked, type TestNode, TestNodes, until } from './test-node.testing.js';

const nodes = new TestNodes();
const sockets: Socket[] = [];
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.close();
  await nodes.close();
});

const portOf = ({ address }: TestNode): number => Number(address.split(':').at(-1));

async function udpSocket(port = 0): Promise<Socket> {
  const socket = createSocket('udp4');
  sockets.push(socket);
  await new Promise<void>((resolve) => socket.bind(port, '127.0.0.1', resolve));
  return socket;
}

/** Below those that operating systems give to whoever asks for any. */
async function freePort(): Promise<number> {
  for (;;) {
    const port = 18_000 + Math.floor(Math.random() * 14_000);
    const node = nodes.make({ listen: `ws://127.0.0.1:${port}` });
    const isFree = await node.listen().then(
      () => true,
      () => false,
    );
    await node.transport.close();
    if (isFree) return port;
  }
}

/** Two nodes; what `a` casts to `b` is caught, and gets there only if it is brought to `port`. */
async function spied() {
  const caught: Buffer[] = [];
  const spy = await udpSocket();
  spy.on('message', (bytes) => caught.push(bytes));
  const a = await nodes.start();
  const port = await freePort();
  const at = (each: number) => `ws://127.0.0.1:${each}`;
  const b = await nodes.start({ listen: at(port), advertise: at(spy.address().port) });
  b.transport.link(a.address);
  await linked(a, b);
  return { a, b, port, caught };
}

/** A name may have to be looked up first; until then it goes on the link. */
async function untilCast(from: TestNode, to: TestNode): Promise<void> {
  await until('a datagram gets there', () => {
    if (to.casts.length === 0) from.cast(to, 'again');
    return to.casts.length > 0;
  });
}

async function bring(node: TestNode, bytes: Uint8Array, port = portOf(node)): Promise<void> {
  const { counts } = node.transport;
  const before = counts.datagramsIgnored + counts.datagramsReceived;
  (await udpSocket()).send(bytes, port, '127.0.0.1');
  const isHere = () => counts.datagramsIgnored + counts.datagramsReceived > before;
  await until('the datagram is here', isHere);
}

describe('a frame beside the links', () => {
  test.each([
    ['openly', {}],
    ['between nodes with a secret', { secret: 'sesame' }],
  ])('gets to a peer that was linked, %s', async (_, options) => {
    const [a, b] = await nodes.pair(options, options);
    a.cast(b, 'from a');
    b.cast(a, 'from b');
    await until('both', () => a.casts.length + b.casts.length === 2);
    expect([a.casts, b.casts]).toEqual([['from b'], ['from a']]);
    expect(b.frames).toMatchObject([{ from: a.key, wasCast: true }]);
    expect(a.transport.counts).toMatchObject({ datagramsSent: 1, datagramsReceived: 1 });
  });

  test('gets there over TLS', async () => {
    const tls = selfSigned('rollcall test');
    const options = { listen: 'wss://127.0.0.1:0', tls: { ...tls, ca: tls.cert } };
    const [a, b] = await nodes.pair(options, options);
    a.cast(b, 'sealed');
    await until('it', () => b.casts.length === 1);
  });

  test('gets there over IPv6', async () => {
    const options = { listen: 'ws://[::1]:0' };
    const [a, b] = await nodes.pair(options, options);
    a.cast(b, 'six');
    await until('it', () => b.casts.length === 1);
  });

  test('gets to a peer whose link is gone', async () => {
    const [a, b] = await nodes.pair();
    a.transport.unlink(b.address);
    a.transport.drop(b.key, 'a test');
    await until('the link is gone', () => a.up.size === 0 && b.up.size === 0);
    b.cast(a, 'still here');
    await until('it', () => a.casts.length === 1);
  });

  test('gets to a peer that advertises a name', async () => {
    const [a, b] = await nodes.pair({ advertise: 'ws://localhost:0' });
    await untilCast(a, b);
    await untilCast(b, a);
  });

  test('goes on the link where the two have no kind of IP in common', async () => {
    const [a, b] = [await nodes.start({ listen: 'ws://[::1]:0' }), await nodes.start()];
    b.transport.link(a.address);
    await linked(a, b);
    a.cast(b, 'from six');
    b.cast(a, 'from four');
    await until('both', () => a.frames.length + b.frames.length === 2);
    expect([a.casts, b.casts]).toEqual([[], []]);
  });

  test('goes on the link when it is too large for whoever sends it', async () => {
    const [a, b] = await nodes.pair({ settings: { 'limits.datagramBytes': 8 } });
    a.cast(b, 'too large for a');
    b.cast(a, 'not for b');
    a.cast(b, 'fits');
    await until('all', () => a.frames.length === 1 && b.frames.length === 2);
    expect([a.casts, b.casts]).toEqual([['not for b'], ['fits']]);
    expect(b.texts().sort()).toEqual(['fits', 'too large for a']);
  });

  test('with limits.datagramBytes=0 no port is opened, nobody is given a token, and all goes on links', async () => {
    const [a, b] = await nodes.pair({ settings: { 'limits.datagramBytes': 0 } });
    await udpSocket(portOf(a));
    a.cast(b, 'by link');
    b.cast(a, 'by link');
    await until('both', () => a.frames.length + b.frames.length === 2);
    expect([a.casts, b.casts]).toEqual([[], []]);
    expect(b.transport.counts.datagramsSent).toBe(0);
  });

  test('goes by link when another process holds the UDP port, which is said once', async () => {
    const port = await freePort();
    await udpSocket(port);
    const a = await nodes.start({ listen: `ws://127.0.0.1:${port}` });
    const b = await nodes.start();
    a.transport.link(b.address);
    await linked(a, b);
    b.cast(a, 'by link');
    await until('it', () => a.frames.length === 1);
    expect(a.casts).toEqual([]);
    expect(a.warnings(/UDP port/)).toHaveLength(1);
    expect(a.warnings(/UDP port/)[0]?.message).toMatch(
      new RegExp(`^probes go over links alone, as UDP port ${port} cannot be had: .*EADDRINUSE`),
    );
  });
});

describe('a datagram is ignored, and costs nothing else,', () => {
  test('from whoever was never linked, and when it is no datagram of ours', async () => {
    const [a, b] = await nodes.pair();
    const key = Buffer.from(`${b.address}#0000000000000000`);
    const head = Buffer.from([1, 0, key.length]);
    const garbage = [
      Buffer.alloc(0),
      Buffer.from([1]),
      Buffer.from([1, 255, 255, 0]),
      Buffer.from([2, 0, 0]),
      Buffer.concat([head, key]),
      Buffer.concat([head, key, Buffer.alloc(16), Buffer.from('hello')]),
      Buffer.alloc(60_000, 1),
    ];
    for (const bytes of garbage) await bring(a, bytes);
    expect(a.transport.counts).toMatchObject({
      datagramsIgnored: garbage.length,
      datagramsReceived: 0,
    });
    expect(a.frames).toEqual([]);
    expect(a.up.has(b.key)).toBe(true);
  });

  test('when it is brought to somebody else, or back', async () => {
    const { a, b, port, caught } = await spied();
    const c = await nodes.start();
    c.transport.link(a.address);
    await linked(a, c);
    a.cast(b, 'for b alone');
    await until('it is caught', () => caught.length === 1);
    const [sealed = Buffer.alloc(0)] = caught;
    expect(sealed.toString('latin1')).toContain(a.key);
    for (const node of [a, c]) await bring(node, sealed);
    expect([a.frames, c.frames]).toEqual([[], []]);
    await bring(b, sealed, port);
    expect(b.casts).toEqual(['for b alone']);
  });

  test('when it comes again, and when a later one has come before it', async () => {
    const { a, b, port, caught } = await spied();
    for (const text of ['first', 'second']) a.cast(b, text);
    await until('both are caught', () => caught.length === 2);
    for (const at of [1, 1, 0]) await bring(b, caught[at] ?? Buffer.alloc(0), port);
    expect(b.casts).toEqual(['second']);
    expect(b.transport.counts).toMatchObject({ datagramsReceived: 1, datagramsIgnored: 2 });
  });

  test.each([0, 1, 5, -20, -1])('when a bit of byte %i was changed', async (at) => {
    const { a, b, port, caught } = await spied();
    a.cast(b, 'probe');
    await until('it is caught', () => caught.length === 1);
    const [sealed = Buffer.alloc(0)] = caught;
    const changed = Buffer.from(sealed);
    const place = at < 0 ? changed.length + at : at;
    changed[place] = (changed[place] ?? 0) ^ 1;
    await bring(b, changed, port);
    expect(b.frames).toEqual([]);
    await bring(b, sealed, port);
    expect(b.casts).toEqual(['probe']);
  });

  test('when it was meant for an earlier run at the same address', async () => {
    const [a, b] = await nodes.pair();
    const before = b.key;
    b.identify();
    await until('a link to the new run', () => a.up.has(b.key) && !a.up.has(before));
    a.transport.cast(before, Buffer.from('to the old'));
    a.cast(b, 'to the new');
    await until('it', () => b.casts.length > 0);
    expect(b.casts).toEqual(['to the new']);
  });

  test('above limits.framesPerSecond from one peer', async () => {
    const [a, b] = await nodes.pair({}, { settings: { 'limits.framesPerSecond': 10 } });
    for (let n = 0; n < 40; n += 1) a.cast(b, `${n}`);
    const { counts } = b.transport;
    await until('all', () => counts.datagramsReceived + counts.datagramsIgnored === 40);
    expect(counts.datagramsReceived).toBeLessThan(40);
    expect(b.up.has(a.key)).toBe(true);
  });
});

describe('who is linked', () => {
  test('is never forgotten for others that come and go, however many', async () => {
    const [a, b] = await nodes.pair({ settings: { 'limits.peers': 16 } });
    for (let n = 0; n < 20; n += 1) {
      const hello = { ...a.hello, self: `ws://127.0.0.1:1#raw${n}` };
      (await RawPeer.letIn(a.address, hello)).ws.terminate();
      await until('it is gone', () => a.downs.length === n + 1);
    }
    await untilCast(b, a);
    await untilCast(a, b);
  });
});

test('a transport that is closed while it begins to listen holds no port', async () => {
  const port = await freePort();
  const a = nodes.make({ listen: `ws://127.0.0.1:${port}` });
  const listening = a.transport.listen(a).catch(() => {});
  await a.transport.close();
  await listening;
  await udpSocket(port);
});

describe('tokens', () => {
  test('are 32 bytes, and nobody gets one without a proof', async () => {
    const a = await nodes.start({ secret: 'sesame' });
    const hello = { ...a.hello, self: 'ws://127.0.0.1:1#raw' };
    const peer = await RawPeer.letIn(a.address, hello, 'control', 'sesame');
    const welcome = peer.said.find(({ type }) => type === 'welcome') as { token?: unknown };
    expect(isToken(welcome.token)).toBe(true);
    const stranger = await RawPeer.letIn(a.address, hello, 'control', 'guess');
    expect(JSON.stringify(stranger.said)).not.toContain(welcome.token);
    expect(stranger.said.map(({ type }) => type)).toEqual(['hello', 'refuse']);
  });

  test('one that is none ends the handshake', async () => {
    const a = await nodes.start();
    const raw = await new RawPeer(a.address).open();
    raw.ws.send(
      JSON.stringify({
        type: 'hello',
        ...a.hello,
        self: 'ws://127.0.0.1:1#raw',
        lane: 'control',
        nonce: 'x'.repeat(43),
        secured: false,
        tls: false,
      }),
    );
    raw.ws.send(JSON.stringify({ type: 'prove', mac: '', token: 'short' }));
    await until('the end', () => raw.closed !== undefined);
    expect(raw.said.at(-1)?.message).toBe('the message has a token that is none');
  });
});
