import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { FlapGuard } from './flap-guard.js';

const turn = (guard: FlapGuard, count: number, atMs: number) => {
  if (count % 2 === 0) guard.convicted(atMs);
  else guard.believed(atMs);
};

const after = (turnsAtMs: readonly number[], settings = {}) => {
  const guard = new FlapGuard(settings);
  for (const [count, atMs] of turnsAtMs.entries()) turn(guard, count, atMs);
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
    expect(after([0, 30_000, 60_001, 80_000]).isHolding).toBe(false);
    expect(after([0, 30_000, 60_001, 80_000, 90_000]).isHolding).toBe(true);
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
      for (const count of [0, 1, 2]) turn(guard, count, fromMs + count);
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
    guard.convicted(3);
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
            if (step === 'turn') guard.convicted(nowMs);
            else if (step === 'relapse') guard.relapsed(nowMs);
            else guard.release(nowMs);
          }
          return !guard.isHolding || guard.release(nowMs + 600_000);
        },
      ),
    );
  });

  it('begins to hold with a verdict, never with one that is taken back', () => {
    for (const turns of [2, 3, 4, 5]) {
      const guard = new FlapGuard({ turns });
      let nowMs = 0;
      for (let count = 1; count <= turns + 1; count++) {
        nowMs += 1_000;
        if (count % 2 === 0) {
          guard.believed(nowMs);
          expect(guard.isHolding).toBe(false);
        } else {
          guard.convicted(nowMs);
          expect(guard.isHolding).toBe(count >= turns);
          if (guard.isHolding) break;
        }
      }
      expect(guard.heldUntilMs).toBe(nowMs + 30_000);
    }
  });

  /** A guard that has seen so many heartbeats: `x` came and was a sign of life, `o` came and was none, `.` was lost. */
  const heard = (pattern: string, settings = {}) => {
    const guard = new FlapGuard(settings);
    let lost = 0;
    for (const [at, mark] of [...pattern].entries()) {
      if (mark === '.') lost++;
      else {
        guard.beat(lost, mark === 'x', at * 1_000);
        lost = 0;
      }
    }
    return guard;
  };

  it('counts a subject of whose last 32 heartbeats fewer than six were signs of life as hardly heard', () => {
    const five = `${'.'.repeat(27)}xxxxx`;
    expect(heard(five)).toMatchObject({ heard: 5, isHardlyHeard: true });
    expect(heard(`${five.slice(1)}x`)).toMatchObject({ heard: 6, isHardlyHeard: false });
    expect(heard('oooooox'.repeat(5))).toMatchObject({ heard: 5, isHardlyHeard: true });
    expect(heard('.'.repeat(500))).toMatchObject({ heard: 32, isHardlyHeard: false });
    expect(heard(`${'.'.repeat(500)}x`)).toMatchObject({ heard: 1, isHardlyHeard: true });
  });

  it('takes one of which it knows nothing yet for one that is heard', () => {
    expect(new FlapGuard().isHardlyHeard).toBe(false);
    expect(heard('o'.repeat(26)).isHardlyHeard).toBe(false);
    expect(heard('o'.repeat(27)).isHardlyHeard).toBe(true);
  });

  it('holds at once who is to be held at once, unless nobody is', () => {
    const guard = new FlapGuard();
    guard.convicted(1_000, true);
    expect(guard.heldUntilMs).toBe(31_000);
    const off = new FlapGuard({ holdDownMs: 0 });
    off.convicted(1_000, true);
    expect(off.isHolding).toBe(false);
  });

  it('lets nobody go who is hardly heard, until that is a hold-down ago', () => {
    const guard = heard('o'.repeat(32));
    guard.convicted(0, true);
    for (let second = 8; second <= 96; second += 8) guard.beat(7, true, second * 1_000);
    expect(guard.release(100_000)).toBe(false);
    for (let second = 97; second <= 103; second++) guard.beat(0, true, second * 1_000);
    expect(guard.heldUntilMs).toBe(127_000);
    expect(guard.release(127_000)).toBe(true);
  });

  it('forgives what was not heard as well', () => {
    const guard = heard('o'.repeat(32));
    guard.forgive();
    expect(guard.isHardlyHeard).toBe(false);
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
