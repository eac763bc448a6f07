import { describe, expect, test } from 'vitest';
import {
  converged,
  type DowningStrategy,
  defaultRules,
  f,
  type Rules,
  Seen,
  type State,
} from './index.js';
import { parse } from './table.testing.js';

const rules = (strategy: DowningStrategy, quorum = 1): Rules => ({
  ...defaultRules,
  strategy,
  quorum,
});
const majority = rules('keep-majority');

const show = (state: State | null): string | null =>
  state &&
  [
    ...state.members.map(({ key, status, upNumber }) => `${key[0]}:${status}${upNumber ?? ''}`),
    `@${state.epoch}`,
    ...state.removed.map((key) => `-${key[0]}`),
  ].join(' ');

describe('f', () => {
  test.each<[before: string, after: string | null, why: string]>([
    ['A:Up1 B:Up2 @9', null, 'nothing to do'],
    ['A:Up1 B:Joining C:WeaklyUp @9', 'A:Up1 B:Up10 C:Up10 @10', 'one number for the batch'],
    ['A:Up1 B:Leaving2 @9', 'A:Up1 B:Exiting2 @10', 'leaving goes on'],
    ['A:Up1 B:Exiting2 @9', null, 'exiting waits for its own word'],
    ['A:Up1 B:Down2 C:Exited3 D:Down @9', 'A:Up1 @10 -B -C -D', 'Down and Exited are removed'],
    ['A:Up1 @9 -B', null, 'old tombstones alone are no reason'],
    ['A:Up1 B:Joining C:Down2 @9 -D', 'A:Up1 B:Up10 @10 -C', 'and are replaced by the new ones'],
    ['A:Up1 B:Up9 @9', 'A:Up1 B:Up9 @10', 'an empty fire commits the last promotion'],
    ['A:Up1 B:Exiting9 @9', 'A:Up1 B:Exiting9 @10', 'whoever it promoted'],
    ['A:Up1 B:Down9 @9', 'A:Up1 @10 -B', 'a removal does it by the way'],
  ])('%s -> %s (%s)', (before, after) => {
    expect(show(f(parse(before), majority))).toBe(after);
  });

  test('forgets the removed in every row, without a new version', () => {
    const after = f(parse('A:Up1>B,C B:Down2 C:Up3>B'), majority);
    expect(after?.members.map(({ row }) => [row.version, row.unreachable])).toEqual([
      [2, ['C#1']],
      [1, []],
    ]);
  });

  test.each<[before: string, after: string | null]>([
    ['A:Up1 B:Joining C:Joining D:Joining @9', 'A:Up1 B:Up10 C:Up10 D:Joining @10'],
    ['A:Up1 B:Up2 C:Up3 D:Joining @9', null],
    ['A:Up1 B:Up2 C:Down3 D:Joining E:Joining @9', 'A:Up1 B:Up2 D:Up10 E:Joining @10 -C'],
  ])('static-quorum of 2 counts at most three: %s -> %s', (before, after) => {
    expect(show(f(parse(before), rules('static-quorum', 2)))).toBe(after);
  });

  test('the cap is for those that are counted', () => {
    const asked = { ...rules('static-quorum', 1), role: 'w' };
    const before = 'A:Up1[w] B:Joining[w] C:Joining[x] @9';
    expect(show(f(parse(before), asked))).toBe('A:Up1 B:Joining C:Up10 @10');
  });

  test('is worked out once, and looks at the state alone (X20)', () => {
    const state = parse('A:Up1 B:Joining');
    expect(f(state, majority)).toBe(f(state, majority));
    expect(f(parse('B:Joining A:Up1'), majority)?.digest).toBe(f(state, majority)?.digest);
  });
});

describe('convergence', () => {
  test.each<[line: string, expected: boolean, why: string]>([
    ['A:Up1 B:Joining', true, 'all have seen it'],
    ['A:Up1 B:Up2>C C:Up3', true, 'one accusation of two is none'],
    ['A:Up1>C B:Up2>C C:Up3', false, 'somebody is accused'],
    ['A:Down1 B:Up2', false, 'not quorate'],
    ['A:Joining B:Joining', false, 'nobody was ever up'],
  ])('%s, seen by all: %s (%s)', (line, expected) => {
    const state = parse(line);
    expect(converged(state, Seen.all(state), majority)).toBe(expected);
  });

  test('needs every voter, and nobody else', () => {
    const state = parse('A:Up1 B:Joining C:Exiting2 D:Down3 E:Exited4');
    const seen = ['A#1', 'B#1'].reduce(
      (s, key) => s.union(Seen.only(state, key)),
      Seen.only(state, 'D#1'),
    );
    expect(converged(state, seen, majority)).toBe(false);
    expect(converged(state, seen.union(Seen.only(state, 'C#1')), majority)).toBe(true);
  });
});
