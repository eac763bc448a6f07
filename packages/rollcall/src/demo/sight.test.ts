import { describe, expect, test } from 'vitest';
import { areOneCluster, uidAt, views } from './sight.js';
import { answer, memberAnswer, place, sightOf } from './sight.testing.js';

const both = [memberAnswer(1), memberAnswer(2)];
const places = [place(1), place(2)];

describe('one cluster', () => {
  test('when all see each other, Up, reachable and agreed', () => {
    expect(areOneCluster(sightOf([answer(1, both), answer(2, both)]), places)).toBe(true);
  });

  test.each([
    ['one does not answer', [answer(1, both)]],
    ['one sees another too', [answer(1, [...both, memberAnswer(3)]), answer(2, both)]],
    [
      'one sees an older run',
      [answer(1, [memberAnswer(1), memberAnswer(2, { nodeUid: 'old' })]), answer(2, both)],
    ],
    [
      'one is still joining',
      [answer(1, both), answer(2, [memberAnswer(1), memberAnswer(2, { status: 'Joining' })])],
    ],
    [
      'one is suspected',
      [
        answer(1, both),
        answer(2, [memberAnswer(1, { reachability: 'suspected' }), memberAnswer(2)]),
      ],
    ],
    ['one has not converged', [answer(1, both), answer(2, both, { convergence: false })]],
    ['they differ in what they hold', [answer(1, both), answer(2, both, { digest: 'other' })]],
  ])('not when %s', (_, answers) => {
    expect(areOneCluster(sightOf(answers), places)).toBe(false);
  });
});

test('a run is known by its uid, not by its address', () => {
  const sight = sightOf([answer(1, both)]);
  expect(uidAt(sight, place(1))).toBe('uid1');
  expect(uidAt(sight, place(2))).toBeUndefined();
  expect(views(sight, places, 'uid2')).toEqual([memberAnswer(2), undefined]);
  expect(views(sight, places, 'old')).toEqual([undefined, undefined]);
});
