import { describe, expect, test } from 'vitest';
import {
  accusations,
  baseNeighbours,
  defaultRules,
  type Member,
  need,
  type Rules,
  State,
} from './index.js';
import { namesOf, parse } from './table.testing.js';

const q = (observers: number): Rules => ({ ...defaultRules, observers });

/** Everybody watches everybody in clusters this small. */
test.each<[line: string, q: number, accused: string, suspected: string, why: string]>([
  ['A:Up1 B:Up2 C:Up3', 2, '', '', 'nobody says anything'],
  ['A:Up1>C B:Up2 C:Up3 D:Up4', 2, '', 'C', 'one of two that are needed'],
  ['A:Up1>C B:Up2>C C:Up3 D:Up4', 2, 'C', '', 'two of two'],
  ['A:Up1>C B:Up2 C:Up3 D:Up4', 1, 'C', '', 'one is enough where q is 1'],
  ['A:Up1>B B:Up2', 2, 'B', '', 'with one neighbour, one is all there is'],
  ['A:Up1!>C B:Up2>C C:Up3 D:Up4', 2, '', 'C', 'an unwell observer does not count'],
  ['A:Up1?>C B:Up2>C C:Up3 D:Up4', 2, '', 'C', 'nor does one that is cut off'],
  ['A:Up1!>C B:Up2 C:Up3 D:Up4', 2, '', '', 'who does not count does not make suspected either'],
  ['A:Up1>C B:Up2! C:Up3 D:Up4!', 2, '', 'C', 'one well neighbour is left, and is not enough'],
  ['A:Up1>C B:Up2!>C C:Up3 D:Up4!', 2, 'C', '', 'where the well are too few the unwell count'],
  ['A:Up1!>C B:Up2! C:Up3', 2, '', 'C', 'nor is one enough where nobody is well'],
  ['A:Up1!>C B:Up2!>C C:Up3', 2, 'C', '', 'two of them are'],
  ['A:Up1?>C B:Up2! C:Up3', 2, '', '', 'but those cut off still do not'],
  ['A:Up1?>C B:Up2!>C C:Up3', 2, 'C', '', 'the unwell one does'],
  ['A:Up1>D B:Down2>D C:Up3 D:Up4', 2, '', 'D', 'a Down observer has no say'],
  ['A:Up1>C B:Exited2>C C:Up3 D:Up4', 2, '', 'C', 'nor an Exited one'],
  ['A:Up1>C B:Up2>C C:Down3', 2, '', '', 'nobody accuses whom is Down already'],
  ['A:Up1>B B:Up2>A C:Up3', 1, 'AB', '', 'being accused disqualifies nobody'],
  ['A:Up1>D B:Up2>D C:Up3 D:Up4>C', 2, 'D', '', 'what one said who is lost is no suspicion'],
  ['A:Joining>B B:Joining C:Up1>B', 2, 'B', '', 'joiners observe and are observed'],
])('%s with q = %i: accused %j, suspected %j (%s)', (line, observers, accused, suspected) => {
  const found = accusations(parse(line), q(observers));
  expect(namesOf(found.accused)).toBe(accused);
  expect(namesOf(found.suspected.keys())).toBe(suspected);
});

/** The dead cannot name the dead. */
test.each<[line: string, rules: Partial<Rules>, accused: string, suspected: string, why: string]>([
  ['A:Up1>B,C B:Joining C:Joining', {}, 'BC', '', 'the only voter has lost both joiners'],
  ['A:Up1>B,C B:Up1 C:Up1', {}, '', 'BC', 'one that hears nobody may be the one who is deaf'],
  ['A:Up1>B,C B:Up1 C:Up1', { strategy: 'keep-oldest' }, '', 'BC', 'nor the oldest on its own'],
  [
    'A:Up1>B,C B:Up1 C:Up1',
    { strategy: 'static-quorum', quorum: 1 },
    'BC',
    '',
    'but it goes on where one is a quorum',
  ],
  [
    'A:Up1>D,E B:Up1>D,E C:Up1 D:Up1 E:Up1',
    { observers: 3 },
    '',
    'DE',
    'C has a way to both and says nothing',
  ],
  [
    'A:Up1>D,E B:Up1>D,E C:Up1>D,E D:Up1 E:Up1',
    { observers: 4 },
    'DE',
    '',
    'all three that are left say so, though q is four',
  ],
  [
    'A:Up1>D B:Up1 C:Up1 D:Up1>B,C,E E:Up1',
    {},
    '',
    'BCDE',
    'D broke its links itself: those who could say so have not',
  ],
])('%s under %o: accused %j, suspected %j (%s)', (line, rules, accused, suspected) => {
  const found = accusations(parse(line), { ...defaultRules, ...rules });
  expect(namesOf(found.accused)).toBe(accused);
  expect(namesOf(found.suspected.keys())).toBe(suspected);
});

test('pairs, accusers and observers are those that count', () => {
  const state = parse('A:Up1>C,D B:Up2>C C:Up3>D D:Up4 E:Up5!>D,C');
  const found = accusations(state, q(2));
  expect(found.pairs.map((pair) => namesOf(pair))).toEqual(['AC', 'AD', 'BC', 'CD']);
  expect(namesOf(found.accused)).toBe('CD');
  expect(namesOf(found.accusers)).toBe('ABC');
  expect(namesOf(found.observersOf('D#1'))).toBe('AC');
  expect(namesOf(found.observersOf('A#1'))).toBe('');
  expect(accusations(state, q(3)).suspected.get('D#1')).toEqual(['A#1', 'C#1']);
});

test('they are worked out once for a state and a set of rules', () => {
  const state = parse('A:Up1>C B:Up2 C:Up3');
  const rules = q(2);
  expect(accusations(state, rules)).toBe(accusations(state, rules));
  expect(accusations(state, q(1))).not.toBe(accusations(state, rules));
});

describe('in a cluster that the rings do not cover', () => {
  const members = Array.from(
    { length: 40 },
    (_, i): Member => ({
      key: `ws://h:${7000 + i}#u`,
      status: 'Up',
      upNumber: 1,
      row: { version: 0, unreachable: [], unwell: false, cutOff: false },
      roles: [],
      appVersion: '1',
    }),
  );
  const state = State.from({ clusterId: 'c', epoch: 2, members, removed: [] });
  const subject = (members[7] as Member).key;
  const rules: Rules = { ...defaultRules, rings: 2, observers: 3 };
  const watchers = baseNeighbours(state, subject, 2);
  const strangers = members
    .map(({ key }) => key)
    .filter((key) => key !== subject && !watchers.includes(key));

  const saying = (observers: readonly string[], sick: readonly string[] = []): State =>
    [...observers, ...sick].reduce((s, key) => {
      const member = s.get(key) as Member;
      const unreachable = observers.includes(key) ? [subject] : [];
      const row = { ...member.row, version: 1, unreachable, unwell: sick.includes(key) };
      return s.with({ ...member, row });
    }, state);

  test('an observer counts on the rings of its subject or not', () => {
    expect(accusations(saying(strangers.slice(0, 3)), rules).accused.has(subject)).toBe(true);
    expect(accusations(saying(strangers.slice(0, 2)), rules).accused.has(subject)).toBe(false);
  });

  test('need does not fall with the well neighbours: a lone voice is not enough', () => {
    expect(need(state, subject, rules)).toBe(3);
    const sick = (count: number) => saying([], watchers.slice(0, watchers.length - count));
    expect([3, 2, 1, 0].map((well) => need(sick(well), subject, rules))).toEqual([3, 3, 3, 3]);
  });
});
