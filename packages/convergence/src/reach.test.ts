import { describe, expect, test } from 'vitest';
import {
  defaultRules,
  downing,
  isCutOff,
  type Member,
  type NodeKey,
  reach,
  replicaOf,
  State,
} from './index.js';
import { namesOf, parse, setOf } from './table.testing.js';

const none: ReadonlySet<NodeKey> = new Set();

test.each<[line: string, self: string, own: string, reached: string, cutOff: boolean, why: string]>(
  [
    ['A:Up1 B:Up2 C:Up3', 'A', '', 'ABC', false, 'nothing is broken'],
    ['A:Up1 B:Up2 C:Up3', 'A', 'BC', 'A', true, 'its own verdicts count at once'],
    ['A:Up1>B,C B:Up2 C:Up3', 'A', '', 'A', true, 'as does its own row'],
    ['A:Up1 B:Up2>A C:Up3>A', 'A', '', 'A', true, "and the other ends' rows"],
    ['A:Up1 B:Up2 C:Up3', 'A', 'B', 'ABC', false, 'there is a way round'],
    ['A:Up1>B B:Up2 C:Up3>B', 'A', '', 'AC', false, 'two of three are a quorum'],
    ['A:Up1>B B:Up2 C:Up3>B', 'B', '', 'B', true, 'one is not'],
    ['A:Up1!>B B:Up2 C:Up3?>B', 'B', '', 'B', true, 'a row with a flag still breaks links'],
    ['A:Up1 B:Down2>A C:Up3', 'A', '', 'AC', false, 'a Down row breaks none'],
    ['A:Up1 B:Down2 C:Down3', 'A', '', 'A', true, 'too few are left in any case'],
    ['A:Up1>B,C,D B:Up2 C:Up3 D:Up4>A,B,C', 'B', '', 'BC', true, 'half without the lowest'],
    ['A:Up1>C,D B:Up2>C,D C:Up3 D:Up4', 'A', '', 'AB', false, 'half with it'],
  ],
)(
  '%s: from %s with own verdicts on %j: %s, cut off %s (%s)',
  (line, self, own, reached, cutOff) => {
    const state = parse(line);
    const [key] = setOf(self);
    const found = reach(state, key as NodeKey, setOf(own), defaultRules);
    expect(namesOf(found)).toBe(reached);
    expect(isCutOff(state, key as NodeKey, setOf(own), defaultRules)).toBe(cutOff);
  },
);

test('who has no vote reaches nobody', () => {
  const state = parse('A:Up1 B:Down2 C:Up3');
  expect(reach(state, 'B#1', none, defaultRules).size).toBe(0);
  expect(reach(state, 'X#1', none, defaultRules).size).toBe(0);
});

describe('must survive: two rows name three of five, each row another part', () => {
  const state = parse('A:Up1 B:Up2 C:Up3 D:Up4>A,B E:Up5>C');

  test.each(['A', 'B', 'C', 'D', 'E'])(
    '%s is not cut off, and nothing tells it to stop',
    (name) => {
      const [self] = setOf(name);
      const key = self as NodeKey;
      expect(namesOf(reach(state, key, none, defaultRules))).toBe('ABCDE');
      expect(isCutOff(state, key, none, defaultRules)).toBe(false);
      expect(downing(replicaOf(key, state), defaultRules)).toEqual({ kind: 'wait' });
    },
  );
});

describe('a large cluster', () => {
  const keys = Array.from({ length: 60 }, (_, i) => `ws://h:${7000 + i}#u`);
  const near = keys.slice(0, 20);
  const stateWith = (namesFor: (key: NodeKey) => readonly NodeKey[]): State =>
    State.from({
      clusterId: 'c',
      epoch: 2,
      removed: [],
      members: keys.map(
        (key): Member => ({
          key,
          status: 'Up',
          upNumber: 1,
          row: { version: 1, unreachable: namesFor(key), unwell: false, cutOff: false },
          roles: [],
          appVersion: '1',
        }),
      ),
    });

  test('falls into its two sides when one side says so', () => {
    const far = keys.slice(20);
    const split = stateWith((key) => (near.includes(key) ? far : []));
    expect([...reach(split, keys[0] as NodeKey, none, defaultRules)].sort()).toEqual(
      [...near].sort(),
    );
    expect(isCutOff(split, keys[0] as NodeKey, none, defaultRules)).toBe(true);
    expect(isCutOff(split, keys[30] as NodeKey, none, defaultRules)).toBe(false);
  });

  test('stays whole when one node is lost', () => {
    const lost = keys[7] as NodeKey;
    const state = stateWith((key) => (key === lost ? [] : [lost]));
    expect(reach(state, keys[0] as NodeKey, none, defaultRules).size).toBe(59);
    expect(reach(state, lost, none, defaultRules)).toEqual(new Set([lost]));
  });
});
