/**
 * The table of Akka's split brain resolver, strategy by strategy: who goes on when the network is
 * cut. A row says where the answer here is another one, and why. A has the lowest address; numbers
 * are the age; with q = 1, as there.
 */
import { describe, expect, test } from 'vitest';
import { type DowningStrategy, defaultRules, f, type Rules } from './index.js';
import { part } from './parting.testing.js';
import { namesOf, parse } from './table.testing.js';

const rules = (strategy: DowningStrategy, more: Partial<Rules> = {}): Rules => ({
  ...defaultRules,
  observers: 1,
  strategy,
  ...more,
});

type Row = [name: string, views: string | readonly string[], cut: string, stay: string];

const up = (names: string): string => [...names].map((name, i) => `${name}:Up${i + 1}`).join(' ');
/** The same, those in `having` with role w. */
const withRole = (names: string, having: string): string =>
  [...names].map((name, i) => `${name}:Up${i + 1}${having.includes(name) ? '[w]' : ''}`).join(' ');

describe('static-quorum', () => {
  const q = (quorum: number, more: Partial<Rules> = {}) =>
    rules('static-quorum', { quorum, ...more });

  test.each<[...Row, Rules]>([
    ['enough: the unreachable go', up('ABCDE'), 'ABC|DE', 'ABC', q(3)],
    ['enough, though the lowest address is on the other side', up('ABCDE'), 'AB|CDE', 'CDE', q(3)],
    ['not enough on any side: all go', up('ABCDE'), 'AB|CD|E', '', q(3)],
    ['exactly enough after a crash', up('ABC'), 'BC', 'BC', q(2)],
    ['one too few after a crash', up('ABC'), 'C', '', q(2)],
    [
      'only those with the role count',
      withRole('ABCDE', 'ABC'),
      'AB|CDE',
      'AB',
      q(2, { role: 'w' }),
    ],
    [
      'they count wherever they are',
      withRole('ABCDE', 'CDE'),
      'AB|CDE',
      'CDE',
      q(2, { role: 'w' }),
    ],
    ['joining members are ignored', 'A:Up1 B:Up2 C:Joining D:Joining', 'AB|CD', 'AB', q(2)],
    ['and make no quorum', 'A:Up1 B:Up2 C:Up3 D:Joining', 'AB|CD', '', q(3)],
    [
      'leaving and exiting members count until they have exited (Akka: exiting ones do not; X04)',
      'A:Up1 B:Leaving2 C:Exiting3 D:Up4 E:Up5',
      'ABC|DE',
      'ABC',
      q(3),
    ],
    ['one that has exited does not', 'A:Up1 B:Up2 C:Exited3 D:Up4 E:Up5', 'AB|DE', '', q(3)],
    ['one that is Down helps nobody', 'A:Up1 B:Up2 C:Down3 D:Up4 E:Up5', 'AB|DE', '', q(3)],
  ])('%s', (_, views, cut, stay, asked) => {
    expect(part(views, cut, asked).stay).toBe(stay);
  });

  test('more than 2Q - 1: nobody is promoted so far (Akka: all go when it is too late)', () => {
    const full = parse(`${up('ABC')} D:Joining E:Joining`);
    expect(f(full, q(2))).toBeNull();
    const after = f(full, q(3));
    expect(namesOf((after?.counted ?? []).map(({ key }) => key))).toBe('ABCDE');
  });
});

describe('keep-majority', () => {
  const majority = rules('keep-majority');
  const ofRole = rules('keep-majority', { role: 'w' });

  test.each<[...Row, Rules]>([
    ['ACE|BD: ACE', up('ABCDE'), 'ACE|BD', 'ACE', majority],
    ['AB|CDE: CDE', up('ABCDE'), 'AB|CDE', 'CDE', majority],
    ['B|AC: AC', up('ABC'), 'B|AC', 'AC', majority],
    ['AB|CD: AB, with the lowest address', up('ABCD'), 'AB|CD', 'AB', majority],
    ['A|B: A', up('AB'), 'A|B', 'A', majority],
    ['the lowest address, not the oldest', 'A:Up4 B:Up3 C:Up2 D:Up1', 'AB|CD', 'AB', majority],
    ['of those with the role', withRole('ABCDE', 'ABC'), 'AB|CDE', 'AB', ofRole],
    ['of those with the role, all on one side', withRole('ABCDE', 'DE'), 'ABC|DE', 'DE', ofRole],
    ['a tie among them: their lowest', withRole('ABCDE', 'BD'), 'AB|CDE', 'AB', ofRole],
    ['nobody with the role: none', up('ABC'), 'AB|C', '', ofRole],
    ['three parts, none big: none', up('ABCDE'), 'AB|CD|E', '', majority],
    ['three parts, one of them big: it', up('ABCDE'), 'ABC|D|E', 'ABC', majority],
    [
      'joining ones do not count',
      'A:Up1 B:Up2 C:Up3 D:Joining E:WeaklyUp',
      'AB|CDE',
      'AB',
      majority,
    ],
  ])('%s', (_, views, cut, stay, asked) => {
    expect(part(views, cut, asked).stay).toBe(stay);
  });

  test.each<[name: string, views: string, cut: string, stay: string, down: string]>([
    ['joining ones are downed', 'A:Up1 B:Up2 C:Up3 D:Joining E:WeaklyUp', 'AB|CDE', 'AB', 'CDE'],
    ['and stay with their side', 'A:Up1 B:Up2 C:Up3 D:Joining E:WeaklyUp', 'ABD|CE', 'ABD', 'CE'],
    ['one that is Down already is not marked again', `${up('ABC')} D:Down4`, 'ABC', 'ABC', ''],
    ['nor held against anybody', `${up('ABC')} D:Down4 E:Up5`, 'ABC', 'ABC', 'E'],
    ['one without the role may decide', 'A:Up1 B:Up2 C:Up3', 'AB', 'AB', 'C'],
  ])('who is marked Down: %s', (_, views, cut, stay, down) => {
    expect(part(views, cut, majority)).toEqual({ stay, down });
  });

  test.each<Row>([
    [
      'ABFG|CDE, F and G up on the left, joining on the right: CDE, three of the five before the promotion (Akka: left stays, right goes)',
      [`${up('ABCDE')} F:Up9 G:Up9 @9`, `${up('ABCDE')} F:Joining G:Joining @8`],
      'ABFG|CDE',
      'CDE',
    ],
    [
      'ABF|CDE, F up on the left alone, an equal size: CDE for the same reason (Akka: left stays, right goes)',
      [`${up('ABCDE')} F:Up9 @9`, `${up('ABCDE')} F:Joining @8`],
      'ABF|CDE',
      'CDE',
    ],
    [
      'AB|CDEF, F up on the right, joining on the left: CDEF, as in Akka',
      [`${up('ABCDE')} F:Joining @8`, `${up('ABCDE')} F:Up9 @9`],
      'AB|CDEF',
      'CDEF',
    ],
    [
      'ABFG|CDE, the promotion committed: ABFG, and the right side, which knows of it, goes',
      [`${up('ABCDE')} F:Up9 G:Up9 @10`, `${up('ABCDE')} F:Up9 G:Up9 @9`],
      'ABFG|CDE',
      'ABFG',
    ],
    [
      'AB|CD, A up on the right side alone: none wins both configurations (D4; the price of X01)',
      ['A:Joining B:Up1 C:Up2 D:Up3 @8', 'A:Up9 B:Up1 C:Up2 D:Up3 @9'],
      'AB|C',
      '',
    ],
    [
      'AB|CDE, E leaving on the left, exiting on the right: both count it, so there is no race',
      ['A:Up1 B:Up2 C:Up3 D:Up4 E:Leaving5 @8', 'A:Up1 B:Up2 C:Up3 D:Up4 E:Exiting5 @9'],
      'AB|CDE',
      'CDE',
    ],
    [
      'AC|BD, A leaving on the left, exiting on the right: AC, it is the lowest until it has exited',
      ['A:Leaving1 B:Up2 C:Up3 D:Up4 @8', 'A:Exiting1 B:Up2 C:Up3 D:Up4 @9'],
      'AC|BD',
      'AC',
    ],
  ])('changes that only one side knows: %s', (_, views, cut, stay) => {
    expect(part(views, cut, majority).stay).toBe(stay);
  });
});

describe('down-all', () => {
  test.each<Row>([
    ['any partition: none', up('ABCDE'), 'ABCD|E', ''],
    ['a crash: none', up('ABC'), 'AB', ''],
    ['a joining member lost: none, as in Akka', 'A:Up1 B:Up2 C:Joining', 'AB|C', ''],
    ['nobody lost: all', up('ABC'), 'ABC', 'ABC'],
  ])('%s', (_, views, cut, stay) => {
    expect(part(views, cut, rules('down-all')).stay).toBe(stay);
  });
});
