import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CompensatedSum } from './compensated-sum.js';

describe('a compensated sum', () => {
  it('keeps what a plain sum loses beside something large', () => {
    const sum = new CompensatedSum();
    for (const term of [1e24, 1, 3, -1e24]) sum.add(term);
    expect(sum.value).toBe(4);
    expect(1e24 + 1 + 3 - 1e24).not.toBe(4);
  });

  it('returns to the same value when everything added is taken out again', () => {
    const terms = fc.array(fc.double({ min: -1e12, max: 1e12, noNaN: true }), { maxLength: 200 });
    fc.assert(
      fc.property(terms, (terms) => {
        const sum = new CompensatedSum();
        sum.add(0.1);
        for (const term of terms) sum.add(term);
        for (const term of terms) sum.add(-term);
        expect(sum.value).toBeCloseTo(0.1, 12);
      }),
    );
  });
});
