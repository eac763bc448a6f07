import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { keyOf, stateOf } from './cluster.testing.js';
import { Seen, State } from './index.js';

const names = [...'ABCDEFGHIJK'];
const state = stateOf(names);
const ofNames = (list: readonly string[]) =>
  list.reduce((seen, name) => seen.union(Seen.only(state, keyOf(name))), Seen.only(state, 'X#1'));
const anySeen = fc.subarray(names).map((list) => ofNames(list));

describe('seen', () => {
  test('is a set: union obeys the laws of one, and keeps the object without news', () => {
    const law = fc.property(anySeen, anySeen, anySeen, (a, b, c) => {
      expect(a.union(b).bytes).toEqual(b.union(a).bytes);
      expect(a.union(b).union(c).bytes).toEqual(a.union(b.union(c)).bytes);
      expect(a.union(a)).toBe(a);
      const both = a.union(b);
      expect(both.covers(a) && both.covers(b)).toBe(true);
      expect(both.union(a)).toBe(both);
      expect(a.covers(b)).toBe(both.count === a.count);
    });
    fc.assert(law);
  });

  test('counts, and knows when all have', () => {
    const law = fc.property(fc.subarray(names), (list) => {
      const seen = ofNames(list);
      expect(seen.count).toBe(list.length);
      expect(seen.isAll).toBe(list.length === names.length);
      for (const [i, name] of names.entries()) {
        expect(seen.has(i)).toBe(list.includes(name));
        expect(seen.hasKey(state, keyOf(name))).toBe(list.includes(name));
      }
    });
    fc.assert(law);
    expect(Seen.all(state).isAll).toBe(true);
    expect(Seen.all(state).count).toBe(11);
    expect(Seen.all(state).union(ofNames(names))).toEqual(ofNames(names));
  });

  test('has no place for who has no vote', () => {
    const down = state.with({
      ...(state.get('B#1') as never as (typeof state.members)[0]),
      status: 'Down',
    });
    expect(Seen.only(down, 'B#1').count).toBe(0);
    expect(Seen.all(down).size).toBe(10);
    expect(Seen.all(down).hasKey(down, 'B#1')).toBe(false);
    expect(Seen.only(state, 'X#1').count).toBe(0);
  });

  test('travels as one bit a voter, in key order', () => {
    expect([...ofNames(['A', 'C', 'I']).bytes]).toEqual([0b101, 0b1]);
    const law = fc.property(anySeen, (seen) => {
      const back = Seen.fromBytes(state, seen.bytes);
      expect(back?.bytes).toEqual(seen.bytes);
      expect(back?.count).toBe(seen.count);
    });
    fc.assert(law);
  });

  test('refuses bytes that are not of this electorate', () => {
    expect(Seen.fromBytes(state, new Uint8Array(1))).toBeUndefined();
    expect(Seen.fromBytes(state, new Uint8Array(3))).toBeUndefined();
    expect(Seen.fromBytes(state, Uint8Array.of(255, 0b1000))).toBeUndefined();
    expect(Seen.fromBytes(state, Uint8Array.of(255, 0b111))?.isAll).toBe(true);
    const eight = stateOf(names.slice(0, 8));
    expect(Seen.fromBytes(eight, Uint8Array.of(255))?.isAll).toBe(true);
  });

  test('gives its bytes away as a copy', () => {
    const seen = ofNames(['A']);
    seen.bytes.fill(255);
    const bytes = Uint8Array.of(1, 0);
    const read = Seen.fromBytes(state, bytes);
    bytes.fill(255);
    expect([seen.count, read?.count]).toEqual([1, 1]);
  });

  test('is about exactly one content (X21)', () => {
    const other = state.with({
      ...(state.members[0] as (typeof state.members)[0]),
      status: 'Leaving',
    });
    expect(Seen.all(state).isOf(other)).toBe(false);
    expect(() => Seen.all(state).union(Seen.all(other))).toThrow('bug');
    expect(() => Seen.all(state).hasKey(other, 'A#1')).toThrow('bug');
    const { clusterId, epoch, removed, members } = state;
    const same = State.from({ clusterId, epoch, removed, members });
    expect(Seen.all(state).union(Seen.all(same)).isAll).toBe(true);
  });
});
