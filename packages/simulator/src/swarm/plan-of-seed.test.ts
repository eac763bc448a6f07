import { readSettings } from '@rollcall/core';
import { describe, expect, test } from 'vitest';
import { FAULTS, partOf } from './plan.js';
import { planOf } from './plan-of-seed.js';
import { readPlan } from './read-plan.js';

const plans = Array.from({ length: 300 }, (_, seed) => planOf(seed));

describe('planOf', () => {
  test('the same seed is the same plan, and another one another', () => {
    expect(planOf(7)).toEqual(planOf(7));
    expect(planOf(7)).not.toEqual({ ...planOf(8), seed: 7 });
  });

  test('between 2 and 30 nodes, and both ends are near', () => {
    const sizes = plans.map(({ nodes }) => nodes.length);
    expect(Math.min(...sizes)).toBe(2);
    expect(Math.max(...sizes)).toBeGreaterThan(24);
    expect(Math.max(...sizes)).toBeLessThanOrEqual(30);
  });

  test('every fault is off in about half of the seeds, and wild in a quarter', () => {
    for (const fault of FAULTS.filter((each) => each !== 'lease')) {
      const of = (level: string) => plans.filter(({ levels }) => levels[fault] === level).length;
      expect(of('off')).toBeGreaterThan(110);
      expect(of('wild')).toBeGreaterThan(45);
      expect(of('mild')).toBeGreaterThan(45);
    }
  });

  test('a lease fails only where there is one', () => {
    const failing = plans.filter(({ levels }) => levels.lease !== 'off');
    const strategies = failing.map(({ settings }) => settings['downing.strategy']);
    expect(new Set(strategies)).toEqual(new Set(['lease-majority']));
    const conducts = failing.flatMap(({ steps }) =>
      steps.flatMap((step) => (step.kind === 'lease' ? [step.conduct] : [])),
    );
    expect(new Set(conducts)).toEqual(new Set(['refusing', 'forgetful', 'silent']));
  });

  test('a fault that is off has no step, and steps are numbered in order of time', () => {
    for (const { steps, levels } of plans) {
      expect(steps.map(({ id }) => id)).toEqual([...steps.keys()]);
      expect(steps.map(({ atMs }) => atMs)).toEqual(
        steps.map(({ atMs }) => atMs).sort((a, b) => a - b),
      );
      const parts = new Set(steps.map(partOf));
      expect(FAULTS.filter((fault) => levels[fault] === 'off' && parts.has(fault))).toEqual([]);
    }
  });

  test('keep-majority is drawn twice as often as each of the others', () => {
    const counts = new Map<unknown, number>();
    for (const { settings } of plans) {
      const strategy = settings['downing.strategy'];
      counts.set(strategy, (counts.get(strategy) ?? 0) + 1);
    }
    expect(counts.size).toBe(6);
    expect(Math.max(...counts.values())).toBe(counts.get('keep-majority'));
  });

  test('settings can be used, and a plan survives JSON', () => {
    for (const plan of plans) {
      expect(readSettings(plan.settings).downing.strategy).toBe(plan.settings['downing.strategy']);
      expect(readPlan(JSON.stringify(plan))).toEqual(plan);
    }
  });
});
