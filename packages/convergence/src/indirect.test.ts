/**
 * Akka's table of indirectly connected members: some links are broken, and both ends are still
 * reached by others. Akka downs all that have a broken link; here as few go as it takes for nobody
 * who stays to accuse anybody who stays. `(A,B)` have no link to each other.
 */
import { describe, expect, test } from 'vitest';
import { defaultRules, type Rules } from './index.js';
import { part } from './parting.testing.js';

const rules: Rules = { ...defaultRules, observers: 1 };

/** `A(B,C)D` as states: all up in this order, those in brackets holding each other unreachable. */
function tangle(notation: string): string {
  const groups = [...notation.matchAll(/\(([\w,]+)\)/g)].map(([, names = '']) => names.split(','));
  const names = notation.replace(/\W/g, '');
  return [...names]
    .map((name, at) => {
      const others = groups.filter((group) => group.includes(name)).flat();
      const named = [...new Set(others)].filter((other) => other !== name);
      return `${name}:Up${at + 1}${named.length > 0 ? `>${named.join(',')}` : ''}`;
    })
    .join(' ');
}

test.each<[notation: string, cut: string, stay: string, akka: string, why: string]>([
  ['(A,B)', 'AB', 'A', '', 'half, with the lowest address'],
  ['(A,B)C', 'ABC', 'AC', 'C', 'one end of the broken link is enough'],
  ['(A,B,C)', 'ABC', '', '', 'nobody has a link to anybody'],
  ['(A,B,C)DE', 'ABCDE', 'ADE', 'DE', 'one of the three may stay'],
  ['A(B,C)D(E,F)G', 'ABCDEFG', 'ABDEG', 'ADG', 'one end of each broken link'],
  ['(A,B)(C,D)E', 'ABCDE', 'ACE', 'E', 'two broken links'],
  ['(A,B)CDE', 'ABCD', 'ACD', 'CD', 'and E has crashed'],
  ['(A,B)CDEFG', 'ABCDE|FG', 'ACDE', 'CDE', 'and a clean partition, on the majority side'],
  ['ABCDE(F,G)', 'ABCDE|FG', 'ABCDE', 'ABCDE', 'and a clean partition, on the minority side'],
  ['A(B,C)DE', 'AB|CDE', 'CDE', 'DE', 'the broken link lies across the cut'],
  ['(A,B)(C,D)EFG', 'ABEFG|CD', 'AEFG', 'EFG', 'on both sides of a cut'],
  ['(A,B)(C,D)EFG', 'ABEF|CDG', '', '', 'and A, E and F are three of seven'],
])('%s, running %s: %s (Akka: %j; %s)', (notation, cut, stay) => {
  expect(part(tangle(notation), cut, rules).stay).toBe(stay);
});

describe('one end is heard and does not hear, or the other way round', () => {
  test.each<[name: string, line: string, cut: string, q: number, stay: string]>([
    [
      'one who is accused and has seen it: it alone goes (Akka: both)',
      'A:Up1>B B:Up2 C:Up3',
      'ABC',
      1,
      'AC',
    ],
    ['by one, where two are asked for: nobody goes', 'A:Up1>B B:Up2 C:Up3', 'ABC', 2, 'ABC'],
    ['both, where two are asked for: nobody goes', 'A:Up1>B B:Up2>A C:Up3', 'ABC', 2, 'ABC'],
    [
      'one who hears nobody and accuses all: it goes',
      'A:Up1>B,C,D B:Up2 C:Up3 D:Up4',
      'ABCD',
      1,
      'BCD',
    ],
    [
      'one who accuses, then both are parted from the rest: the rest',
      'A:Up1>B B:Up2 C:Up3 D:Up4 E:Up5',
      'AB|CDE',
      1,
      'CDE',
    ],
    [
      'one who accused, crashed: its last word still counts, where one is enough',
      'A:Up1>B B:Up2 C:Up3 D:Up4 E:Up5',
      'BCDE',
      1,
      'CDE',
    ],
    [
      'and does not, where two are asked for: the rest',
      'A:Up1>B B:Up2 C:Up3 D:Up4 E:Up5',
      'BCDE',
      2,
      'BCDE',
    ],
    [
      'one who accused and is Down: its word is void',
      'A:Down1>B B:Up2 C:Up3 D:Up4 E:Up5',
      'BCDE',
      1,
      'BCDE',
    ],
  ])('%s', (_, line, cut, observers, stay) => {
    expect(part(line, cut, { ...rules, observers }).stay).toBe(stay);
  });
});

describe('under the other strategies', () => {
  test.each<[name: string, notation: string, cut: string, stay: string, Rules]>([
    [
      'static-quorum: enough of them are left',
      '(A,B)CDE',
      'ABCDE',
      'ACDE',
      { ...rules, strategy: 'static-quorum', quorum: 4 },
    ],
    [
      'static-quorum: too few are left',
      '(A,B)CDE',
      'ABCDE',
      '',
      { ...rules, strategy: 'static-quorum', quorum: 5 },
    ],
    [
      'keep-oldest: it has a broken link and stays',
      '(A,B)CDE',
      'ABCDE',
      'ACDE',
      { ...rules, strategy: 'keep-oldest' },
    ],
    [
      'keep-oldest: it has the most of them and goes, alone',
      '(A,B)CD',
      'ABCD',
      'ACD',
      { ...rules, strategy: 'keep-oldest' },
    ],
    ['down-all: none', '(A,B)CDE', 'ABCDE', '', { ...rules, strategy: 'down-all' }],
    ['a role: those without a vote go first', '(A,B)CDE', 'ABCDE', '', { ...rules, role: 'w' }],
  ])('%s', (_, notation, cut, stay, asked) => {
    expect(part(tangle(notation), cut, asked).stay).toBe(stay);
  });
});
