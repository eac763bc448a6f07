/** Who is not let in, how both ends hear of it, and what it changes: nothing. */
import { PROTOCOL, type RefusalCode } from '@rollcall/core';
import { afterEach, describe, expect, test } from 'vitest';
import { RawPeer } from './raw-peer.testing.js';
import { linked, type TestNodeOptions, TestNodes, until } from './test-node.testing.js';

const nodes = new TestNodes();
afterEach(() => nodes.close());

const quick = { 'limits.reconnectMin': 1, 'limits.reconnectMax': 10 };

const different: readonly [RefusalCode, string, TestNodeOptions, TestNodeOptions, RegExp][] = [
  [
    'clusterName',
    'another name',
    { cluster: 'bills' },
    {},
    /named '(bills', not 'orders|orders', not 'bills)'/,
  ],
  ['protocol', 'another protocol', { hello: { protocol: { min: 5, max: 7 } } }, {}, /protocol/],
  ['settings', 'other settings', { settings: { 'heartbeat.rings': 3 } }, {}, /heartbeat\.rings/],
  ['secret', 'a secret at the dialler alone', { secret: 'sesame' }, {}, /has none/],
  ['secret', 'a secret at the acceptor alone', {}, { secret: 'sesame' }, /has none/],
  ['secret', 'another secret', { secret: 'guess' }, { secret: 'sesame' }, /another secret/],
];

describe.each(different)('%s: %s', (code, _, ours, theirs, words) => {
  test('is refused with a reason at both ends, once, and not dialled again', async () => {
    const a = await nodes.start({ ...ours, settings: { ...quick, ...ours.settings } });
    const b = await nodes.start({ ...theirs, settings: quick });
    a.transport.link(b.address);
    await until('the refusal', () => a.failures.length > 0 && b.log.length > 0);
    expect(a.failures[0]).toMatchObject({
      address: b.address,
      failure: { code: 'refused', refusal: { code, by: b.address } },
    });
    expect(a.failures[0]?.failure.message).toMatch(words);
    expect(a.failures[0]?.failure.message).toContain(b.address);
    expect(b.warnings(new RegExp(a.key))[0]?.message).toMatch(words);
    const said = JSON.stringify([a.failures, a.log, b.log]);
    expect(said).not.toMatch(/sesame|guess/);
    await until('both hung up', () => a.transport.connections + b.transport.connections === 0);
    // A peer that is let in later on the same clock shows that nothing else was under way.
    const c = await nodes.start({ ...theirs, settings: quick });
    c.transport.link(b.address);
    await linked(b, c);
    expect(a.failures).toHaveLength(1);
    expect([a.ups, b.ups.length]).toEqual([[], 1]);
  });
});

test('asking again after a refusal dials again', async () => {
  const a = await nodes.start({ secret: 'sesame' });
  const b = await nodes.start();
  a.transport.link(b.address);
  await until('refused', () => a.failures.length === 1);
  a.transport.link(b.address);
  await until('refused again', () => a.failures.length === 2);
});

test('with the same secret at both ends they are linked', async () => {
  const [a, b] = await nodes.pair({ secret: 'sesame' }, { secret: 'sesame' });
  expect((await a.transport.probe(b.address, 5_000))?.self).toBe(b.key);
});

test('a probe without the secret learns nothing', async () => {
  const [a, b] = [await nodes.start({ secret: 'guess' }), await nodes.start({ secret: 'sesame' })];
  expect(await a.transport.probe(b.address, 5_000)).toBeUndefined();
});

describe('at the upgrade', () => {
  test('a web page is turned away, an allowed one is not', async () => {
    const a = await nodes.start({ allowedOrigins: ['https://console.example'] });
    const page = new RawPeer(a.address, '/', { Origin: 'https://evil.example' });
    await until('the answer', () => page.answer !== undefined);
    expect(page.answer?.status).toBe(403);
    expect(page.answer?.body).toContain('https://evil.example');
    await new RawPeer(a.address, '/', { Origin: 'https://console.example' }).open();
    expect(a.warnings(/web page/)).toHaveLength(1);
  });

  test('an unknown path and another subprotocol are turned away', async () => {
    const a = await nodes.start();
    const lost = new RawPeer(a.address, '/admin');
    await until('the answer', () => lost.answer !== undefined);
    expect(lost.answer?.status).toBe(404);
    const response = await fetch(a.address.replace('ws:', 'http:'));
    expect([response.status, response.headers.get('upgrade')]).toEqual([426, 'websocket']);
    const plain = await fetch(a.address.replace('ws:', 'http:'), { method: 'POST', body: 'x' });
    expect(plain.status).toBe(426);
  });
});

describe('a warning', () => {
  const open = (some: TestNodeOptions) => nodes.make({ listen: 'ws://0.0.0.0:0', ...some });

  test('is logged once when anybody beyond this machine could join', async () => {
    const a = await open({}).listen();
    expect(a.warnings(/neither a secret nor mutual TLS/)).toHaveLength(1);
  });

  test('is not when there is a secret, or when nobody beyond it can', async () => {
    const [a, b] = [await open({ secret: 's' }).listen(), await nodes.start()];
    expect([a.log, b.log]).toEqual([[], []]);
  });
});

test('a refusal that a peer makes up ends in one clean line', async () => {
  const a = await nodes.start();
  const peer = await new RawPeer(a.address).open();
  peer.ws.send(JSON.stringify({ type: 'refuse', code: 'secret', message: '\u001b[2Jgone\n' }));
  await until('hung up', () => peer.closed !== undefined);
  expect(a.warnings(/was refused by/)[0]?.message).toMatch(/\?\[2Jgone\?$/);
  expect(peer.closed?.code).toBe(4000);
});

test('what a hello lacks is named, and nothing changes', async () => {
  const a = await nodes.start();
  const peer = await new RawPeer(a.address).open();
  peer.ws.send(JSON.stringify({ type: 'hello', cluster: 'orders', protocol: PROTOCOL }));
  await until('hung up', () => peer.closed !== undefined);
  expect(peer.said).toEqual([
    { type: 'refuse', code: 'badFrame', message: 'the message has no unique address' },
  ]);
  expect(a.transport.counts.undecodable).toBe(1);
  expect(a.ups).toEqual([]);
});
