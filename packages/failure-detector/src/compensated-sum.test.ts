import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CompensatedSum } from './compensated-sum.js';

describe('a compensated sum', () => {
  it('keeps what a plain sum loses beside something large', () => {
    const terms = Float64Array.of(1e24, 1, 3, -1e24);
    const sum = new CompensatedSum(terms, 1);
    for (const at of terms.keys()) sum.account(1, at);
    expect(sum.value).toBe(4);
    expect(1e24 + 1 + 3 - 1e24).not.toBe(4);
  });

  it('returns to the same value when everything added is taken out again', () => {
    const terms = fc.array(fc.double({ min: -1e12, max: 1e12, noNaN: true }), { maxLength: 200 });
    fc.assert(
      fc.property(terms, (terms) => {
        const sum = new CompensatedSum(Float64Array.of(0.1, ...terms), 1);
        for (let at = 0; at <= terms.length; at++) sum.account(1, at);
        for (let at = 1; at <= terms.length; at++) sum.account(-1, at);
        expect(sum.value).toBeCloseTo(0.1, 12);
      }),
    );
  });

  it('sums squares as well, and takes them out again', () => {
    const sum = new CompensatedSum(Float64Array.of(3, 4, -1e9), 2);
    for (const at of [0, 1, 2]) sum.account(1, at);
    expect(sum.value).toBe(1e18 + 25);
    sum.account(-1, 2);
    expect(sum.value).toBe(25);
  });
});
