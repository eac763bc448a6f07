import { ClusterError, type Member } from '@rollcall/core';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Chance } from './chance.js';
import { random, roundRobin } from './even-strategies.js';
import { key, member } from './fake-cluster.testing.js';
import { consistentHash, rendezvous } from './key-strategies.js';
import { leastSuspected } from './least-suspected.js';
import { RouteeSet } from './routee-set.js';
import type { Strategy } from './strategy.js';
import { weighted } from './weighted.js';

const of = (count: number): Member[] => Array.from({ length: count }, (_, i) => member(i + 1));
const setOf = (strategy: Strategy, members: readonly Member[], seed = 0.4) => {
  const chance = new Chance({ next: () => seed, uid: () => '' });
  return RouteeSet.empty(chance, strategy).with(members, new Map());
};
/** How often each of `count` members is picked. */
function counted(set: RouteeSet, picks: number, keyOf: (i: number) => string = () => ''): number[] {
  const counts = new Map(set.members.map(({ node }) => [node, 0]));
  for (let i = 0; i < picks; i++) {
    const node = set.pick(keyOf(i));
    counts.set(node, (counts.get(node) ?? 0) + 1);
  }
  return [...counts.values()];
}

describe('round robin', () => {
  it('gives each its turn, and goes on where it was when members come and go', () => {
    const set = setOf(roundRobin(), of(3));
    expect([set.pick(''), set.pick('')]).toEqual([key(1), key(2)]);
    const more = set.with(of(5), new Map());
    expect([more.pick(''), more.pick('')]).toEqual([key(3), key(4)]);
    const fewer = more.with(of(2), new Map());
    expect([fewer.pick(''), fewer.pick('')]).toEqual([key(1), key(2)]);
  });

  it('is even to within one', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 20 }), fc.integer({ min: 0, max: 200 }), (n, picks) => {
        const counts = counted(setOf(roundRobin(), of(n)), picks);
        expect(Math.max(...counts) - Math.min(...counts)).toBeLessThanOrEqual(1);
      }),
    );
  });
});

describe('random', () => {
  it('gives each about as much', () => {
    for (const count of counted(setOf(random(), of(10)), 10_000))
      expect(Math.abs(count - 1_000)).toBeLessThan(200);
  });
});

describe('least suspected', () => {
  const suspicion =
    (phis: Readonly<Record<number, number>>) =>
    (node: string): number | undefined =>
      phis[Number(/(\d+):/.exec(node)?.[1])];

  it('never takes the most suspected of more than one, and the calm ones evenly', () => {
    const set = setOf(leastSuspected(), of(5));
    set.sample(suspicion({ 1: 7, 2: 0.3, 3: 0.9, 4: 0.1 }));
    const counts = counted(set, 12_000);
    expect(counts[0]).toBe(0);
    for (const count of counts.slice(1)) expect(Math.abs(count - 3_000)).toBeLessThan(400);
  });

  it('takes the less suspected of two, and the only one there is', () => {
    const two = setOf(leastSuspected(), of(2));
    two.sample(suspicion({ 1: 3, 2: 2 }));
    expect(counted(two, 50)).toEqual([0, 50]);
    const one = setOf(leastSuspected(), of(1));
    one.sample(suspicion({ 1: 300 }));
    expect(one.pick('')).toBe(key(1));
  });

  it('believes others of a member that this node does not observe', () => {
    const members = [member(1, { reachability: 'suspected' }), member(2)];
    const set = setOf(leastSuspected(), members);
    set.sample(suspicion({ 2: 5 }));
    expect(counted(set, 50)).toEqual([0, 50]);
  });
});

describe('weighted', () => {
  it('is in proportion, and asks anew at every pick', () => {
    const weights: Record<string, number> = { [key(1)]: 1, [key(2)]: 3, [key(3)]: 0 };
    const set = setOf(
      weighted(({ node }) => weights[node] ?? 0),
      of(3),
    );
    const [one = 0, three = 0, none] = counted(set, 8_000);
    expect(none).toBe(0);
    expect(three / one).toBeCloseTo(3, 0);
    weights[key(1)] = 0;
    expect(counted(set, 100)).toEqual([0, 100, 0]);
  });

  it('takes all alike when nobody weighs anything', () => {
    const counts = counted(
      setOf(
        weighted(() => 0),
        of(4),
      ),
      4_000,
    );
    for (const count of counts) expect(Math.abs(count - 1_000)).toBeLessThan(200);
  });

  it('never picks what weighs nothing, however the numbers round', () => {
    const weight = fc.oneof(fc.constant(0), fc.double({ min: 0, max: 1e300, noNaN: true }));
    fc.assert(
      fc.property(
        fc.array(weight, { minLength: 1, maxLength: 8 }),
        fc.double({ min: 0, max: 0.999, noNaN: true }),
        (weights, seed) => {
          fc.pre(weights.some((each) => each > 0));
          const members = of(weights.length);
          const weigh = ({ node }: Member) =>
            weights[members.findIndex((m) => m.node === node)] ?? 0;
          const set = setOf(weighted(weigh), members, seed);
          for (let i = 0; i < 20; i++) {
            const node = set.pick('');
            const picked = members.findIndex((each) => each.node === node);
            expect(weights[picked]).toBeGreaterThan(0);
          }
        },
      ),
    );
  });

  it.each([Number.NaN, -1, Number.POSITIVE_INFINITY, '5', undefined])(
    'refuses %j as a weight, and names whose it is',
    (weight) => {
      const set = setOf(
        weighted(() => weight as number),
        of(2),
      );
      expect(() => set.pick('')).toThrow(ClusterError);
      expect(() => set.pick('')).toThrow(`not ${weight} for ${key(1)}`);
    },
  );

  it('refuses what is no metric', () => {
    expect(() => weighted(5 as never)).toThrow('not number');
  });
});

describe('strategies by key', () => {
  it.each([consistentHash, rendezvous])(
    '%o: the same key goes to the same member, at every node',
    (strategy) => {
      const order = fc.shuffledSubarray(of(8), { minLength: 8 });
      fc.assert(
        fc.property(
          order,
          fc.string(),
          fc.double({ max: 0.9, min: 0, noNaN: true }),
          (members, name, seed) => {
            expect(setOf(strategy(), members, seed).pick(name)).toBe(
              setOf(strategy(), of(8)).pick(name),
            );
          },
        ),
      );
    },
  );

  it.each([consistentHash, rendezvous])(
    '%o: a restart at an address takes its keys up again',
    (strategy) => {
      const again = [member(1), member(2, { node: key(2, 99) }), member(3)];
      const [before, after] = [setOf(strategy(), of(3)), setOf(strategy(), again)];
      for (let i = 0; i < 100; i++) {
        const [one, other] = [before.pick(`k${i}`), after.pick(`k${i}`)];
        expect(other).toBe(one === key(2) ? key(2, 99) : one);
      }
    },
  );

  it('with bounded loads go on to the next only while their member has its fill', () => {
    const strategy = consistentHash({ boundedLoad: 1.25 });
    const set = setOf(strategy, of(4));
    const home = set.pick('hot');
    // 15 under way, 16 with this one: at most 5 each.
    for (const { node } of set.members) set.add(node, node === home ? 5 : 3);
    set.add(set.members.find(({ node }) => node !== home)?.node as string, 1);
    expect(set.totalLoad).toBe(15);
    expect(set.pick('hot')).not.toBe(home);
    set.add(home, -1);
    expect(set.pick('hot')).toBe(home);
  });

  it.each([
    [{ points: 0 }, 'points takes a whole number from 1 to 1024, not 0'],
    [{ probes: 1.5 }, 'probes takes a whole number from 1 to 16, not 1.5'],
    [{ boundedLoad: 1 }, 'boundedLoad takes a number above 1 and at most 100, such as 1.25, not 1'],
    [{ bound: 2 }, "no option 'bound'; the nearest is"],
  ])('refuse %j', (given, said) => {
    expect(() => consistentHash(given as object)).toThrow(said);
  });
});
