import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { FlapGuard } from './flap-guard.js';

const after = (turnsAtMs: readonly number[], settings = {}) => {
  const guard = new FlapGuard(settings);
  for (const atMs of turnsAtMs) guard.turned(atMs);
  return guard;
};

describe('damping', () => {
  it('holds who turns three times within a minute, for half a minute', () => {
    expect(after([0, 20_000]).isHolding).toBe(false);
    const guard = after([0, 20_000, 60_000]);
    expect(guard.isHolding).toBe(true);
    expect(guard.heldUntilMs).toBe(90_000);
  });

  it('lets three turns over more than a minute pass', () => {
    expect(after([0, 30_000, 60_001]).isHolding).toBe(false);
    expect(after([0, 30_000, 60_001, 80_000]).isHolding).toBe(true);
  });

  it('releases once, after a hold-down without a relapse', () => {
    const guard = after([0, 1_000, 2_000]);
    guard.relapsed(20_000);
    expect(guard.release(49_999)).toBe(false);
    expect(guard.release(50_000)).toBe(true);
    expect(guard.release(50_001)).toBe(false);
    expect(guard.isHolding).toBe(false);
  });

  it('doubles the hold-down up to its longest, and begins anew after a time as long as that', () => {
    const guard = new FlapGuard({ holdDownMs: 1_000, holdDownMaxMs: 3_000 });
    const holdMs = (fromMs: number) => {
      for (const atMs of [fromMs, fromMs + 1, fromMs + 2]) guard.turned(atMs);
      const untilMs = guard.heldUntilMs;
      guard.release(untilMs);
      return untilMs - (fromMs + 2);
    };
    expect([0, 2_000, 5_000, 9_000, 20_000].map(holdMs)).toEqual([
      1_000, 2_000, 3_000, 3_000, 1_000,
    ]);
  });

  it('holds nobody without a hold-down', () => {
    expect(after([0, 1, 2, 3], { holdDownMs: 0 }).isHolding).toBe(false);
  });

  it('forgives: nothing it did counts', () => {
    const guard = after([0, 1, 2]);
    guard.forgive();
    expect(guard.isHolding).toBe(false);
    guard.turned(3);
    expect(guard.isHolding).toBe(false);
  });

  it('never holds longer than its longest hold-down after the last thing that happened', () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.constantFrom('turn', 'relapse', 'ask'), fc.nat(100_000))),
        (steps) => {
          const guard = new FlapGuard();
          let nowMs = 0;
          for (const [step, afterMs] of steps) {
            nowMs += afterMs;
            if (step === 'turn') guard.turned(nowMs);
            else if (step === 'relapse') guard.relapsed(nowMs);
            else guard.release(nowMs);
          }
          return !guard.isHolding || guard.release(nowMs + 600_000);
        },
      ),
    );
  });

  /** A guard that has seen so many intervals, and in which of them a heartbeat came. */
  const heard = (pattern: string, settings = {}) => {
    const guard = new FlapGuard(settings);
    for (const [at, mark] of [...pattern].entries()) guard.passed(mark === 'x', at * 1_000);
    return guard;
  };

  it('counts who was heard in fewer than six of 32 intervals as hardly heard', () => {
    const five = `${'.'.repeat(27)}xxxxx`;
    expect(heard(five).isHardlyHeard()).toBe(true);
    expect(heard(five).heardShare()).toBe(5 / 32);
    expect(heard(`${five.slice(1)}x`).isHardlyHeard()).toBe(false);
  });

  it('leaves out the silence that is judged, however long it is', () => {
    for (const silentFor of [5, 26, 27, 31, 32, 500]) {
      const guard = heard('x'.repeat(32) + '.'.repeat(silentFor));
      expect(guard.heardShare(silentFor)).toBe(1);
      expect(guard.isHardlyHeard(silentFor)).toBe(false);
    }
    expect(heard('....x....'.repeat(8)).heardShare(2)).toBe(4 / 30);
  });

  it('holds at once who is to be held at once, unless nobody is', () => {
    const guard = new FlapGuard();
    guard.turned(1_000, true);
    expect(guard.heldUntilMs).toBe(31_000);
    const off = new FlapGuard({ holdDownMs: 0 });
    off.turned(1_000, true);
    expect(off.isHolding).toBe(false);
  });

  it('lets nobody go who is hardly heard, until that is a hold-down ago', () => {
    const guard = heard('.'.repeat(32));
    guard.turned(0, true);
    for (let second = 1; second <= 100; second++) guard.passed(second % 8 === 0, second * 1_000);
    expect(guard.release(100_000)).toBe(false);
    for (let second = 101; second <= 104; second++) guard.passed(true, second * 1_000);
    expect(guard.heldUntilMs).toBe(131_000);
    expect(guard.release(131_000)).toBe(true);
  });

  it('takes one of which it knows nothing yet for one that is heard', () => {
    expect(new FlapGuard().isHardlyHeard()).toBe(false);
    expect(heard('.'.repeat(26)).isHardlyHeard()).toBe(false);
    expect(heard('.'.repeat(27)).isHardlyHeard()).toBe(true);
  });

  it('forgives what was not heard as well', () => {
    const guard = heard('.'.repeat(32));
    guard.forgive();
    expect(guard.isHardlyHeard()).toBe(false);
  });

  it.each([
    [{ turns: 0 }, 'turns'],
    [{ withinMs: -1 }, 'withinMs'],
    [{ holdDownMs: Number.NaN }, 'holdDownMs'],
    [{ holdDownMaxMs: -5 }, 'holdDownMaxMs'],
  ])('refuses %j', (settings, name) => {
    expect(() => new FlapGuard(settings)).toThrow(new RegExp(`^${name} must be`));
  });
});
