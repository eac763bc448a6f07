/** User messages between live transports: what arrives, what comes back to the sender, and what it costs the control lane. */
import { ClusterError } from '@rollcall/core';
import { afterEach, describe, expect, test } from 'vitest';
import { RawPeer } from './raw-peer.testing.js';
import { linked, post, type TestNode, TestNodes, until } from './test-node.testing.js';

const nodes = new TestNodes();
afterEach(() => nodes.close());

const values = (node: TestNode): unknown[] => node.messages.map(({ value }) => value);
const codeOf = (error: unknown): unknown => (error instanceof ClusterError ? error.code : error);

test('values arrive as they were, in order, from whom they came', async () => {
  const [a, b] = await nodes.pair();
  const sent = [new Map([['a', new Set([1n])]]), new Date(0), undefined, { deep: [Number.NaN] }];
  for (const value of sent) await post(a.transport, b.key, value);
  await until('all', () => b.messages.length === sent.length);
  expect(values(b)).toEqual(sent);
  expect(b.messages.every(({ from }) => from === a.key)).toBe(true);
});

test('two connections serve a pair that exchanges messages, whoever began', async () => {
  const [a, b] = await nodes.pair();
  expect(a.transport.connections).toBe(1);
  await post(a.transport, b.key, 'one way');
  await post(b.transport, a.key, 'and back');
  await until('both', () => a.messages.length === 1 && b.messages.length === 1);
  expect([a.transport.connections, b.transport.connections]).toEqual([2, 2]);
});

test('when both begin at once, messages keep their order and two connections are left', async () => {
  const count = 30;
  const all = Array.from({ length: count }, (_, n) => n);
  for (let round = 0; round < 15; round += 1) {
    const [a, b] = await nodes.pair();
    const posts = all.flatMap((n) => [post(a.transport, b.key, n), post(b.transport, a.key, n)]);
    await Promise.all(posts);
    await until('all', () => a.messages.length === count && b.messages.length === count);
    expect([values(a), values(b)]).toEqual([all, all]);
    await until('two each', () => a.transport.connections + b.transport.connections === 4);
    await Promise.all([post(a.transport, b.key, 'more'), post(b.transport, a.key, 'more')]);
    await nodes.close();
  }
});

test('the lane closes when idle, and the next message opens it again', async () => {
  const settings = { 'limits.idleLink': 100 };
  const [a, b] = await nodes.pair({ settings }, { settings });
  b.transport.link(a.address);
  for (const n of [1, 2, 3]) {
    await post(a.transport, b.key, n);
    await until('it arrives', () => b.messages.length === n);
    await until('the lane closes', () => a.transport.connections === 1);
  }
  expect([a.downs, b.downs]).toEqual([[], []]);
});

describe('the sender hears', () => {
  test('noLink, when there is none', async () => {
    const [a, b] = [await nodes.start(), await nodes.start()];
    expect(await post(a.transport, b.key, 1).catch(codeOf)).toBe('noLink');
  });

  test('tooLarge, with the limit, and nothing is sent', async () => {
    const settings = { 'limits.messageBytes': 2_000 };
    const [a, b] = await nodes.pair({ settings }, { settings });
    const error = await post(a.transport, b.key, 'x'.repeat(3_000)).catch((e: unknown) => e);
    expect(error).toMatchObject({ code: 'tooLarge', data: { max: 2_000 } });
    await post(a.transport, b.key, 'x'.repeat(1_900));
    await until('the small one', () => b.messages.length === 1);
  });

  test('backPressure, when the outbox is full, and of those that it took nothing is lost', async () => {
    const settings = { 'limits.userOutbox': 10, 'limits.userBuffered': 1_024 };
    const [a, b] = await nodes.pair({ settings }, { settings });
    const posts = Array.from({ length: 60 }, (_, n) =>
      post(a.transport, b.key, [n, 'x'.repeat(100_000)]),
    );
    const ends = await Promise.allSettled(posts);
    const taken = ends.flatMap(({ status }, n) => (status === 'fulfilled' ? [n] : []));
    const refused = ends.flatMap((end) => (end.status === 'rejected' ? [codeOf(end.reason)] : []));
    expect(new Set(refused)).toEqual(new Set(['backPressure']));
    expect(taken.length).toBeGreaterThanOrEqual(10);
    await until('all that were taken', () => b.messages.length === taken.length);
    expect(values(b).map((value) => (value as [number])[0])).toEqual(taken);
    await post(a.transport, b.key, 'room again');
  });

  test('noLink, when the peer goes while messages wait', async () => {
    const [a, b] = await nodes.pair();
    await post(a.transport, b.key, 'first');
    await b.transport.close();
    await until('down', () => a.downs.length === 1);
    expect(await post(a.transport, b.key, 'x').catch(codeOf)).toBe('noLink');
  });

  test('stopped, when this node goes before the lane is open', async () => {
    const [a, b] = await nodes.pair();
    const posted = post(a.transport, b.key, 'x').catch(codeOf);
    await a.transport.close();
    expect(await posted).toBe('stopped');
  });

  test('TypeError, of what cannot be sent at all', async () => {
    const [a, b] = await nodes.pair();
    await expect(post(a.transport, b.key, () => 1)).rejects.toBeInstanceOf(TypeError);
  });
});

test('a message to itself is a copy with the same care: values survive, limits hold', async () => {
  const settings = { 'limits.messageBytes': 2_000 };
  const [a] = await nodes.pair({ settings });
  const sent = { at: new Date(0), seen: new Set([1n]) };
  await post(a.transport, a.key, sent);
  expect(values(a)).toEqual([sent]);
  expect(values(a)[0]).not.toBe(sent);
  expect(await post(a.transport, a.key, 'x'.repeat(4_000)).catch(codeOf)).toBe('tooLarge');
  await expect(post(a.transport, a.key, () => 1)).rejects.toBeInstanceOf(TypeError);
});

test('a message to a run that is gone is not given to its successor', async () => {
  const [a, b] = await nodes.pair({}, { uid: 'old' });
  const before = b.key;
  b.identify('new');
  // Whether the link is gone already or not: what was meant for the old run reaches nobody.
  const code = await post(a.transport, before, 'for the old one').catch(codeOf);
  expect(code).toBe('noLink');
  await linked(a, b);
  await post(a.transport, b.key, 'for the new one');
  await until('it arrives', () => b.messages.length === 1);
  expect(values(b)).toEqual(['for the new one']);
});

test('control does not wait behind 2 MB messages both ways', async () => {
  const [a, b] = await nodes.pair();
  const message = 'x'.repeat(2_000_000);
  const messages = 24;
  let rounds = 0;
  let isPosting = true;
  // Ping-pong on the control lane for as long as user data flows.
  b.onFrame = (_, bytes) => b.transport.send(a.key, bytes, 'heartbeat');
  const delivered: number[] = [];
  a.onFrame = () => {
    rounds += 1;
    delivered.push(a.messages.length + b.messages.length);
    if (isPosting) a.send(b, `${rounds}`, 'heartbeat');
  };
  a.send(b, 'go', 'heartbeat');
  const postAll = async (from: TestNode, to: TestNode): Promise<void> => {
    for (let n = 0; n < messages; n += 1) await post(from.transport, to.key, [n, message]);
  };
  await Promise.all([postAll(a, b), postAll(b, a)]);
  isPosting = false;
  await until(
    'all messages',
    () => a.messages.length === messages && b.messages.length === messages,
  );
  const order = Array.from({ length: messages }, (_, n) => n);
  expect(values(a).map((value) => (value as [number])[0])).toEqual(order);
  expect(values(b).map((value) => (value as [number])[0])).toEqual(order);
  // Between any two answers at most a few messages were taken: no answer waited for the whole stream.
  const steps = delivered.slice(1).map((n, i) => n - (delivered[i] ?? 0));
  expect(Math.max(...steps)).toBeLessThanOrEqual(6);
  expect(rounds).toBeGreaterThanOrEqual(messages / 3);
  expect([a.downs, b.downs]).toEqual([[], []]);
});

test('control frames of a congested link: newest heartbeat, newest gossip, urgent in order', async () => {
  const small = { 'limits.controlBuffered': 1_024, 'limits.controlOutbox': 8 };
  const settings = { ...small, 'limits.frameBytes': 60_000_000 };
  const [a, b] = await nodes.pair({ settings }, { settings });
  // More than the kernel takes at once, so that what follows finds the socket full.
  a.send(b, 'x'.repeat(30_000_000));
  for (let n = 0; n < 10; n += 1) {
    a.send(b, `heartbeat ${n}`, 'heartbeat');
    a.send(b, `gossip ${n}`, 'gossip');
    a.send(b, `urgent ${n}`, 'urgent');
  }
  await until('the rest', () => b.frames.length >= 9);
  const texts = b.texts().slice(1);
  expect(texts.filter((text) => text.startsWith('urgent'))).toEqual(
    Array.from({ length: 6 }, (_, n) => `urgent ${n}`),
  );
  expect(texts).toContain('heartbeat 9');
  expect(texts).toContain('gossip 9');
  expect(texts).toHaveLength(8);
  expect(a.transport.counts.framesDropped).toBe(4);
});

test('what cannot be read closes the lane that brought it, and nothing else', async () => {
  const [a, b] = await nodes.pair();
  const hello = { ...b.hello, self: 'ws://127.0.0.1:1#raw' };
  const control = await RawPeer.letIn(a.address, hello);
  const user = await RawPeer.letIn(a.address, hello, 'user');
  await until('up', () => a.up.has(hello.self));
  user.ws.send('{"json":{"__proto__":{"polluted":true}}}');
  await until('closed', () => user.closed !== undefined);
  expect(user.closed).toMatchObject({ code: 1007, reason: expect.stringMatching(/prototype/) });
  expect(control.closed).toBeUndefined();
  expect(a.messages).toEqual([]);
  expect(a.transport.counts.undecodable).toBe(1);
});

test('a class that only one side names costs its message, and nothing else', async () => {
  class Money {
    cents = 5n;
  }
  const [a, b] = await nodes.pair({ classes: { Money } });
  await post(a.transport, b.key, ['ask', 3, new Money()]);
  await post(a.transport, b.key, 'more');
  await until('the next', () => b.messages.length === 1);
  expect(values(b)).toEqual(['more']);
  expect(b.unreadables).toEqual([
    { from: a.key, head: ['ask', 3], problem: expect.stringContaining("unknown class 'Money'") },
  ]);
  expect([b.transport.counts.messagesUnreadable, b.transport.counts.undecodable]).toEqual([1, 0]);
  expect(a.transport.connections).toBe(2);
});
