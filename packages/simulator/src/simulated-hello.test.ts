import { ClusterError, nodeKey } from '@rollcall/core';
import { describe, expect, test } from 'vitest';
import { addressFor } from './node-name.js';
import { isolate } from './rule.js';
import { SmallNetwork, type SmallNode } from './small-network.testing.js';

const bytes = (...values: number[]) => Uint8Array.from(values);
const say = (from: SmallNode, to: SmallNode, ...values: number[]) =>
  from.transport.send(to.hello.self, bytes(...values), 'urgent');

function linked(oneWayMs = 1) {
  const net = new SmallNetwork(oneWayMs);
  const [a, b] = [net.node('a'), net.node('b')];
  a.transport.link(addressFor('b'));
  net.run(10 * oneWayMs);
  return { net, a, b };
}

describe('SimulatedTransport: hellos', () => {
  test('nobody is let in before a node knows who it is', async () => {
    const net = new SmallNetwork();
    const [a, b] = [net.node('a'), net.silentNode('b')];
    const told: string[] = [];
    const note = (what: string) => () => void told.push(what);
    await b.transport.listen({
      linkUp: note('up'),
      linkDown: note('down'),
      frame: note('frame'),
      dialFailed: note('failed'),
      message: note('message'),
    });
    a.transport.link(addressFor('b'));
    net.run(50);
    expect(told).toEqual([]);
    b.transport.identify(b.hello);
    net.run(1_000);
    expect(told).toEqual(['up']);
    expect(a.told.at(-1)).toMatch(/up b#1 dialled$/);
  });

  test('a refusal reaches the dialler with its reason, is noted by the other, and ends the dialling', () => {
    const net = new SmallNetwork();
    const a = net.node('a');
    const b = net.node('b', '1', { cluster: 'another' });
    a.transport.link(addressFor('b'));
    net.run(60_000);
    expect(a.told).toEqual(['2 failed b clusterName']);
    expect(b.told).toEqual([]);
    expect([a.counters.refusals, b.counters.refusals]).toEqual([1, 1]);
    expect(net.trace.lines().some((line) => /refuses .*a.* named 'test'/.test(line))).toBe(true);
  });

  test('under a new unique address every old link is closed, and wanted ones are made anew', () => {
    const { net, a, b } = linked();
    a.transport.identify({ ...a.hello, self: nodeKey(addressFor('a'), '2') });
    expect(a.told).toHaveLength(1);
    net.run(10);
    expect(a.told.slice(1)).toEqual(['10 down b#1', '12 up b#1 dialled']);
    expect(b.told.slice(1)).toEqual(['11 down a#1', '11 up a#2']);
  });

  test('a link to itself carries frames to itself and counts as none to others', () => {
    const net = new SmallNetwork();
    const a = net.node('a');
    a.transport.link(addressFor('a'));
    net.run(10);
    say(a, a, 5);
    net.run(10);
    expect(a.told).toEqual(['2 up a#1 dialled']);
    expect(a.frames).toEqual([bytes(5)]);
  });

  test('two processes cannot listen at one address', async () => {
    const net = new SmallNetwork();
    net.node('a');
    const twin = net.silentNode('a', '2');
    await expect(
      twin.transport.listen({
        linkUp() {},
        linkDown() {},
        frame() {},
        dialFailed() {},
        message() {},
      }),
    ).rejects.toMatchObject({ code: 'cannotListen' });
  });

  test('a probe brings the hello of whoever is there, of any cluster, and leaves no link', async () => {
    const net = new SmallNetwork();
    const a = net.node('a');
    const b = net.node('b', '7', { cluster: 'another' });
    const found = a.transport.probe(addressFor('b'), 1_000);
    const nobody = a.transport.probe(addressFor('c'), 1_000);
    const myself = a.transport.probe(addressFor('a'), 1_000);
    net.run(10);
    expect(await found).toEqual(b.hello);
    expect(await nobody).toBeUndefined();
    expect(await myself).toEqual(a.hello);
    expect([a.told, b.told]).toEqual([[], []]);
    net.run(10);
    expect([a.counters.connections, b.counters.connections]).toEqual([0, 0]);
  });

  test('a probe that nobody answers ends with its time', async () => {
    const net = new SmallNetwork();
    const [a] = [net.node('a'), net.node('b')];
    net.network.addRule(isolate('b'));
    const found = a.transport.probe(addressFor('b'), 700);
    net.run(701);
    expect(await found).toBeUndefined();
  });
});

describe('SimulatedTransport: a process that stands still', () => {
  test('frames and dials wait in its sockets; the dialler gives up meanwhile', () => {
    const { net, a, b } = linked();
    const c = net.node('c');
    b.clock.pause();
    say(a, b, 1);
    c.transport.link(addressFor('b'));
    net.run(3_500);
    expect(b.frames).toEqual([]);
    expect(c.told).toEqual(['3010 failed b timeout']);
    b.clock.resume();
    net.run(1);
    expect(b.frames).toEqual([bytes(1)]);
    net.run(3_500);
    expect(c.told.at(-1)).toMatch(/up b#1 dialled$/);
    expect(c.counters.connections).toBe(1);
    expect(b.counters.connections).toBe(2);
  });
});

describe('SimulatedTransport: user messages', () => {
  test('arrive as values of their own', async () => {
    const { net, a, b } = linked();
    const value = { text: 'hello', list: [1, 2] };
    await a.transport.prepare(b.hello.self, value)();
    value.list.push(3);
    net.run(1);
    expect(b.messages).toEqual([{ text: 'hello', list: [1, 2] }]);
  });

  test('are refused without a link, and above the limit', async () => {
    const { net, a, b } = linked();
    const stranger = net.node('c').hello.self;
    await expect(a.transport.prepare(stranger, 1)()).rejects.toMatchObject({ code: 'noLink' });
    const large = 'x'.repeat(5_000_000);
    expect(() => a.transport.prepare(b.hello.self, large)).toThrow(ClusterError);
  });
});
