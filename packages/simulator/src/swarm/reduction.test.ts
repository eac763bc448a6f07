import { describe, expect, test } from 'vitest';
import { type Plan, partOf } from './plan.js';
import { planOf } from './plan-of-seed.js';
import { readReplay, reduce, replayWords } from './reduction.js';

const plan = planOf(3);
const base: Plan = {
  ...plan,
  nodes: ['a', 'b', 'c'],
  seeds: ['a', 'c'],
  voters: [],
  supervisorMs: 10,
  faultsEndMs: 1_000,
  steps: [
    { kind: 'start', node: 'a', atMs: 0, id: 0 },
    { kind: 'start', node: 'c', atMs: 0, id: 1 },
    { kind: 'crash', node: 'b', atMs: 10, id: 2 },
    { kind: 'partition', groups: [['a', 'b'], ['c']], forMs: 5, atMs: 20, id: 3 },
    { kind: 'cut', node: 'a', to: ['b', 'c'], forMs: 5, atMs: 30, id: 4 },
    { kind: 'down', node: 'a', target: 'c', atMs: 40, id: 5 },
    {
      kind: 'loss',
      around: ['c'],
      probability: 1,
      spreadMs: 0,
      forMs: 5,
      atMs: 50,
      id: 6,
    },
  ],
};

const ids = (reduced: Plan) => reduced.steps.map(({ id }) => id);

describe('reduce', () => {
  test('nothing to leave out, nothing changed', () => {
    expect(reduce(base, {})).toEqual(base);
  });

  test('whole parts', () => {
    const reduced = reduce(base, { without: ['crash', 'cut', 'supervisor'] });
    expect(ids(reduced)).toEqual([0, 1, 3, 5, 6]);
    expect(reduced.supervisorMs).toBeUndefined();
    expect(reduced.levels.crash).toBe('off');
  });

  test('nodes: steps keep what concerns those who are left', () => {
    const reduced = reduce(base, { nodes: 2 });
    expect(reduced.seeds).toEqual(['a']);
    expect(reduced.steps.map(({ kind }) => kind)).toEqual(['start', 'crash', 'cut']);
    expect(reduced.steps.at(-1)).toMatchObject({ to: ['b'] });
  });

  test('steps by number; the first nodes start all the same', () => {
    expect(ids(reduce(base, { steps: [4] }))).toEqual([0, 1, 4]);
    expect(ids(reduce(base, { steps: [] }))).toEqual([0, 1]);
  });

  test('time: what is later does not happen, and faults end then', () => {
    const reduced = reduce(base, { untilMs: 30 });
    expect(ids(reduced)).toEqual([0, 1, 2, 3, 4]);
    expect(reduced.faultsEndMs).toBe(30);
  });

  test('what is left of a seed does not move when a part is left out', () => {
    const without = reduce(plan, { without: ['partition'] });
    expect(without.steps).toEqual(plan.steps.filter((step) => partOf(step) !== 'partition'));
  });
});

describe('replays as words', () => {
  test.each([
    {},
    { without: ['crash', 'loss'] as const },
    { nodes: 4, steps: [1, 5], untilMs: 12_000 },
    { steps: [] },
  ])('%j and back', (reduction) => {
    const words = replayWords(42, reduction);
    expect(readReplay(words)).toEqual({ seed: 42, reduction });
  });

  test('as they are typed', () => {
    expect(replayWords(7, { without: ['crash', 'loss'], nodes: 4 })).toBe(
      '--seed 7 --without crash,loss --nodes 4',
    );
  });

  test.each([
    ['--swarm 7', '--seed N'],
    ['--seed x', '--seed'],
    ['--seed 7 --without rain', 'rain'],
    ['--seed 7 --nodes two', '--nodes'],
    ['--seed 7 --speed 1', '--speed'],
  ])('%s is refused', (words, named) => {
    expect(() => readReplay(words)).toThrow(named);
  });
});
