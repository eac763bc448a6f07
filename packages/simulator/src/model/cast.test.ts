import { describe, expect, test } from 'vitest';
import { hasLeft, SHIFT, sideOf, spend, startingEnv, withSide } from './budget.js';
import { Cast } from './cast.js';
import { planOf } from './plan.js';

const cast = new Cast(planOf('', '', { up: 'ABC', join: 'DB2', bridge: 'C', deaf: 'D<A D<B A<C' }));

test('processes stand in key order, and a later run waits for the earlier', () => {
  expect(cast.names).toEqual(['A', 'B', 'B2', 'C', 'D']);
  expect(cast.keys).toEqual(['A#1', 'B#1', 'B#2', 'C#1', 'D#1']);
  expect(cast.before).toEqual([-1, -1, 1, -1, -1]);
});

test('masks have names', () => {
  expect(cast.namesOf(cast.maskOf('AB2D'))).toBe('A,B2,D');
  expect(cast.maskOfKeys(['B#2'])).toBe(1 << 2);
});

describe('who reaches whom', () => {
  const reached = (name: string, side: string) =>
    cast.namesOf(cast.reachableFrom(cast.indexOfName(name), cast.maskOf(side)));

  test.each([
    ['A', '', 'B,B2,C,D'],
    ['A', 'AB', 'B,C'],
    ['D', 'AB', 'B2,C'],
    ['C', 'AB', 'A,B,B2,D'],
  ])('%s, when {%s} is cut off, and C is a bridge', (name, side, others) => {
    expect(reached(name, side)).toBe(others);
  });

  test('deafness is one way', () => {
    expect(cast.namesOf(cast.deafTo(cast.indexOfName('D')))).toBe('A,B');
    expect(cast.namesOf(cast.deafTo(cast.indexOfName('B')))).toBe('');
  });
});

describe('what the adversary may still do', () => {
  const env = startingEnv(planOf('', '', { downs: 2, splits: 1, havoc: true }));

  test('is spent', () => {
    const once = spend(env, SHIFT.downs);
    const twice = spend(once, SHIFT.downs);
    expect([env, once, twice].map((word) => hasLeft(word, SHIFT.downs))).toEqual([
      true,
      true,
      false,
    ]);
    expect(hasLeft(twice, SHIFT.splits)).toBe(true);
    expect(hasLeft(twice, SHIFT.crashes)).toBe(false);
  });

  test('without a number it is without an end', () => {
    const free = startingEnv(planOf('', '', {}));
    expect(spend(free, SHIFT.downs)).toBe(free);
  });

  test('a partition is part of it and costs nothing by itself', () => {
    const split = withSide(env, 0b101);
    expect(sideOf(split)).toBe(0b101);
    expect(withSide(split, 0)).toBe(env);
  });
});
