/** Two and more live transports on loopback: links come, carry, go and come back. */
import { createServer, type Server } from 'node:net';
import { ClusterError } from '@rollcall/core';
import { afterEach, describe, expect, test } from 'vitest';
import { linked, post, type TestNode, TestNodes, until } from './test-node.testing.js';

const nodes = new TestNodes();
afterEach(() => nodes.close());

/** Another spelling of the address: to the transport it is another address until somebody answers. */
const byName = (node: TestNode): string => node.address.replace('127.0.0.1', 'localhost');
const portOf = (node: TestNode): number => Number(node.address.split(':').at(-1));
const quick = { settings: { 'limits.reconnectMin': 1, 'limits.reconnectMax': 20 } };

describe('a link', () => {
  test('carries frames both ways', async () => {
    const [a, b] = await nodes.pair();
    a.send(b, 'to b');
    b.send(a, 'to a');
    await until('both frames', () => a.frames.length === 1 && b.frames.length === 1);
    expect([a.texts(b), b.texts(a)]).toEqual([['to a'], ['to b']]);
    expect(a.ups.map(({ peer, dialled }) => [peer.self, dialled])).toEqual([[b.key, b.address]]);
    expect(b.ups.map(({ peer, dialled }) => [peer.self, dialled])).toEqual([[a.key, undefined]]);
    expect(Object.getPrototypeOf(a.frames[0]?.bytes)).toBe(Uint8Array.prototype);
  });

  test('satisfies a wish of the accepting end without a dial', async () => {
    const [a, b] = await nodes.pair();
    b.transport.link(a.address);
    b.send(a, 'after the wish');
    await until('the frame', () => a.frames.length === 1);
    expect([a.transport.connections, b.transport.connections]).toEqual([1, 1]);
  });

  test('that nobody wants and nobody uses goes; one that is used stays', async () => {
    const settings = { 'limits.idleLink': 200 };
    const [a, b] = await nodes.pair({ settings }, { settings });
    const c = await nodes.start({ settings });
    c.transport.link(a.address);
    await linked(a, c);
    a.transport.unlink(b.address);
    await until('the idle link goes', () => !a.up.has(b.key) && !b.up.has(a.key));
    expect(a.up.has(c.key)).toBe(true);
    expect(b.failures).toEqual([]);
  });

  test('comes again when the peer has come back under another uid', async () => {
    const a = await nodes.start(quick);
    const b = await nodes.start({ uid: 'first' });
    a.transport.link(b.address);
    await linked(a, b);
    for (const uid of ['second', 'third', 'fourth']) {
      const port = portOf(b);
      const before = a.ups.length;
      await (nodes.last as TestNode).transport.close();
      const again = await nodes.start({ listen: `ws://127.0.0.1:${port}`, uid });
      await linked(a, again);
      expect(a.ups.slice(before).map(({ peer }) => peer.self)).toEqual([`${b.address}#${uid}`]);
    }
    expect(a.told.filter((line) => line.endsWith('again'))).toEqual([]);
    expect(a.up.size).toBe(1);
  });

  test('dropped for what was said on it is told at both ends, with the reason, and dialled anew', async () => {
    const [a, b] = await nodes.pair(quick);
    a.transport.drop(b.key, 'it speaks in riddles');
    await until('down', () => a.downs.length === 1 && b.downs.length === 1);
    await until('up again', () => a.ups.length === 2 && b.ups.length === 2);
  });
});

describe('events', () => {
  test('come after the call that caused them', async () => {
    const [a, b] = await nodes.pair();
    let isInside = true;
    const told: string[] = [];
    a.linkDown = () => told.push(isInside ? 'inside' : 'after');
    a.transport.drop(b.key, 'for the test');
    isInside = false;
    await until('down', () => told.length > 0);
    expect(told).toEqual(['after']);
  });

  test('end with close', async () => {
    const [a, b] = await nodes.pair();
    await a.transport.close();
    await until('the peer sees it', () => b.downs.length === 1);
    expect(a.downs).toEqual([]);
    a.transport.link(b.address);
    a.send(b, 'too late');
    await a.transport.close();
    expect(await a.transport.probe(b.address, 100)).toBeUndefined();
    await expect(post(a.transport, b.key, 1)).rejects.toMatchObject({ code: 'stopped' });
  });
});

describe('both dial at once', () => {
  test('and are left with one link, whatever the timing, with nothing lost and nothing told twice', async () => {
    // Lasting proof over every order is in link-table.test.ts; here the sockets have their say.
    for (let round = 0; round < 40; round += 1) {
      const [a, b] = [await nodes.start(), await nodes.start()];
      const up = (from: TestNode, to: TestNode): void => {
        from.linkUp = (peer, dialled) => {
          Object.getPrototypeOf(from).linkUp.call(from, peer, dialled);
          for (let n = 0; n < 20; n += 1) from.send(to, `${n}`);
        };
      };
      up(a, b);
      up(b, a);
      a.transport.link(byName(b));
      b.transport.link(byName(a));
      const all = Array.from({ length: 20 }, (_, n) => `${n}`);
      await until('all frames', () => a.frames.length >= 20 && b.frames.length >= 20);
      await until('one connection', () => a.transport.connections + b.transport.connections === 2);
      expect([a.texts().sort(), b.texts().sort()]).toEqual([[...all].sort(), [...all].sort()]);
      expect([a.told, b.told]).toEqual([[`up ${b.address}`], [`up ${a.address}`]]);
      await nodes.close();
    }
  });

  test('in a whole group: one link per pair', async () => {
    const group = await Promise.all(Array.from({ length: 6 }, () => nodes.start()));
    for (const a of group) for (const b of group) if (a !== b) a.transport.link(byName(b));
    for (const a of group) for (const b of group) if (a !== b) await linked(a, b);
    const counts = (): number[] => group.map(({ transport }) => transport.connections);
    await until('five connections each', () => counts().every((n) => n === 5));
    expect(group.flatMap(({ told }) => told.filter((line) => !line.startsWith('up')))).toEqual([]);
  });
});

describe('an address', () => {
  test('with port 0 is told with the port that was bound', async () => {
    const a = await nodes.make({ listen: 'ws://127.0.0.1:0' }).listen();
    expect(a.address).toMatch(/^ws:\/\/127\.0\.0\.1:[1-9]\d*$/);
    const b = await nodes.make({ advertise: 'ws://node.example:0' }).listen();
    expect(b.address).toMatch(/^ws:\/\/node\.example:[1-9]\d*$/);
    const c = await nodes.make({ advertise: 'ws://node.example:7355' }).listen();
    expect(c.address).toBe('ws://node.example:7355');
  });

  test('that is taken cannot be listened on', async () => {
    const a = await nodes.start();
    const error = await nodes
      .make({ listen: a.address })
      .listen()
      .catch((e: unknown) => e);
    expect(error).toBeInstanceOf(ClusterError);
    expect(error).toMatchObject({ code: 'cannotListen', data: { address: a.address } });
    expect((error as Error).message).toContain(a.address);
    expect((error as ClusterError).cause).toMatchObject({ code: 'EADDRINUSE' });
  });

  test.each([
    ['listen', { listen: 'localhost:7355' }],
    ['advertise', { advertise: 'http://a:1' }],
    ['tls', { listen: 'wss://127.0.0.1:0' }],
    ['secret', { secret: '' }],
  ])('or a %s that cannot be used says so at once', (setting, options) => {
    const error = expect.objectContaining({ code: 'badSetting', data: { setting } });
    expect(() => nodes.make(options)).toThrow(error);
  });

  test('where nobody listens is dialled again and again, and told each time', async () => {
    const gone = await nodes.start();
    const { address } = gone;
    await gone.transport.close();
    const a = await nodes.start(quick);
    a.transport.link(address);
    await until('three failures', () => a.failures.length >= 3);
    expect(a.failures[0]?.failure.code).toBe('unreachable');
    expect(a.failures[0]?.failure.message).toMatch(new RegExp(`${address}.*ECONNREFUSED`));
    a.transport.unlink(address);
    const back = await nodes.start({ listen: address });
    a.transport.link(address);
    await linked(a, back);
  });

  test('that makes no sense is told and kills nobody', async () => {
    const a = await nodes.start(quick);
    a.transport.link('nonsense');
    await until('a failure', () => a.failures.length > 0);
    expect(a.failures[0]?.failure.message).toMatch(/nonsense.*not an address/);
  });

  test('that leads back to the node itself is told once and left alone', async () => {
    const a = await nodes.start(quick);
    a.transport.link(a.address);
    a.transport.link(byName(a));
    await until('both told', () => a.failures.length === 2);
    expect(a.failures.map(({ failure }) => failure.code)).toEqual(['self', 'self']);
    expect(a.failures[0]?.failure.peer?.self).toBe(a.key);
    await until('nothing open', () => a.transport.connections === 0);
    expect(a.ups).toEqual([]);
  });

  test('that is another name of a linked peer is told as that', async () => {
    const [a, b] = await nodes.pair();
    a.transport.link(byName(b));
    await until('told', () => a.failures.length === 1);
    expect(a.failures[0]).toMatchObject({
      address: byName(b),
      failure: { code: 'linked', peer: { self: b.key } },
    });
    await until('one connection', () => b.transport.connections === 1);
    expect(a.told).toEqual([`up ${b.address}`]);
  });

  test('where something else listens is no peer', async () => {
    const server = await new Promise<Server>((resolve) => {
      const made = createServer((socket) => socket.end('220 mail.example ESMTP\r\n'));
      made.listen(0, '127.0.0.1', () => resolve(made));
    });
    const a = await nodes.start(quick);
    const { port } = server.address() as { port: number };
    a.transport.link(`ws://127.0.0.1:${port}`);
    await until('a failure', () => a.failures.length > 0);
    expect(a.failures[0]?.failure.code).toBe('unreachable');
    server.close();
  });
});

describe('identify', () => {
  test('lets nobody in before, and those who wait after', async () => {
    const a = await nodes.make().listen();
    const b = await nodes.start();
    b.transport.link(a.address);
    await until('the connection waits', () => a.transport.connections === 1);
    expect([a.ups, b.ups, b.failures]).toEqual([[], [], []]);
    a.identify();
    await linked(a, b);
  });

  test('keeps wishes until there is a name to dial under', async () => {
    const a = await nodes.make().listen();
    const b = await nodes.start();
    a.transport.link(b.address);
    expect(a.transport.connections).toBe(0);
    a.identify();
    await linked(a, b);
  });

  test('under a new uid closes all links and makes the wanted ones anew', async () => {
    const [a, b] = await nodes.pair({ uid: 'one', ...quick });
    const c = await nodes.start(quick);
    c.transport.link(a.address);
    await linked(a, c);
    const before = a.key;
    a.identify('two');
    await linked(a, b);
    await linked(a, c);
    expect(a.downs.sort()).toEqual([b.key, c.key].sort());
    expect([b.downs, c.downs]).toEqual([[before], [before]]);
    await until('no more than the links', () => a.transport.connections === 2);
    expect(a.told.some((line) => line.startsWith('frame'))).toBe(false);
  });

  test('with the same name changes no link', async () => {
    const [a, b] = await nodes.pair({ uid: 'one' });
    a.identify('one');
    a.send(b, 'still here');
    await until('the frame', () => b.frames.length === 1);
    expect([a.downs, b.downs]).toEqual([[], []]);
  });
});

describe('a probe', () => {
  test('brings the hello of whoever answers and disturbs nothing', async () => {
    const [a, b] = await nodes.pair();
    expect((await a.transport.probe(b.address, 5_000))?.self).toBe(b.key);
    expect((await b.transport.probe(a.address, 5_000))?.self).toBe(a.key);
    expect((await a.transport.probe(byName(a), 5_000))?.self).toBe(a.key);
    a.send(b, 'undisturbed');
    await until('the frame', () => b.frames.length === 1);
    await until('the link alone', () => a.transport.connections === 1);
    expect([a.told, b.told]).toEqual([[`up ${b.address}`], [`up ${a.address}`]]);
  });

  test('is answered by a node of another cluster', async () => {
    const [a, b] = [await nodes.start(), await nodes.start({ cluster: 'bills' })];
    expect((await a.transport.probe(b.address, 5_000))?.cluster).toBe('bills');
  });

  test('of nobody, of a deaf one, of nonsense is undefined', async () => {
    const [a, deaf] = [await nodes.start(), await nodes.make().listen()];
    const gone = await nodes.start();
    await gone.transport.close();
    const found = [gone.address, deaf.address, 'nonsense'].map((x) => a.transport.probe(x, 100));
    expect(await Promise.all(found)).toEqual([undefined, undefined, undefined]);
    expect(a.failures).toEqual([]);
  });
});

test('close flushes what is queued', async () => {
  const settings = { 'limits.flush': 10_000 };
  const [a, b] = await nodes.pair({ settings }, { settings });
  const big = 'x'.repeat(500_000);
  for (let n = 0; n < 40; n += 1) a.send(b, big);
  await a.transport.close();
  await until('all frames', () => b.frames.length === 40);
});
