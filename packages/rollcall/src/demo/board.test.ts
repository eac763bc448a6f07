import { expect, test } from 'vitest';
import { board } from './board.js';
import { answer, link, memberAnswer, place, sightOf } from './sight.testing.js';

test('a row for each place, of what all say about it', () => {
  const places = [place(1), place(2), place(3), place(4)];
  const gone = memberAnswer(3, { reachability: 'unreachable' });
  const sight = sightOf(
    [
      answer(1, [memberAnswer(1), memberAnswer(2), gone]),
      answer(2, [memberAnswer(1), memberAnswer(2), memberAnswer(3)], { convergence: false }),
    ],
    [link(1, 2, 0.5), link(2, 1, 0.25), link(1, 3, 9.5), link(2, 3, 812)],
  );
  expect(board(sight, places, ['pid 1', 'pid 2', 'SIGKILL', 'exit 0'])).toBe(
    [
      'NODE                 PROCESS  STATUS   SEEN BY OTHERS AS        PHI MAX  CONVERGED  DIGEST',
      'ws://127.0.0.1:7351  pid 1    Up       reachable 1 of 1         0.25     yes        aaaaaaaa',
      'ws://127.0.0.1:7352  pid 2    Up       reachable 1 of 1         0.50     no         aaaaaaaa',
      'ws://127.0.0.1:7353  SIGKILL  Up       unreachable 1 of 2       > 80     -          -',
      'ws://127.0.0.1:7354  exit 0   Removed  not a member for 2 of 2  -        -          -',
      '',
    ].join('\n'),
  );
});
