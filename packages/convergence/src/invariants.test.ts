/** Each assertion of PROTOCOL "Invariants", shown to fire: one that never does protects nobody. */
import { describe, expect, test } from 'vitest';
import { assertAgreement, assertInvariants, type Replica, replicaOf, Seen } from './index.js';
import { parse } from './table.testing.js';

const at = (line: string): Replica => replicaOf('A#1', parse(line));
const moving = (from: string, to: string) => () => assertInvariants(at(from), at(to));

describe('one node, from one value to the next', () => {
  test.each([
    ['A:Up1 B:Joining @5', 'A:Up1 B:Up6 @6'],
    ['A:Up1 B:Down2 @5', 'A:Up1 @6 -B'],
    ['A:Up1 B:Down2 @5', 'A:Up1 @7'],
    ['A:Up1 @5', 'A:Leaving1 B:Joining @5'],
  ])('%s -> %s is fine', (from, to) => {
    expect(moving(from, to)).not.toThrow();
  });

  test.each([
    ['A:Up1 B:Down2 @5', 'A:Up1 B:Up2 @5', 'a status never goes down (I1)'],
    ['A:Up1 B:Up2 @5', 'A:Up1 B:Up3 @5', 'an upNumber never changes once set (I1)'],
    ['A:Up1 B:Up2 @5', 'A:Up1 B:Up @5', 'an upNumber never changes once set (I1)'],
    ['A:Up1 @5', 'A:Up1 @4', 'the epoch never goes down (I1)'],
    ['A:Up1 @5 -B', 'A:Up1 B:Joining @5', 'a removed member stays removed (I2)'],
    ['A:Up1 B:Up2 @5', 'A:Up1 @5', 'whoever is gone was removed (I2)'],
    ['A:Up1 B:Up2 @5', 'A:Up1 @6', 'whoever is gone was removed (I2)'],
    ['A:Up1 @5', 'A:Up1 B:Up6 @5', 'no upNumber is ahead of the epoch'],
  ])('%s -> %s: not true that %s', (from, to, claim) => {
    expect(moving(from, to)).toThrow(`bug: not true that ${claim}`);
  });

  test('a voter has seen what it holds, and its claims are about that', () => {
    const r = at('A:Up1 B:Up2');
    const blind = { ...r, seen: Seen.only(r.state, 'B#1') };
    expect(() => assertInvariants(null, blind)).toThrow('has seen the state it holds');
    const other = { ...r, seen: Seen.all(parse('A:Up1 B:Up3')) };
    expect(() => assertInvariants(null, other)).toThrow('R3');
    expect(() => assertInvariants(r, { ...r, seen: other.seen })).toThrow('R3');
    expect(() => assertInvariants(r, r)).not.toThrow();
    expect(() => assertInvariants(null, at('A:Exited1 B:Up2'))).not.toThrow();
  });
});

test('two live members of one epoch hold the same numbers (I4)', () => {
  const agree = (a: string, b: string) => () => assertAgreement(parse(a), parse(b));
  expect(agree('A:Up1 B:Up2 @5', 'A:Up1 B:Leaving2 C:Joining @5')).not.toThrow();
  expect(agree('A:Up1 B:Up2 @5', 'A:Up1 B:Up3 @5')).toThrow('I4');
  expect(agree('A:Up1 B:Joining @5', 'A:Up1 B:Up3 @5')).toThrow('I4');
  expect(agree('A:Up1 B:Joining @5', 'A:Up1 B:Up6 @6')).not.toThrow();
});
