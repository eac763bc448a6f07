import { describe, expect, test } from 'vitest';
import { Scheduler } from './scheduler.js';
import { SimulatedClock } from './simulated-clock.js';

function world() {
  const scheduler = new Scheduler();
  const seen: string[] = [];
  scheduler.walk(1_000);
  const clock = new SimulatedClock(scheduler);
  const note = (what: string) => () => seen.push(`${what} at ${clock.nowMs()}`);
  return { scheduler, seen, clock, note };
}

describe('SimulatedClock', () => {
  test('starts at 0 whenever its process starts', () => {
    const { scheduler, seen, clock, note } = world();
    expect(clock.nowMs()).toBe(0);
    clock.schedule(250, note('timer'));
    scheduler.walk(2_000);
    expect(seen).toEqual(['timer at 250']);
    expect(clock.nowMs()).toBe(1_000);
  });

  test('a timer taken back does not fire; taking it back late is harmless', () => {
    const { scheduler, seen, clock, note } = world();
    clock.schedule(10, note('taken back'))();
    const late = clock.schedule(10, note('fired'));
    scheduler.walk(1_100);
    late();
    expect(seen).toEqual(['fired at 10']);
    expect(scheduler.waiting).toBe(0);
  });

  test('what fell due while it stood still happens on resuming, by deadline, and time went on', () => {
    const { scheduler, seen, clock, note } = world();
    clock.schedule(30, note('later'));
    clock.schedule(20, note('sooner'));
    clock.schedule(500, note('after'));
    clock.pause();
    scheduler.walk(1_200);
    expect(seen).toEqual([]);
    clock.resume();
    scheduler.walk(2_000);
    expect(seen).toEqual(['sooner at 200', 'later at 200', 'after at 500']);
  });

  test('a timer may be taken back by an earlier one on resuming', () => {
    const { scheduler, seen, clock, note } = world();
    const second = clock.schedule(20, note('second'));
    clock.schedule(10, () => {
      note('first')();
      second();
    });
    clock.pause();
    scheduler.walk(1_100);
    clock.resume();
    scheduler.walk(1_200);
    expect(seen).toEqual(['first at 100']);
  });

  test('paused again before it caught up, it keeps what is left, in order', () => {
    const { scheduler, seen, clock, note } = world();
    clock.schedule(10, () => {
      note('first')();
      clock.pause();
    });
    clock.schedule(20, note('second'));
    clock.pause();
    scheduler.walk(1_050);
    clock.resume();
    scheduler.walk(1_060);
    expect(seen).toEqual(['first at 50']);
    clock.resume();
    scheduler.walk(1_070);
    expect(seen).toEqual(['first at 50', 'second at 60']);
  });

  test('once its process is gone nothing fires, and nothing new is taken', () => {
    const { scheduler, seen, clock, note } = world();
    clock.schedule(10, note('armed before'));
    clock.stop();
    clock.schedule(10, note('armed after'));
    scheduler.walk(1_100);
    expect(seen).toEqual([]);
  });

  test('a delay that is no number is a bug of whoever armed it', () => {
    const { clock } = world();
    expect(() => clock.schedule(Number.NaN, () => {})).toThrow(/NaN/);
    expect(() => clock.schedule(-1, () => {})).toThrow(/-1 ms/);
  });
});
