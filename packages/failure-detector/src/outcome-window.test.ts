import { describe, expect, it } from 'vitest';
import { OutcomeWindow } from './outcome-window.js';

const told = (window: OutcomeWindow, outcomes: string, atMs: number) => {
  for (const each of outcomes) window.report(each === '+', atMs);
  return window;
};

describe('outcomes of requests', () => {
  it('say nothing while they are few', () => {
    expect(told(new OutcomeWindow(), '---------', 0).isDegraded(0)).toBe(false);
  });

  it('make a subject degraded when half of them are failures', () => {
    expect(told(new OutcomeWindow(), '++++++----', 0).isDegraded(0)).toBe(false);
    expect(told(new OutcomeWindow(), '+++++-----', 0).isDegraded(0)).toBe(true);
  });

  it('make it well again at a quarter, so that it does not turn with every request', () => {
    const window = told(new OutcomeWindow(), '+++++-----', 0);
    expect(told(window, '+++++++++', 1).isDegraded(1)).toBe(true);
    expect(told(window, '+', 2).isDegraded(2)).toBe(false);
  });

  it('are forgotten: whoever is avoided is tried again', () => {
    const window = told(new OutcomeWindow(), '----------', 0);
    expect(window.isDegraded(29_999)).toBe(true);
    expect(window.isDegraded(30_000)).toBe(false);
    expect(window.isEmpty(30_000)).toBe(true);
  });

  it('are forgotten in steps, the oldest first', () => {
    const window = told(told(new OutcomeWindow(), '-----', 0), '-----', 15_000);
    expect(window.isDegraded(15_000)).toBe(true);
    expect(told(window, '++++++++++', 31_000).isDegraded(31_000)).toBe(true);
    expect(window.isDegraded(46_000)).toBe(false);
  });

  it('take no harm from a time that is none, or runs backwards', () => {
    const window = told(new OutcomeWindow(), '----------', 10_000);
    expect(window.isDegraded(Number.NaN)).toBe(true);
    expect(window.isDegraded(0)).toBe(true);
  });

  it.each([
    [{ windowMs: 0 }, 'windowMs'],
    [{ least: 0 }, 'least'],
    [{ failureShare: 0 }, 'failureShare'],
    [{ failureShare: 1.5 }, 'failureShare'],
  ])('are not counted with %j', (settings, name) => {
    expect(() => new OutcomeWindow(settings)).toThrow(new RegExp(`^${name} must be`));
  });
});
