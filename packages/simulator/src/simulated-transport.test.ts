import { describe, expect, test } from 'vitest';
import { addressFor } from './node-name.js';
import { cut, isolate, partition } from './rule.js';
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

describe('SimulatedTransport: links', () => {
  test('a dial makes a link at both ends, one way and one round trip later', () => {
    const { a, b } = linked(5);
    expect(b.told).toEqual(['5 up a#1']);
    expect(a.told).toEqual(['10 up b#1 dialled']);
  });

  test('frames are bytes of their own at the receiver, in order, after the latency', () => {
    const { net, a, b } = linked();
    const mine = bytes(1, 2, 3);
    a.transport.send(b.hello.self, mine, 'gossip');
    say(a, b, 4);
    mine.fill(9);
    net.run(1);
    expect(b.frames).toEqual([bytes(1, 2, 3), bytes(4)]);
    say(b, a, 7);
    net.run(1);
    expect(a.frames).toEqual([bytes(7)]);
    expect(a.counters).toMatchObject({ framesSent: 2, bytesSent: 4, framesReceived: 1 });
  });

  test('wanting a link twice, or one that the other end dialled, dials no second one', () => {
    const { net, a, b } = linked();
    a.transport.link(addressFor('b'));
    b.transport.link(addressFor('a'));
    net.run(100);
    expect([a.told.length, b.told.length]).toEqual([1, 1]);
    expect([a.counters.connections, b.counters.connections]).toEqual([1, 1]);
  });

  test('dials that cross leave one link: the one that the lower unique address made', () => {
    const net = new SmallNetwork(3);
    const [a, b] = [net.node('a'), net.node('b')];
    a.transport.link(addressFor('b'));
    b.transport.link(addressFor('a'));
    net.run(1_000);
    expect(a.told).toEqual(['6 up b#1 dialled']);
    expect(b.told).toEqual(['3 up a#1']);
    expect([a.counters.connections, b.counters.connections]).toEqual([1, 1]);
    say(a, b, 1);
    say(b, a, 2);
    net.run(3);
    expect([a.frames.length, b.frames.length]).toEqual([1, 1]);
  });

  test('nobody there: it fails, and is tried again with pauses until somebody listens', () => {
    const net = new SmallNetwork();
    const a = net.node('a');
    a.transport.link(addressFor('b'));
    net.run(10_000);
    const failures = a.told.length;
    expect(a.told[0]).toBe('2 failed b unreachable');
    expect(failures).toBeGreaterThan(4);
    expect(failures).toBeLessThan(12);
    net.node('b');
    net.run(3_100);
    expect(a.told.at(-1)).toMatch(/ up b#1 dialled$/);
  });

  test('no answer at all is a time-out after the handshake limit', () => {
    const net = new SmallNetwork();
    const [a] = [net.node('a'), net.node('b')];
    net.network.addRule(isolate('b'));
    a.transport.link(addressFor('b'));
    net.run(3_001);
    expect(a.told).toEqual(['3000 failed b timeout']);
  });

  test('a lost link is told at both ends; the one who wants it dials again', () => {
    const { net, a, b } = linked();
    net.kill(b);
    net.run(1);
    expect(a.told.at(-1)).toBe('11 down b#1');
    const again = net.node('b', '2');
    net.run(500);
    expect(a.told.at(-1)).toMatch(/ up b#2 dialled$/);
    expect(again.told).toHaveLength(1);
  });

  test('a partition is silence: the link stays, frames are lost, and flow again when it heals', () => {
    const { net, a, b } = linked();
    b.transport.link(addressFor('a'));
    const heal = net.network.addRule(partition(['a'], ['b']));
    say(a, b, 1);
    net.run(60_000);
    expect([a.told.length, b.told.length, b.frames.length]).toEqual([1, 1, 0]);
    heal();
    say(a, b, 2);
    net.run(1);
    expect(b.frames).toEqual([bytes(2)]);
  });

  test('a link to a process that died unheard breaks with the first frame after', () => {
    const { net, a, b } = linked();
    const heal = net.network.addRule(cut('b', 'a'));
    net.kill(b);
    net.run(1_000);
    expect(a.told).toHaveLength(1);
    heal();
    net.node('b', '2');
    say(a, b, 1);
    net.run(2);
    expect(a.told.at(-1)).toBe('1012 down b#1');
  });

  test('a machine without power answers nothing, not even a dial', () => {
    const { net, a, b } = linked();
    net.network.setDark('b', true);
    net.kill(b);
    say(a, b, 1);
    net.run(5_000);
    expect(a.told).toHaveLength(1);
  });

  test('a link that neither end wants or uses goes after the idle limit', () => {
    const { net, a, b } = linked();
    a.transport.unlink(addressFor('b'));
    net.run(10_000);
    say(b, a, 1);
    net.run(14_000);
    expect(a.told).toHaveLength(1);
    net.run(1_100);
    expect(a.told.at(-1)).toMatch(/^2501\d down b#1$/);
    expect(b.told.at(-1)).toMatch(/^2501\d down a#1$/);
    expect([a.counters.connections, b.counters.connections]).toEqual([0, 0]);
    net.run(60_000);
    expect(a.told).toHaveLength(2);
  });

  test('a link that was last used at an odd moment grows idle like any other', () => {
    const net = new SmallNetwork(1 / 3);
    const [a, b] = [net.node('a'), net.node('b')];
    a.transport.link(addressFor('b'));
    net.run(10);
    a.transport.unlink(addressFor('b'));
    for (let i = 1; i < 60; i++) {
      say(a, b, 1);
      net.run(977 / 7 + 1e-9 * i);
    }
    net.run(30_000);
    expect([a.counters.connections, b.counters.connections]).toEqual([0, 0]);
  });

  test('dropping a peer closes the link at both ends, later, and a wanted one is dialled again', () => {
    const { net, a, b } = linked();
    a.transport.drop(b.hello.self, 'a frame nobody can read');
    expect(a.told).toHaveLength(1);
    net.run(500);
    expect(a.told.slice(1)).toEqual(['10 down b#1', expect.stringMatching(/up b#1 dialled$/)]);
    expect(b.told.slice(1)).toEqual(['11 down a#1', expect.stringMatching(/up a#1$/)]);
  });

  test('a closed transport is gone for everybody and tells its own node nothing', async () => {
    const { net, a, b } = linked();
    const told = b.told.length;
    await b.transport.close();
    b.transport.link(addressFor('a'));
    net.run(500);
    expect(a.told[1]).toBe('11 down b#1');
    expect(a.told[2]).toMatch(/failed b unreachable$/);
    expect(b.told).toHaveLength(told);
    expect(b.counters.connections).toBe(0);
  });
});
