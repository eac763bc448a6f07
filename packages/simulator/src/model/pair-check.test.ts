/** Each invariant between two processes, shown to fire: one that never does protects nobody. */
import { emptyRow, type Member, replicaOf, Seen, State, type Status } from '@rollcall/convergence';
import { describe, expect, test } from 'vitest';
import { keyOf } from './cast.js';
import { type Local, OFF } from './local.js';
import { checkFire, checkPair } from './pair-check.js';
import { safety } from './plan.js';
import { shipped } from './rules-under-test.js';
import { World } from './world.js';

const world = new World(safety('', '', { up: 'ABCD' }), shipped, null);

/** `A: A:Up1 B:Down2 @5 -C`: who, what it holds, and whom its history has removed. */
function local(text: string): Local {
  const [self = '', ...words] = text.split(' ');
  const members = words.flatMap((word): Member[] => {
    const [, name = '', status, number] = /^(\w):([A-Za-z]+)(\d*)$/.exec(word) ?? [];
    if (name === '') return [];
    return [
      {
        key: keyOf(name),
        status: status as Status,
        upNumber: number ? Number(number) : null,
        row: emptyRow,
        roles: [],
        appVersion: '1',
      },
    ];
  });
  const epoch = Number(words.find((word) => word.startsWith('@'))?.slice(1));
  const removed = words.filter((word) => word.startsWith('-')).map((word) => word.slice(1));
  const state = State.from({ clusterId: 'A#1', epoch, members, removed: [] });
  const replica = { ...replicaOf(keyOf(self.slice(0, 1)), state), seen: Seen.all(state) };
  return { ...OFF, stage: 'member', replica, removed: world.cast.maskOf(removed.join('')) };
}

const ruleOf = (a: string, b: string) => checkPair(world, local(a), local(b))?.rule ?? 'fine';

describe('two processes', () => {
  test.each([
    ['A: A:Up1 B:Up2 @5', 'B: A:Up1 B:Leaving2 C:Joining @5', 'fine'],
    ['A: A:Up1 B:Up2 @5 -C', 'B: A:Up1 B:Up2 C:Down3 @5', 'I2b'],
    ['A: A:Up1 B:Up2 @6 -C', 'B: A:Up1 B:Up2 C:Down3 @5', 'fine'],
    ['A: A:Up1 B:Up2 C:Up4 @5', 'B: A:Up1 B:Up2 C:Up3 @6', 'I4'],
    ['A: A:Up1 B:Up2 C:Joining @5', 'B: A:Up1 B:Up2 C:Up5 @5', 'I4'],
    ['A: A:Up1 B:Up2 C:Joining @5', 'B: A:Up1 B:Up2 C:Up6 @6', 'fine'],
    ['A: A:Up1 @5 -B', 'B: B:Up2 @5 -A', 'I6a'],
    ['A: A:Up1 C:Up3 @6 -B', 'B: A:Up1 B:Up2 @5 -C', 'I6b'],
    ['A: A:Up1 C:Joining @6 -B', 'B: A:Up1 B:Up2 C:Up5 @5', 'I6d'],
    ['A: A:Up1 C:Down @6 -B', 'B: A:Up1 B:Up2 C:Up5 @5', 'fine'],
  ])('%s and %s: %s', (a, b, rule) => {
    expect(ruleOf(a, b)).toBe(rule);
    expect(ruleOf(b, a)).toBe(rule);
  });
});

describe('one that fires, and a voter in what it fires (I5)', () => {
  const fires = local('A: A:Up1 B:Up2 C:Joining @5');
  const found = (b: Local) => checkFire(world, fires, b, 1)?.text ?? 'fine';

  test.each([
    ['B: A:Up1 B:Up2 C:Joining @5', 'fine'],
    ['B: A:Up1 B:Leaving2 C:Joining @5', 'fine'],
    ['B: A:Up1 B:Up2 C:Up6 @6', 'fine'],
    ['B: A:Up1 B:Up2 @5', 'electorate member has not seen the fired state: B#1'],
    [
      'B: A:Up1 B:Up2 C:Joining @4',
      'electorate member has not seen the fired state: B#1 is behind',
    ],
  ])('%s: %s', (text, says) => {
    expect(found(local(text))).toBe(says);
  });

  test('whoever never started cannot have seen it; whoever is gone need not hold it', () => {
    expect(found(OFF)).toContain('has none');
    expect(found({ ...OFF, stage: 'gone' })).toBe('fine');
  });
});
