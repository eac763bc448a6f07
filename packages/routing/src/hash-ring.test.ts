import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { HashRing } from './hash-ring.js';
import { addresses, keys, peakOf, shares, someNames } from './ring-cases.testing.js';

const ownersOn = (ring: HashRing, wanted: readonly string[]) =>
  wanted.map((key) => ring.ownerOf(key));
const many = keys(10_000);

describe('a ring', () => {
  it('says the same for 10,000 keys, in whichever order its names come and however it came to be', () => {
    const orders = someNames(1, 12).chain((names) =>
      fc.tuple(
        fc.constant(names),
        fc.shuffledSubarray(names, { minLength: names.length }),
        fc.shuffledSubarray(names),
        someNames(0, 5),
      ),
    );
    fc.assert(
      fc.property(orders, ([names, shuffled, some, others]) => {
        const owners = ownersOn(HashRing.of(names), many);
        expect(ownersOn(HashRing.of(shuffled), many)).toEqual(owners);
        // Through other rings, with names that come and go.
        const grown = HashRing.of(some)
          .with([...some, ...others])
          .with(shuffled);
        expect(ownersOn(grown, many)).toEqual(owners);
      }),
      { numRuns: 30 },
    );
  });

  it('gives a name that comes keys of the others, and moves none between them', () => {
    fc.assert(
      fc.property(someNames(2, 20), fc.array(fc.string(), { maxLength: 200 }), (names, wanted) => {
        const [fresh = '', ...before] = names;
        const ring = HashRing.of(before);
        const next = ring.with(names);
        for (const key of wanted)
          if (next.ownerOf(key) !== fresh) expect(next.ownerOf(key)).toBe(ring.ownerOf(key));
      }),
    );
  });

  it('moves at most 1.5 × keys / n for one of n names that comes or goes', () => {
    fc.assert(
      fc.property(fc.integer({ min: 2, max: 60 }), fc.nat(0xffff), (count, salt) => {
        const all = addresses(count, salt);
        const with_ = ownersOn(HashRing.of(all), many);
        const without = ownersOn(HashRing.of(all.slice(1)), many);
        const moved = with_.filter((owner, i) => owner !== without[i]).length;
        expect(moved).toBeGreaterThan(0);
        expect(moved).toBeLessThanOrEqual((1.5 * many.length) / count);
      }),
    );
  });

  it('loads nobody of twenty with more than 1.35 of the mean, at 64 points', () => {
    let worst = 0;
    fc.assert(
      fc.property(fc.nat(0xffff), fc.string(), (salt, prefix) => {
        const names = addresses(20, salt);
        const ring = HashRing.of(names);
        expect(ring.options.points).toBe(64);
        const wanted = many.map((key) => prefix + key);
        const peak = peakOf(shares(names, wanted, (key) => ring.ownerOf(key)).values());
        worst = Math.max(worst, peak);
        expect(peak).toBeLessThanOrEqual(1.35);
      }),
    );
    expect(worst).toBeGreaterThan(1);
  });

  it('needs its probes for that: with one, some twenty names do not get there', () => {
    const peaks = Array.from({ length: 100 }, (_, salt) => {
      const names = addresses(20, salt);
      const ring = HashRing.of(names, { probes: 1 });
      return peakOf(shares(names, many, (key) => ring.ownerOf(key)).values());
    });
    expect(peaks.filter((peak) => peak > 1.35).length).toBeGreaterThan(0);
  });

  it('is the same ring when nothing changes', () => {
    const ring = HashRing.of(addresses(5));
    expect(ring.with(addresses(5).reverse())).toBe(ring);
  });

  it('agrees with a plain search through all points', () => {
    fc.assert(
      fc.property(
        someNames(1, 8),
        fc.string(),
        fc.integer({ min: 1, max: 5 }),
        (names, key, probes) => {
          const ring = HashRing.of(names, { points: 3, probes });
          const alone = names.map((name) => HashRing.of([name], { points: 3, probes }));
          // Whoever wins among all wins against each.
          const owner = ring.ownerOf(key) as string;
          for (const other of names)
            expect(HashRing.of([owner, other], { points: 3, probes }).ownerOf(key)).toBe(owner);
          expect(alone.map((each) => each.ownerOf(key))).toEqual(names);
        },
      ),
    );
  });

  it.each([{ points: 0 }, { probes: 17 }, { point: 64 }])('refuses %j', (given) => {
    expect(() => HashRing.of(['a'], given as object)).toThrow(Object.keys(given)[0]);
  });

  it('without names has no owner for anything', () => {
    const ring = HashRing.of([]);
    expect([ring.ownerOf('a'), ring.indexOf('a')]).toEqual([undefined, -1]);
    expect(ring.indexWithin('a', [], 1)).toBe(-1);
    expect(HashRing.of(['a']).with([]).ownerOf('a')).toBeUndefined();
  });
});

describe('bounded loads', () => {
  /** Keys in a row that stay, each placed within the bound: the loads in the end. */
  function placed(ring: HashRing, wanted: readonly string[], bound: number): Int32Array {
    const loads = new Int32Array(ring.names.length);
    wanted.forEach((key, done) => {
      const cap = Math.ceil((bound * (done + 1)) / loads.length);
      const index = ring.indexWithin(key, loads, cap);
      loads[index] = (loads[index] as number) + 1;
    });
    return loads;
  }

  it('are kept at any skew of the keys: nobody has more than 1.25 of the mean', () => {
    const skews = fc.oneof(
      fc.constant(() => 'the one key'),
      fc.integer({ min: 1, max: 5 }).map((few) => (i: number) => `key-${i % few}`),
      fc
        .integer({ min: 1, max: 4 })
        .map((power) => (i: number) => `key-${Math.floor(i ** (1 / power))}`),
      fc.constant((i: number) => `key-${i}`),
    );
    fc.assert(
      fc.property(skews, fc.integer({ min: 2, max: 40 }), fc.nat(0xffff), (skew, count, salt) => {
        const ring = HashRing.of(addresses(count, salt));
        // A multiple of what makes the cap whole, so that rounding up does not blur the ratio.
        const wanted = Array.from({ length: count * 100 }, (_, i) => skew(i));
        expect(peakOf(placed(ring, wanted, 1.25))).toBeLessThanOrEqual(1.25);
      }),
      { numRuns: 60 },
    );
  });

  it('leave a key where it belongs while there is room', () => {
    const ring = HashRing.of(addresses(10));
    const loads = new Int32Array(10);
    for (const key of keys(100)) expect(ring.indexWithin(key, loads, 1)).toBe(ring.indexOf(key));
  });

  it('find the last one with room, and nobody when there is none', () => {
    const ring = HashRing.of(addresses(10));
    for (let last = 0; last < 10; last++) {
      const loads = new Int32Array(10).fill(3);
      loads[last] = 2;
      expect(ring.indexWithin('key', loads, 3)).toBe(last);
    }
    expect(ring.indexWithin('key', new Int32Array(10).fill(3), 3)).toBe(-1);
  });
});
