import { describe, expect, test } from 'vitest';
import {
  heedsNotice,
  holdersOf,
  introduce,
  judge,
  judgeIntroduction,
  mayIntroduce,
  type Replica,
  replicaOf,
  State,
} from './index.js';
import { parse } from './table.testing.js';

const at = (line: string): Replica => replicaOf('A#1', parse(line));

describe('judge, in the order of PROTOCOL "Receiving"', () => {
  test.each<[mine: string, from: string, theirs: string, expected: string]>([
    ['A:Up1 B:Up2 @5', 'B#1', 'A:Up1 B:Up2 C:Joining @5', 'merge'],
    ['A:Up1 B:Up2 @5', 'B#1', 'A:Up1 B:Up2 @6', 'merge'],
    ['A:Up1 B:Up2 @5', 'B#1', 'A:Up1 B:Up2 @4', 'merge'],
    ['A:Up1 B:Up2 @5', 'B#1', 'A:Up1 B:Up2 @7', 'stale'],
    ['A:Up1 B:Up2 @5', 'B#1', 'A:Up1 B:Up2 @3', 'stale'],
    ['A:Up1 @5', 'C#1', 'A:Up1 C:Joining @5', 'unknown'],
    ['A:Up1 @5', 'C#1', 'A:Up1 C:Joining @9', 'unknown'],
    ['A:Up1 @5 -C', 'C#1', 'A:Up1 C:Up2 @5', 'removed'],
    ['A:Up1 B:Down2 @5', 'B#1', 'A:Up1 B:Up2 @5', 'removed'],
    ['A:Up1 B:Exited2 @5', 'B#1', 'A:Up1 B:Exited2 @5', 'drop'],
    ['A:Up1 B:Up2 @5', 'B#1', 'A:Down1 B:Up2 @5', 'drop'],
    ['A:Up1 B:Up2 @5', 'B#1', 'B:Up2 @6 -A', 'drop'],
    ['A:Up1 B:Exiting2 @5', 'B#1', 'A:Up1 B:Exiting2 @5', 'merge'],
  ])('holding %s, %s says %s: %s', (mine, from, theirs, expected) => {
    const state = parse(theirs);
    expect(judge(at(mine), from, state, state.epoch)).toBe(expected);
  });

  test('a frame without a state is judged by its sender and epoch', () => {
    const r = at('A:Up1 B:Up2 C:Down3 @5');
    expect(judge(r, 'B#1', null, 6)).toBe('merge');
    expect(judge(r, 'B#1', null, 7)).toBe('stale');
    expect(judge(r, 'C#1', null, 5)).toBe('removed');
    expect(judge(r, 'X#1', null, 5)).toBe('unknown');
  });

  test('another cluster, and my own end, are silence', () => {
    const r = at('A:Up1 B:Up2 @5');
    const { epoch, members, removed } = r.state;
    const other = State.from({ clusterId: 'Z#1', epoch, members, removed });
    expect(judge(r, 'B#1', other, 5)).toBe('drop');
    expect(judge({ ...r, phase: 'exited' }, 'B#1', r.state, 5)).toBe('drop');
    expect(judge({ ...r, phase: 'stopped' }, 'B#1', r.state, 5)).toBe('drop');
  });
});

test.each<
  [mine: string, from: string, removed: boolean, epoch: number, expected: boolean, why: string]
>([
  ['A:Up3 B:Up2', 'B#1', true, 1, true, 'told so by a member'],
  ['A:Up3 B:Up2', 'B#1', false, 3, true, 'unknown at an epoch that knew me'],
  ['A:Up3 B:Up2', 'B#1', false, 2, false, 'unknown before I was up'],
  ['A:Joining B:Up2', 'B#1', false, 99, false, 'not heard of yet'],
  ['A:Joining B:Up2', 'B#1', true, 99, true, 'a joiner can be removed too'],
  ['A:Up3 B:Down2', 'B#1', true, 9, false, 'by one who is Down here'],
  ['A:Up3 B:Up2', 'X#1', true, 9, false, 'by a stranger'],
])(
  'notice at %s from %s (removed %s, epoch %i) ends me: %s (%s)',
  (mine, from, removed, epoch, expected) => {
    expect(heedsNotice(at(mine), from, removed, epoch)).toBe(expected);
    expect(heedsNotice({ ...at(mine), phase: 'stopped' }, from, removed, epoch)).toBe(false);
    expect(heedsNotice({ ...at(mine), phase: 'introducing' }, from, removed, epoch)).toBe(false);
  },
);

describe('introductions', () => {
  const newcomer = { key: 'C#2', roles: [], appVersion: '1' };
  const acceptor = at('A:Up1 B:Up2 @5');
  const shown = introduce(acceptor.state, newcomer).state;

  test('are received at the epoch of the Welcome, and welcomed again at a later one (X11)', () => {
    expect(judgeIntroduction(acceptor, 'C#2', shown)).toBe('receive');
    expect(judgeIntroduction(at('A:Up1 B:Up2 @6'), 'C#2', shown)).toBe('welcome');
    expect(judgeIntroduction(at('A:Up1 B:Up2 @4'), 'C#2', shown)).toBe('welcome');
  });

  test.each([
    ['the acceptor is not Up', 'A:Leaving1 B:Up2 @5'],
    ['the acceptor is cut off', 'A:Up1? B:Up2 @5'],
    ['the address has a live member', 'A:Up1 C:Up2 @5'],
    ['the address has an old run that is not removed yet (R13)', 'A:Up1 C:Down2 @5'],
    ['this run was removed', 'A:Up1 B:Up2 @5 -C2'],
  ])('are refused when %s', (_, line) => {
    expect(mayIntroduce(at(line), 'C#2')).toBe(false);
    expect(judgeIntroduction(at(line), 'C#2', shown)).toBe('refuse');
  });

  test('are refused without the newcomer in them, and from a phase without a say', () => {
    expect(judgeIntroduction(acceptor, 'C#2', acceptor.state)).toBe('refuse');
    expect(mayIntroduce({ ...acceptor, phase: 'introducing' }, 'C#2')).toBe(false);
  });
});

test('who holds an address', () => {
  const state = parse('A:Up1 C:Down2 C2:Up3');
  expect([...holdersOf(state, 'C')].sort()).toEqual(['C#1', 'C#2']);
  expect(holdersOf(state, 'B')).toEqual([]);
});
