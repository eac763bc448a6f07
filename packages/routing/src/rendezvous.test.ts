import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Rendezvous } from './rendezvous.js';
import { addresses, keys, peakOf, shares, someNames } from './ring-cases.testing.js';

const many = keys(10_000);

describe('rendezvous', () => {
  it('says the same in whichever order the names come', () => {
    const orders = someNames(1, 12).chain((names) =>
      fc.tuple(fc.constant(names), fc.shuffledSubarray(names, { minLength: names.length })),
    );
    fc.assert(
      fc.property(
        orders,
        fc.array(fc.string(), { maxLength: 100 }),
        ([names, shuffled], wanted) => {
          const [one, other] = [new Rendezvous(names), new Rendezvous(shuffled)];
          expect(wanted.map((key) => other.ownerOf(key))).toEqual(
            wanted.map((key) => one.ownerOf(key)),
          );
        },
      ),
    );
  });

  it('gives a name that comes keys of the others, and moves none between them', () => {
    fc.assert(
      fc.property(someNames(2, 20), fc.array(fc.string(), { maxLength: 100 }), (names, wanted) => {
        const [fresh = '', ...before] = names;
        const [without, with_] = [new Rendezvous(before), new Rendezvous(names)];
        for (const key of wanted)
          if (with_.ownerOf(key) !== fresh) expect(with_.ownerOf(key)).toBe(without.ownerOf(key));
      }),
    );
  });

  it('splits evenly: what is above the mean is what chance leaves of 500 keys each', () => {
    fc.assert(
      fc.property(fc.nat(0xffff), (salt) => {
        const names = addresses(20, salt);
        const choice = new Rendezvous(names);
        const peak = peakOf(shares(names, many, (key) => choice.ownerOf(key)).values());
        // Five standard deviations of a binomial.
        expect(peak).toBeLessThanOrEqual(1 + 5 / Math.sqrt(500));
      }),
    );
  });

  it('has nobody among no names', () => {
    expect(new Rendezvous([]).ownerOf('a')).toBeUndefined();
  });
});
