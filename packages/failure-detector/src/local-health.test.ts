import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { LocalHealth } from './local-health.js';

describe('local health', () => {
  it('rises one step for each thing that speaks against the node, up to its worst', () => {
    const health = new LocalHealth();
    const scores = Array.from({ length: 9 }, () => {
      health.worsen();
      return health.score;
    });
    expect(scores).toEqual([1, 2, 3, 4, 5, 6, 7, 7, 7]);
  });

  it('falls one step for ten clean intervals without a break', () => {
    const health = new LocalHealth();
    health.worsen();
    health.worsen();
    for (let i = 0; i < 9; i++) health.passed(true);
    health.passed(false);
    for (let i = 0; i < 9; i++) health.passed(true);
    expect(health.score).toBe(2);
    health.passed(true);
    expect(health.score).toBe(1);
    for (let i = 0; i < 10; i++) health.passed(true);
    expect(health.isWell).toBe(true);
  });

  it('begins to count clean intervals anew when something speaks against it', () => {
    const health = new LocalHealth({ cleanIntervals: 3 });
    health.worsen();
    health.passed(true);
    health.passed(true);
    health.worsen();
    health.passed(true);
    expect(health.score).toBe(2);
  });

  it('is always well without a score', () => {
    const health = new LocalHealth({ scoreMax: 0 });
    health.worsen();
    expect(health.isWell).toBe(true);
  });

  it('stays within its bounds, and enough clean intervals always mend it', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom('worse', 'clean', 'unclean')), (steps) => {
        const health = new LocalHealth({ scoreMax: 7, cleanIntervals: 10 });
        for (const step of steps) {
          if (step === 'worse') health.worsen();
          else health.passed(step === 'clean');
          if (health.score < 0 || health.score > 7) return false;
        }
        for (let i = 0; i < 70; i++) health.passed(true);
        return health.isWell;
      }),
    );
  });

  it.each([
    [{ scoreMax: -1 }, 'scoreMax must be a whole number from 0 to 1000, not -1'],
    [{ cleanIntervals: 0 }, 'cleanIntervals must be a whole number from 1 to 1000, not 0'],
  ])('refuses %j', (settings, message) => {
    expect(() => new LocalHealth(settings)).toThrow(message);
  });
});
