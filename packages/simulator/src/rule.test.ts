import { describe, expect, test } from 'vitest';
import {
  around,
  cut,
  duplicate,
  flipFlop,
  isolate,
  latency,
  longTail,
  loss,
  type PacketFacts,
  partition,
  type Rule,
  reorder,
  sample,
  segmentLoss,
  uniform,
} from './rule.js';
import { SeededRandom } from './seeded-random.js';

const random = () => new SeededRandom(11, 'rules');
const packet = (from: string, to: string, more: Partial<PacketFacts> = {}): PacketFacts => ({
  from,
  to,
  kind: 'frame',
  sizeBytes: 50,
  sentAtMs: 0,
  ...more,
});
const ask = (rule: Rule, from: string, to: string) => rule(packet(from, to), random());

/** How often a rule says something else than pass, of 10,000 packets of a kind. */
function rate(rule: Rule, kind: PacketFacts['kind'] = 'frame'): number {
  const luck = random();
  let count = 0;
  for (let i = 0; i < 10_000; i++) if (rule(packet('a', 'b', { kind }), luck) !== 'pass') count++;
  return count / 10_000;
}

describe('rules', () => {
  test('a cut is one way', () => {
    expect(ask(cut('a', 'b'), 'a', 'b')).toBe('drop');
    expect(ask(cut('a', 'b'), 'b', 'a')).toBe('pass');
    expect(ask(cut('a', 'b'), 'a', 'c')).toBe('pass');
  });

  test('a partition holds between groups, not within; the unnamed are a group of their own', () => {
    const rule = partition(['a', 'b'], ['c']);
    expect(ask(rule, 'a', 'b')).toBe('pass');
    expect(ask(rule, 'a', 'c')).toBe('drop');
    expect(ask(rule, 'c', 'b')).toBe('drop');
    expect(ask(rule, 'x', 'y')).toBe('pass');
    expect(ask(rule, 'x', 'a')).toBe('drop');
  });

  test('an isolated node still talks to itself', () => {
    expect(ask(isolate('a'), 'a', 'b')).toBe('drop');
    expect(ask(isolate('a'), 'b', 'a')).toBe('drop');
    expect(ask(isolate('a'), 'a', 'a')).toBe('pass');
    expect(ask(isolate('a'), 'b', 'c')).toBe('pass');
  });

  test('loss, duplication and reordering happen as often as asked, and never to a dial', () => {
    for (const rule of [loss(0.1), duplicate(0.1), reorder(0.1, 50)]) {
      expect(rate(rule)).toBeCloseTo(0.1, 1);
      expect(rate(rule, 'dial')).toBe(0);
      expect(rate(rule, 'answer')).toBe(0);
    }
    expect(rate(loss(0))).toBe(0);
    expect(rate(loss(1))).toBe(1);
  });

  test("TCP's loss delays: 200 ms, and twice as much for each further loss of the same segment", () => {
    const luck = random();
    const delays = new Map<number, number>();
    for (let i = 0; i < 20_000; i++) {
      const verdict = segmentLoss(0.3)(packet('a', 'b'), luck);
      const delayMs = typeof verdict === 'object' && verdict.kind === 'delay' ? verdict.delayMs : 0;
      delays.set(delayMs, (delays.get(delayMs) ?? 0) + 1);
    }
    expect([...delays.keys()].sort((a, b) => a - b).slice(0, 4)).toEqual([0, 200, 600, 1_400]);
    expect((delays.get(0) ?? 0) / 20_000).toBeCloseTo(0.7, 1);
    expect((delays.get(200) ?? 0) / 20_000).toBeCloseTo(0.21, 1);
  });

  test('loss of either kind takes datagrams one by one, and delays none', () => {
    for (const rule of [loss(0.3), segmentLoss(0.3)])
      expect(rate(rule, 'datagram')).toBeCloseTo(0.3, 1);
  });

  test('latency is added to every packet and keeps the order', () => {
    const verdict = { kind: 'delay', delayMs: 30, mayBeOvertaken: false };
    expect(ask(latency(30), 'a', 'b')).toEqual(verdict);
    expect(latency(30)(packet('a', 'b', { kind: 'dial' }), random())).toEqual(verdict);
  });

  test('around and flipFlop narrow a rule to some nodes and some times', () => {
    const always: Rule = () => 'drop';
    expect(ask(around(['a'], always), 'a', 'b')).toBe('drop');
    expect(ask(around(['a'], always), 'b', 'a')).toBe('drop');
    expect(ask(around(['a'], always), 'b', 'c')).toBe('pass');
    const at = (sentAtMs: number) =>
      flipFlop(20_000, always)(packet('a', 'b', { sentAtMs }), random());
    expect([at(0), at(19_999), at(20_000), at(39_999), at(40_000)]).toEqual([
      'drop',
      'drop',
      'pass',
      'pass',
      'drop',
    ]);
  });

  test('distributions stay within their bounds; a long tail is mostly near its usual value', () => {
    const luck = random();
    const drawn = Array.from({ length: 10_000 }, () => sample(longTail(1, 101), luck));
    expect(Math.min(...drawn)).toBeGreaterThanOrEqual(1);
    expect(Math.max(...drawn)).toBeLessThan(101);
    expect(drawn.filter((ms) => ms < 2).length / 10_000).toBeCloseTo(0.68, 1);
    const even = Array.from({ length: 1_000 }, () => sample(uniform(5, 10), luck));
    expect(Math.min(...even)).toBeGreaterThanOrEqual(5);
    expect(Math.max(...even)).toBeLessThan(10);
    expect(sample(3, luck)).toBe(3);
  });
});
