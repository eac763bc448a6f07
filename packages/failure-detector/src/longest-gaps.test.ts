import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DetectorSettingsError } from './detector-settings.js';
import { LongestGaps } from './longest-gaps.js';

describe('the longest gaps', () => {
  it('are those that a sort of all of them puts first', () => {
    const gaps = fc.array(fc.double({ min: 0, max: 1e6, noNaN: true }), { maxLength: 200 });
    const keep = fc.integer({ min: 1, max: 40 });
    fc.assert(
      fc.property(gaps, keep, fc.integer({ min: 0, max: 50 }), (all, kept, most) => {
        const longest = new LongestGaps(kept);
        for (const gapMs of all) longest.add(gapMs);
        const sorted = all.toSorted((a, b) => b - a).slice(0, kept);
        expect(longest.count).toBe(all.length);
        expect(longest.longest()).toEqual(sorted);
        expect(longest.longest(most)).toEqual(sorted.slice(0, most));
      }),
    );
  });

  it('are copies: a later gap does not change what was handed out', () => {
    const longest = new LongestGaps(2);
    longest.add(5);
    const before = longest.longest();
    longest.add(7);
    expect(before).toEqual([5]);
    expect(longest.longest()).toEqual([7, 5]);
  });

  it.each([Number.NaN, -1, 2e12, Number.POSITIVE_INFINITY])('%d is no gap', (gapMs) => {
    const longest = new LongestGaps(2);
    longest.add(gapMs);
    expect([longest.count, longest.longest()]).toEqual([0, []]);
  });

  it.each([0, 1.5, 10_001])('cannot be %d', (keep) => {
    expect(() => new LongestGaps(keep)).toThrow(DetectorSettingsError);
  });
});
