/** wss://: encrypted, with certificates asked of both ends or of one, and a secret bound to the connection. */
import { connect, createServer, type Server, type TLSSocket } from 'node:tls';
import { afterEach, describe, expect, test } from 'vitest';
import { selfSigned } from './self-signed.testing.js';
import { linked, post, TestNodes, until } from './test-node.testing.js';

const nodes = new TestNodes();
const servers: Server[] = [];
afterEach(async () => {
  await nodes.close();
  for (const server of servers.splice(0)) server.close();
});

const ours = selfSigned('rollcall test');
const other = selfSigned('somebody else');
const listen = 'wss://127.0.0.1:0';
const tls = { ...ours, ca: ours.cert };

test('a link over TLS, with user messages, probes and a secret', async () => {
  const some = { listen, tls, secret: 'sesame' };
  const [a, b] = await nodes.pair(some, some);
  expect(b.address).toMatch(/^wss:/);
  a.send(b, 'hidden');
  await post(a.transport, b.key, { also: 'hidden' });
  await until('both', () => b.frames.length === 1 && b.messages.length === 1);
  expect((await b.transport.probe(a.address, 5_000))?.self).toBe(a.key);
  await until('two connections', () => a.transport.connections === 2);
});

test('a certificate that nobody vouches for is no peer', async () => {
  const a = await nodes.start({ listen, tls, settings: { 'limits.reconnectMin': 1 } });
  const b = await nodes.start({ listen, tls: { ...other, ca: other.cert } });
  a.transport.link(b.address);
  await until('a failure', () => a.failures.length > 0);
  expect(a.failures[0]?.failure.message).toMatch(/self.signed certificate/);
  expect(b.ups).toEqual([]);
});

describe('mutual TLS', () => {
  const mutual = { ...tls, requestCert: true };

  test('lets in who has a certificate', async () => {
    const [a, b] = await nodes.pair({ listen, tls: mutual }, { listen, tls: mutual });
    expect(a.up.has(b.key)).toBe(true);
  });

  test('and nobody else', async () => {
    const a = await nodes.start({ tls: { ca: ours.cert }, settings: { 'limits.reconnectMin': 1 } });
    const b = await nodes.start({ listen, tls: mutual });
    a.transport.link(b.address);
    await until('a failure', () => a.failures.length > 0);
    expect([a.ups, b.ups]).toEqual([[], []]);
  });

  test('beyond loopback warns of nothing', async () => {
    const a = await nodes.make({ listen: 'wss://0.0.0.0:0', tls: mutual }).listen();
    expect(a.log).toEqual([]);
  });
});

test('somebody between two ends who ends TLS cannot carry a proof across', async () => {
  const some = { listen, tls, secret: 'sesame' };
  const b = await nodes.start(some);
  const between = await proxy(Number(b.address.split(':').at(-1)));
  const a = await nodes.start(some);
  a.transport.link(`wss://127.0.0.1:${between}`);
  await until('refused', () => a.failures.length > 0);
  expect(a.failures[0]?.failure).toMatchObject({ code: 'refused', refusal: { code: 'secret' } });
  expect(a.failures[0]?.failure.message).toMatch(/something between them ends TLS/);
  expect([a.ups, b.ups]).toEqual([[], []]);
});

test('who speaks no TLS to a TLS port is turned away, and the node lives on', async () => {
  const a = await nodes.start({ settings: { 'limits.reconnectMin': 1 } });
  const b = await nodes.start({ listen, tls });
  a.transport.link(b.address.replace('wss:', 'ws:'));
  await until('a failure', () => a.failures.length > 0);
  const c = await nodes.start({ tls });
  c.transport.link(b.address);
  await linked(b, c);
  await until('counted down again', () => b.transport.connections === 1);
});

test('options that TLS cannot use are named', async () => {
  const a = nodes.make({ listen, tls: { key: 'no key', cert: 'no cert' } });
  await expect(a.listen()).rejects.toMatchObject({ code: 'badSetting', data: { setting: 'tls' } });
});

test('limits on connections hold under TLS, and are given back', async () => {
  const settings = { 'limits.connectionsPerAddress': 2, 'limits.handshake': 60_000 };
  const b = await nodes.start({ listen, tls, settings });
  const port = Number(b.address.split(':').at(-1));
  const open = (): TLSSocket => connect({ port, host: '127.0.0.1', rejectUnauthorized: false });
  const idle = [open(), open()];
  await until('both there', () => idle.every((socket) => socket.authorizationError !== undefined));
  const third = open();
  let isTurnedAway = false;
  third.on('error', () => {});
  third.on('close', () => {
    isTurnedAway = true;
  });
  await until('turned away', () => isTurnedAway);
  for (const socket of idle) socket.destroy();
  const c = await nodes.start({
    tls,
    settings: { 'limits.reconnectMin': 1, 'limits.reconnectMax': 10 },
  });
  c.transport.link(b.address);
  await linked(b, c);
});

/** A man in the middle with a good certificate, who decrypts and encrypts again. */
async function proxy(to: number): Promise<number> {
  const server = createServer({ ...ours, minVersion: 'TLSv1.3' }, (near) => {
    const far = connect({ port: to, host: '127.0.0.1', rejectUnauthorized: false });
    for (const socket of [near, far]) socket.on('error', () => {});
    near.pipe(far).pipe(near);
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as { port: number }).port;
}
