/** A link that lost to another of its pair, seen from a peer that hears of it late. */
import { afterEach, expect, test } from 'vitest';
import { RawPeer } from './raw-peer.testing.js';
import { post, type TestNode, TestNodes, until } from './test-node.testing.js';

const nodes = new TestNodes();
afterEach(() => nodes.close());

/** The highest port there is: the other end has the lower key and closes the loser. */
const later = (node: TestNode) => ({ ...node.hello, self: 'ws://127.0.0.1:65535#raw' });
/** The lowest: the other end has the higher key and leaves closing to us. */
const earlier = (node: TestNode) => ({ ...node.hello, self: 'ws://127.0.0.1:1#raw' });

test('what was sent on it before its goodbye was heard still arrives', async () => {
  const a = await nodes.start();
  const first = await RawPeer.letIn(a.address, later(a));
  await until('up', () => a.up.size === 1);
  first.ws.pause();
  const second = await RawPeer.letIn(a.address, later(a));
  second.ws.send(Buffer.from('on the second'));
  await until('the second is in use', () => a.frames.length === 1);
  for (let n = 0; n < 10; n += 1) first.ws.send(Buffer.from(`on the first ${n}`));
  await until('all of them', () => a.frames.length === 11);
  first.ws.resume();
  await until('the first closes', () => first.closed !== undefined);
  expect(first.closed?.code).toBe(4001);
  expect([second.closed, a.told]).toEqual([undefined, ['up ws://127.0.0.1:65535']]);
});

test('user messages do not overtake each other from one to the other', async () => {
  const a = await nodes.start();
  const hello = later(a);
  const first = await RawPeer.letIn(a.address, hello, 'user');
  await until('let in', () => first.heard.length === 2);
  await post(a.transport, hello.self, 1);
  await until('the first message', () => first.heard.length === 3);
  first.ws.pause();
  const second = await RawPeer.letIn(a.address, hello, 'user');
  second.ws.send('{"json":"here"}');
  await until('the second is in use', () => a.messages.length === 1);
  const posted = post(a.transport, hello.self, 2);
  second.ws.send('{"json":"still here"}');
  await until('an answer could have come', () => a.messages.length === 2);
  expect(second.heard).toHaveLength(2);
  first.ws.resume();
  await posted;
  await until('the second message', () => second.heard.length === 3);
  expect(first.closed?.code).toBe(4001);
  expect([first.heard[2], second.heard[2]]).toEqual(['{"json":1}', '{"json":2}']);
});

test('is closed by the higher end too, when the lower one seems not to know of it', async () => {
  const settings = { 'limits.handshake': 200 };
  const a = await nodes.start({ settings });
  const first = await RawPeer.letIn(a.address, earlier(a));
  const second = await RawPeer.letIn(a.address, earlier(a));
  await until('the first is closed', () => first.closed !== undefined);
  expect(first.closed?.code).toBe(4001);
  expect([second.closed, a.told]).toEqual([undefined, ['up ws://127.0.0.1:1']]);
});
