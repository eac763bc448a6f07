import { expect, test } from 'vitest';
import {
  type DowningStrategy,
  decide,
  defaultRules,
  type Rules,
  wouldLoseQuorum,
} from './index.js';
import { namesOf, parse } from './table.testing.js';

const rules = (strategy: DowningStrategy): Rules => ({ ...defaultRules, observers: 1, strategy });

test.each<[line: string, stayers: string | null, why: string]>([
  ['A:Up1 B:Up2 C:Up3', 'ABC', 'nobody is accused: everybody stays'],
  ['A:Up1>C B:Up2>C C:Up3', 'AB', 'a clean partition, seen from the larger side'],
  ['A:Up1 B:Up2 C:Up3>A,B', 'AB', 'from the smaller side: the others win'],
  ['A:Up1>B,C B:Up2>A C:Up3>A', 'BC', 'both rows arrived: tangled, the worst connected one goes'],
  ['A:Up1 B:Up2 C:Up3 D:Up4>A,B,C', 'ABC', 'who hears nobody goes, not the rest'],
  ['A:Up1>B B:Up2>A C:Up3 D:Up4', 'ACD', 'one broken link: the higher number goes'],
  ['A:Up2>B B:Up1>A C:Up3 D:Up4', 'BCD', 'not the higher address'],
  ['A:Up1>D B:Up2 D:Joining>A', 'AB', 'who is not counted goes first'],
  ['A:Up1>C,D B:Up2>C,D C:Up3 D:Up4', 'AB', 'a tie, with the lowest address'],
  ['A:Up1 B:Up2 C:Up3>A,B D:Up4>A,B', 'AB', 'from the other side'],
  ['A:Up1 B:Up2>A C:Down3', null, 'nobody would be quorate'],
  ['A:Up5>C,D B:Up1>C,D C:Up2 D:Up3 @5', null, 'a promotion not committed: D4, the price'],
  ['A:Up5>C,D B:Up1>C,D C:Up2 D:Up3 @6', 'AB', 'once it is committed'],
])('%s: %s stay (%s)', (line, stayers) => {
  const answer = decide(parse(line), rules('keep-majority'));
  expect(answer && namesOf(answer)).toBe(stayers);
});

test('where one observer is not enough, its word decides nothing', () => {
  const state = parse('A:Up1>C B:Up2 C:Up3 D:Up4');
  expect(namesOf(decide(state, defaultRules) ?? [])).toBe('ABCD');
});

test('down-all: at the first accusation nobody stays', () => {
  expect(decide(parse('A:Up1>C B:Up2>C C:Up3'), rules('down-all'))).toBeNull();
  expect(namesOf(decide(parse('A:Up1 B:Up2'), rules('down-all')) ?? [])).toBe('AB');
});

test("an operator's down is refused where it could never be committed", () => {
  const state = parse('A:Up1 B:Up2');
  expect(wouldLoseQuorum(state, 'A#1', defaultRules)).toBe(true);
  expect(wouldLoseQuorum(state, 'B#1', defaultRules)).toBe(false);
  expect(wouldLoseQuorum(parse('A:Up1 B:Up2 C:Down3'), 'B#1', defaultRules)).toBe(true);
});
