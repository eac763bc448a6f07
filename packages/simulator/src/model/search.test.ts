/**
 * The reachable graphs of the exploration by which the rules were designed, figure for figure: what
 * ships behaves like the rules that were explored then, by another program, on every single step.
 * The runs left out here differ in how a newcomer's attempts and an exit are modelled, and are a
 * few per cent larger or smaller.
 */
import { heedsNotice } from '@rollcall/convergence';
import { describe, expect, test } from 'vitest';
import { planOf, safety } from './plan.js';
import { ruledBy } from './quorum-variants.js';
import { shipped } from './rules-under-test.js';
import { runNamed } from './runs.js';
import { type Counts, Search } from './search.js';

const SLOW_MS = 120_000;

function explored(name: string): Search {
  const plan = runNamed(name);
  if (plan === undefined) throw new Error(`there is no run ${name}`);
  const search = new Search(plan, shipped);
  expect(search.run(), search.found?.what.text).toBe('COMPLETE');
  return search;
}

describe('states and fires as first explored, where nothing is asked but safety', {
  timeout: SLOW_MS,
}, () => {
  test.each([
    ['S11', 42_076, 16_677, 12],
    ['R05', 62_117, 11_448, 20],
  ])('%s', (name, states, fires, depth) => {
    expect(explored(name).counts).toMatchObject({ states, fires, depth });
  });
});

describe('states and positions of rest as first explored', { timeout: SLOW_MS }, () => {
  test.each([
    ['L01', 26_164, 40, 0],
    ['L02', 52_164, 47, 1],
    ['L06', 262, 4, 0],
    ['L09', 82_937, 8, 0],
    ['L10-bridge', 119, 3, 0],
    ['L11-bridge', 33_275, 3, 0],
    ['L12-oldest', 82_937, 8, 0],
    ['L13-quorum2', 262, 4, 0],
    ['L14-downall', 214, 4, 3],
    ['L20', 3_139, 37, 1],
  ])('%s', (name, states, rests, lost) => {
    expect(explored(name).counts).toMatchObject({ states, rests, lost });
  });
});

test('D names A and B, E names C, everyone else is well: nobody stops', {
  timeout: SLOW_MS,
}, () => {
  const { counts } = explored('F25-reach');
  expect(counts).toMatchObject({ rests: 1, lost: 0 });
});

test('merge laws hold on all states that met', () => {
  expect(explored('S11').laws).toEqual({ pairs: 22, triples: 79, wrong: null });
});

test('a run that is stopped says so, and says the same each time', () => {
  const plan = { ...planOf('', '', { up: 'ABC', havoc: true, leaves: 1 }), maxStates: 5_000 };
  const told: number[] = [];
  const figures = [0, 1].map(() => {
    const search = new Search(plan, shipped);
    expect(search.run((counts: Counts) => told.push(counts.states))).toBe('TRUNCATED');
    return { ...search.counts };
  });
  expect(figures[0]).toEqual(figures[1]);
  expect(figures[0]?.states).toBeGreaterThanOrEqual(5_000);
  expect(told).toEqual([]);
});

test('a merge that is not commutative is found (I3)', () => {
  const merge: typeof shipped.merge = (a, b) => (a.epoch === b.epoch ? shipped.merge(a, b) : a);
  const search = new Search(safety('', '', { up: 'ABC', laws: true }), { ...shipped, merge }, 'I3');
  expect(search.run()).toBe('VIOLATION');
  expect(search.found?.what.text).toContain('not commutative');
});

test('a notice that is heeded without reason is found (S2)', () => {
  const heeds: typeof heedsNotice = (r, from, _removed, epoch) => heedsNotice(r, from, true, epoch);
  const under = { ...ruledBy({}), heedsNotice: heeds };
  const search = new Search(safety('', '', { up: 'AB', join: 'C' }), under);
  expect(search.run()).toBe('VIOLATION');
  expect(search.found?.what.rule).toBe('S2');
});

test('what the shipped code asserts is a violation like any other', () => {
  const under = {
    ...shipped,
    assertInvariants: () => {
      throw new Error('bug: not true that this ends well');
    },
  };
  const search = new Search(safety('', '', { up: 'AB' }), under);
  expect(search.run()).toBe('VIOLATION');
  expect(search.found?.what).toEqual({
    rule: 'assertion',
    text: 'bug: not true that this ends well',
  });
});
