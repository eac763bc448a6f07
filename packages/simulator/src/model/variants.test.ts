/**
 * The checker's own test (PROTOCOL "Counterexamples"): each rule that is left out is found out, by
 * a way no longer than the one listed, and the rules that ship withstand the same adversary at
 * least as far. D2 runs to its end in the command only, which takes some seconds.
 */
import { describe, expect, test } from 'vitest';
import { LISTED, stepsOf } from './listed.js';
import { shipped } from './rules-under-test.js';
import { Search } from './search.js';
import { transcriptOf } from './transcript.js';
import type { Variant } from './variant.js';
import { variants } from './variants.js';

const SLOW_MS = 240_000;
const D2_STATES = 100_000;

const broken = variants.filter(({ breaks }) => breaks !== null);
const sound = variants.filter(({ breaks }) => breaks === null);
const named = (list: readonly Variant[]) => list.map((variant) => [variant.name, variant] as const);

test("all of PROTOCOL's are here", () => {
  const numbers = Array.from({ length: 24 }, (_, at) => `X${String(at + 1).padStart(2, '0')}`);
  const wanted = [...numbers, 'X02b', 'D1', 'D2', 'D3', 'D4', 'N1', 'N2', 'N3', 'N4', 'N5'];
  expect(variants.map(({ name }) => name).sort()).toEqual(wanted.sort());
  expect(broken.map(({ name }) => name).sort()).toEqual(Object.keys(LISTED).sort());
});

describe('is found, as shortly as listed', { timeout: SLOW_MS }, () => {
  test.each(named(broken))('%s', (name, { plan, under, breaks }) => {
    const search = new Search(plan, under, breaks);
    expect(search.run()).toBe('VIOLATION');
    const { steps, line } = transcriptOf(search);
    expect(search.found?.what.rule).toBe(breaks);
    expect(line).not.toContain('?');
    expect(steps.length, line).toBeLessThanOrEqual(stepsOf(LISTED[name] ?? ''));
    expect(steps.length).toBe(stepsOf(line));
  });
});

const isSmall = ({ name }: Variant) =>
  !['X01', 'X02b', 'X07', 'X12', 'D1', 'D3', 'D4'].includes(name);

describe('and what ships withstands the same', { timeout: SLOW_MS }, () => {
  test.each(named(broken.filter(isSmall)))('%s', (_, { plan }) => {
    const search = new Search({ ...plan, maxStates: 30_000 }, shipped);
    expect(search.run(), search.found?.what.text).not.toBe('VIOLATION');
  });
});

describe('holds', { timeout: SLOW_MS }, () => {
  test.each(named(sound))('%s', (name, { plan, under }) => {
    const maxStates = name === 'D2' ? D2_STATES : plan.maxStates;
    const search = new Search({ ...plan, maxStates }, under);
    const ending = name === 'D2' ? 'TRUNCATED' : 'COMPLETE';
    expect(search.run(), search.found?.what.text).toBe(ending);
  });
});
