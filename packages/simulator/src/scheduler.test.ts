import { describe, expect, test } from 'vitest';
import { Scheduler } from './scheduler.js';
import { SimulatedClock } from './simulated-clock.js';

describe('Scheduler', () => {
  test('walks from deadline to deadline: each event sees its own time, also one put in on the way', () => {
    const scheduler = new Scheduler();
    const seen: number[] = [];
    const note = () => seen.push(scheduler.nowMs);
    scheduler.plan(30, note);
    scheduler.plan(10, () => {
      note();
      scheduler.plan(scheduler.nowMs + 5, note);
    });
    expect(scheduler.walk(100)).toBe('arrived');
    expect(seen).toEqual([10, 15, 30]);
    expect(scheduler.nowMs).toBe(100);
  });

  test('ties fire in the order in which they were put in', () => {
    const scheduler = new Scheduler();
    const seen: string[] = [];
    for (const name of ['first', 'second', 'third']) scheduler.plan(7, () => seen.push(name));
    scheduler.walk(7);
    expect(seen).toEqual(['first', 'second', 'third']);
  });

  test('an event due in the past fires now, after those due now', () => {
    const scheduler = new Scheduler();
    const seen: string[] = [];
    scheduler.plan(10, () => {
      scheduler.plan(3, () => seen.push(`late, at ${scheduler.nowMs}`));
    });
    scheduler.plan(10, () => seen.push('due'));
    scheduler.walk(20);
    expect(seen).toEqual(['due', 'late, at 10']);
  });

  test('stops where it is asked to, once everything of that moment has happened', () => {
    const scheduler = new Scheduler();
    const seen: string[] = [];
    scheduler.plan(10, () => seen.push('a'));
    scheduler.plan(10, () => seen.push('b'));
    scheduler.plan(20, () => seen.push('c'));
    expect(scheduler.walk(100, () => seen.length > 0)).toBe('stopped');
    expect(seen).toEqual(['a', 'b']);
    expect(scheduler.nowMs).toBe(10);
  });

  test('no timer fires early, and a delay too small to be seen still lets time go on', () => {
    const scheduler = new Scheduler();
    const seen: number[] = [];
    const note = () => void seen.push(scheduler.nowMs);
    scheduler.plan(1_000_000.1, note);
    scheduler.walk(1_000_001);
    expect(seen[0]).toBeGreaterThanOrEqual(1_000_000.1);
    expect((seen[0] ?? 0) - 1_000_000.1).toBeLessThan(0.001);
    const startMs = scheduler.nowMs;
    let again = 3;
    const clock = new SimulatedClock(scheduler);
    const rearm = () => {
      note();
      if (again-- > 0) clock.schedule(1e-12, rearm);
    };
    rearm();
    scheduler.walk(startMs + 1);
    expect(new Set(seen).size).toBe(5);
  });

  test('events without end at one moment are found out', () => {
    const scheduler = new Scheduler();
    const again = () => scheduler.plan(scheduler.nowMs, again);
    scheduler.plan(10, again);
    const forever = () => {
      while (scheduler.walk(20) === 'settle');
    };
    expect(forever).toThrow('time does not go on');
  });

  test('stops once for promises, also on the last event, and goes on where it was', () => {
    const scheduler = new Scheduler();
    scheduler.plan(10, () => scheduler.settleSoon());
    expect(scheduler.walk(10)).toBe('settle');
    expect(scheduler.nowMs).toBe(10);
    expect(scheduler.walk(50)).toBe('arrived');
    expect(scheduler.nowMs).toBe(50);
  });
});
