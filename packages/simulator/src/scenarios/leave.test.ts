/** Leaving in good order: quick, and nobody is ever held unreachable for it. */
import type { NodeKey } from '@rollcall/core';
import { describe, expect, test } from 'vitest';
import { nodeNames } from '../node-name.js';
import type { Simulation } from '../simulation.js';
import { isFormed, isUnreachableAt } from '../view.js';
import {
  type Case,
  cases,
  isWhole,
  keyOf,
  named,
  pick,
  steady,
  TRIP_MS,
} from './script.testing.js';
import { Witness } from './witness.testing.js';

const LEFT_WITHIN_MS = 2_000;

async function leave({ n, seed }: Case, count: number) {
  const witness = new Witness();
  const sim = await steady(n, seed, { startCluster: witness.startCluster });
  const leavers = pick(sim, count).map((name) => sim.node(name));
  const keys = leavers.map(keyOf);
  const outcomes = leavers.map(({ name }) => sim.leave(name));
  const isOver = () => outcomes.every(({ state }) => state === 'done') && isWhole(sim);
  await sim.runUntil(isOver, LEFT_WITHIN_MS, 'all have left and the rest is one again');
  expect(leavers.map((run) => run.ending?.reason)).toEqual(leavers.map(() => 'left'));
  expect(witness.suspected()).toEqual([]);
  return { sim, witness, keys };
}

/** Each of the rest told exactly once of each that left. */
function expectToldOnce(sim: Simulation, witness: Witness, keys: readonly NodeKey[]) {
  for (const key of keys) {
    for (const run of sim.running) expect(witness.removalsOf(key).get(keyOf(run))).toBe(1);
  }
}

describe('Leave: within 2 s, never unreachable', () => {
  test.each(cases({ 5: 10, 25: 2 }))(`one ${named}`, async (each) => {
    const { sim, witness, keys } = await leave(each, 1);
    expectToldOnce(sim, witness, keys);
  });

  test.each(cases({ 5: 10, 25: 1 }))(`three at once ${named}`, async (each) => {
    const { sim, witness, keys } = await leave(each, 3);
    expectToldOnce(sim, witness, keys);
  });

  test.each(cases({ 5: 10, 25: 2 }))(`all at once ${named}`, async (each) => {
    const { sim } = await leave(each, each.n);
    expect(sim.running).toEqual([]);
  });

  test.each(cases({ 5: 4, 25: 1 }))(`one after the other, and back ${named}`, async (each) => {
    const witness = new Witness();
    const sim = await steady(each.n, each.seed, { startCluster: witness.startCluster });
    for (const name of nodeNames(each.n).slice(0, 5)) {
      const left = sim.leave(name);
      await sim.runUntil(() => left.state === 'done', LEFT_WITHIN_MS, `${name} has left`);
      sim.restart(name);
      await sim.runUntil(() => isFormed(sim.nodes), 3_000, `${name} is back`);
    }
    expect(witness.suspected()).toEqual([]);
  });

  test.each(cases({ 2: 4, 5: 4 }))(
    `a last word that nobody heard is said again ${named}`,
    async ({ n, seed }) => {
      // The same story twice: once to learn when it is said, once to be deaf just then.
      const witness = new Witness();
      const first = await steady(n, seed, { startCluster: witness.startCluster });
      first.leave('n2');
      await first.run(LEFT_WITHIN_MS);
      const exited = witness.of('memberExited').find(({ by }) => by === first.node('n2').key);
      const saidAtMs = exited?.atMs ?? Number.NaN;

      const sim = await steady(n, seed);
      sim.add(({ from, sentAtMs }) =>
        from === 'n2' && sentAtMs >= saidAtMs && sentAtMs < saidAtMs + 150 ? 'drop' : 'pass',
      );
      const left = sim.leave('n2');
      const isOver = () => left.state === 'done' && isWhole(sim);
      await sim.runUntil(isOver, LEFT_WITHIN_MS, 'it has left all the same');
      expect(sim.nowMs - saidAtMs).toBeGreaterThanOrEqual(150);
      // It is repeated every 200 ms.
      expect(sim.nowMs - saidAtMs).toBeLessThan(300);
      expect(sim.node('n2').ending?.reason).toBe('left');
    },
  );

  test.each(cases({ 5: 4 }))(`asked for by another member ${named}`, async (each) => {
    const sim = await steady(each.n, each.seed);
    const [asking, asked] = pick(sim, 2).map((name) => sim.node(name));
    asking?.leave(`ws://${asked?.name}:7355`);
    await sim.runUntil(() => asked?.ending !== undefined, LEFT_WITHIN_MS, 'it has left');
    expect(asked?.ending?.reason).toBe('left');
  });
});

describe('Leave: with an unreachable member, and nobody downs it', () => {
  const manual = { downing: { strategy: 'manual' } } as const;

  test.each(cases({ 5: 6, 25: 1 }))(`is forced within leave.timeout ${named}`, async (each) => {
    const sim = await steady(each.n, each.seed, { settings: manual });
    const [dead = '', leaver = ''] = pick(sim, 2);
    sim.crash(dead);
    const key = keyOf(sim.node(dead));
    const rest = sim.running.filter(({ name }) => name !== leaver);
    await sim.runUntil(() => isUnreachableAt(rest, key), TRIP_MS + 1_000, 'it is unreachable');
    const left = sim.leave(leaver);
    const { leave } = sim.node(leaver).options.settings;
    const ms = await sim.runUntil(() => left.state === 'done', leave.timeout, 'it has left');
    expect(ms).toBeGreaterThan(leave.timeout / 2);
    expect(sim.node(leaver).ending?.reason).toBe('left');
    const warnings = sim.trace.lines().filter((line) => line.includes('leaving without agreement'));
    expect(warnings).toHaveLength(1);
    expect(warnings[0]).toMatch(new RegExp(`${leaver} +warn .*\\b${dead}\\b`));
    expect(sim.running).toHaveLength(each.n - 2);
  });
});
