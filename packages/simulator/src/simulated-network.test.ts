import { describe, expect, test } from 'vitest';
import { addressFor } from './node-name.js';
import { duplicate, latency, loss, type Rule, reorder, segmentLoss, uniform } from './rule.js';
import { SmallNetwork } from './small-network.testing.js';

/** Two nodes say `count` numbered frames one way, one each millisecond, under a rule. */
function stream(rule: Rule | undefined, count = 200, oneWay: ReturnType<typeof uniform> = 1) {
  const net = new SmallNetwork(oneWay);
  const [a, b] = [net.node('a'), net.node('b')];
  a.transport.link(addressFor('b'));
  net.run(1_000);
  if (rule !== undefined) net.network.addRule(rule);
  for (let i = 0; i < count; i++) {
    a.transport.send(b.hello.self, Uint8Array.of(i), 'gossip');
    net.run(1);
  }
  net.run(10_000);
  return { net, got: b.frames.map((frame) => frame[0] ?? -1), b };
}

const inOrder = (numbers: readonly number[]) => numbers.every((n, i) => n >= (numbers[i - 1] ?? 0));

describe('SimulatedNetwork', () => {
  test('a link keeps its order however the latency varies', () => {
    const { got } = stream(undefined, 200, uniform(1, 40));
    expect(got).toHaveLength(200);
    expect(inOrder(got)).toBe(true);
  });

  test("TCP's loss loses nothing and keeps the order", () => {
    const { got } = stream(segmentLoss(0.2));
    expect(got).toHaveLength(200);
    expect(inOrder(got)).toBe(true);
  });

  test('loss loses, and is counted', () => {
    const { got, net } = stream(loss(0.25));
    expect(got.length).toBeGreaterThan(120);
    expect(got.length).toBeLessThan(180);
    expect(net.network.counters.dropped).toBe(200 - got.length);
  });

  test('reordering delivers everything, some of it late', () => {
    const { got } = stream(reorder(0.2, 30));
    expect(got).toHaveLength(200);
    expect(inOrder(got)).toBe(false);
  });

  test('a duplicate is a copy of its own', () => {
    const { b, net } = stream(duplicate(1, 5), 1);
    expect(b.frames).toHaveLength(2);
    b.frames[0]?.fill(99);
    expect(b.frames[1]).toEqual(Uint8Array.of(0));
    expect(net.network.counters.duplicated).toBe(1);
  });

  test('of several rules delays add up, and one drop is enough', () => {
    const net = new SmallNetwork(1);
    const [a, b] = [net.node('a'), net.node('b')];
    net.network.addRule(latency(10));
    const off = net.network.addRule(latency(100));
    a.transport.link(addressFor('b'));
    net.run(300);
    expect(b.told).toEqual(['111 up a#1']);
    off();
    net.network.addRule(loss(1));
    a.transport.send(b.hello.self, Uint8Array.of(1), 'gossip');
    net.run(300);
    expect(b.frames).toEqual([]);
    net.network.clearRules();
    a.transport.send(b.hello.self, Uint8Array.of(2), 'gossip');
    net.run(1);
    expect(b.frames).toEqual([Uint8Array.of(2)]);
  });

  test('the trace of frames says who sent what, and when it arrives', () => {
    const { net } = stream(loss(1), 1);
    expect(net.trace.lines().at(-1)).toBe(
      '    1000.000  a       sends               b: frame 0 (1 B) dropped',
    );
    expect(net.trace.lines()[0]).toBe(
      '       0.000  a       sends               b: dial arrives 1.000 ms later',
    );
  });
});
