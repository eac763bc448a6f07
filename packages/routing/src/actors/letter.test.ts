import fc from 'fast-check';
import { expect, it } from 'vitest';
import { markOf, readLetter } from './letter.js';

const MARK = markOf('main');

it.each([
  [[MARK, 'deliver', 'a', undefined]],
  [[MARK, 'watch', 7, 0, [[1, 'a']]]],
  [[MARK, 'watch', 7, 3, []]],
  [
    [
      MARK,
      'gone',
      7,
      [
        [1, 'stopped'],
        [2, 'noActor'],
      ],
    ],
  ],
])('%j is a letter', (body) => {
  expect(readLetter(MARK, body)).toEqual(body);
});

it.each([
  [[markOf('other'), 'deliver', 'a', 1]],
  [[MARK, 'deliver', 1]],
  [[MARK, 'watch', 7, 0.5, []]],
  [[MARK, 'watch', 0, []]],
  [[MARK, 'watch', 7, 0, [[1]]]],
  [[MARK, 'watch', 7, 0, 'all']],
  [[MARK, 'gone', 7, [[1, 'asleep']]]],
  [[MARK, 'gone', 7, [1, 'stopped']]],
  [[MARK, 'shout']],
])('%j is none', (body) => {
  expect(readLetter(MARK, body)).toBeUndefined();
});

it('reads anything without harm', () => {
  const kind = fc.constantFrom('deliver', 'watch', 'gone');
  fc.assert(
    fc.property(kind, fc.array(fc.anything()), (each, rest) => {
      readLetter(MARK, [MARK, each, ...rest]);
    }),
  );
});
