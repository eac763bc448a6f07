import { describe, expect, test } from 'vitest';
import { type Plan, partOf } from './plan.js';
import { planOf } from './plan-of-seed.js';
import { reduce } from './reduction.js';
import { shrink } from './shrink.js';
import type { Failed, SeedVerdict } from './survive.js';

const failed: Failed = { kind: 'stuck', atMs: 1, what: 'it waits' };
const settled: SeedVerdict = { kind: 'settled', end: 'whole', afterMs: 1 };

/** A seed with everything in it. */
const plan = Array.from({ length: 200 }, (_, seed) => planOf(seed)).find(
  ({ nodes, steps }) => nodes.length > 8 && steps.length > 40,
) as Plan;

const live = (fails: (plan: Plan) => boolean) => async (tried: Plan) => ({
  verdict: fails(tried) ? failed : settled,
});

describe('shrink', () => {
  test('down to the two steps that it takes', async () => {
    const [one, other] = plan.steps.filter(
      (step) => partOf(step) !== undefined && 'node' in step && step.node < 'n06',
    );
    const needed = [one?.id, other?.id];
    const fails = ({ steps }: Plan) => needed.every((id) => steps.some((step) => step.id === id));
    const { reduction } = await shrink(plan, failed, { live: live(fails), tries: 1_000 });
    const least = reduce(plan, reduction);
    expect(least.steps.filter((step) => partOf(step) !== undefined).map(({ id }) => id)).toEqual(
      needed,
    );
    expect(least.nodes.length).toBeLessThan(7);
    expect(least.faultsEndMs).toBeLessThanOrEqual((other?.atMs ?? 0) + 100);
  });

  test('to the fewest nodes', async () => {
    const fails = ({ nodes }: Plan) => nodes.length >= 5;
    const { reduction } = await shrink(plan, failed, { live: live(fails) });
    expect(reduction.nodes).toBe(5);
    expect(reduce(plan, reduction).steps.every(({ kind }) => kind === 'start')).toBe(true);
  });

  test('another failure is not this one', async () => {
    const other: Failed = { kind: 'violation', atMs: 1, what: 'I2 at n1' };
    const { reduction, verdict } = await shrink(plan, failed, {
      live: async () => ({ verdict: other }),
    });
    expect(reduction).toEqual({});
    expect(verdict).toBe(failed);
  });

  test('gives up when it has tried enough', async () => {
    const { tries } = await shrink(plan, failed, { live: live(() => false), tries: 7 });
    expect(tries).toBe(7);
  });
});
