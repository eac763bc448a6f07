import { describe, expect, test } from 'vitest';
import { keyOf, stateOf } from './cluster.testing.js';
import { canonicalMember, emptyRow, type Member, State } from './index.js';

const founder = { key: 'ws://a:1#u', roles: ['seed'], appVersion: '1.0.0' };
const state = stateOf(['A', 'B', 'C']);
const memberB = state.get('B#1') as Member;

describe('the founder', () => {
  test('is up from the start, in epoch 2, with number 1', () => {
    const founded = State.found(founder);
    expect(founded.clusterId).toBe(founder.key);
    expect(founded.epoch).toBe(2);
    expect(founded.removed).toEqual([]);
    expect(founded.members).toEqual([{ ...founder, status: 'Up', upNumber: 1, row: emptyRow }]);
    expect(founded.digest).toMatch(/^[0-9a-f]{32}$/);
  });
});

describe('with', () => {
  test('answers the very same object when nothing is new', () => {
    expect(state.with(memberB)).toBe(state);
    expect(state.with({ ...memberB })).toBe(state);
    expect(state.with({ ...memberB, roles: [...memberB.roles] })).toBe(state);
  });

  test('copies one bucket and the list of buckets, no more', () => {
    const next = state.with({ ...memberB, status: 'Down' });
    expect(next.buckets.filter((bucket, i) => bucket !== state.buckets[i]).length).toBe(1);
    expect(state.get('B#1')?.status).toBe('Up');
  });

  test('covers every field with the digest', () => {
    const variants: Member[] = [
      { ...memberB, status: 'Down' },
      { ...memberB, row: { ...memberB.row, version: 1 } },
      { ...memberB, row: { ...memberB.row, unreachable: ['A#1'] } },
      { ...memberB, row: { ...memberB.row, unwell: true } },
      { ...memberB, row: { ...memberB.row, cutOff: true } },
      { ...memberB, roles: ['x'] },
      { ...memberB, roles: ['x', 'y'] },
      { ...memberB, roles: ['x,y'] },
      { ...memberB, appVersion: '2' },
      { ...memberB, key: 'B#2' },
    ];
    const digests = variants.map((member) => state.with(member).digest);
    const { clusterId, epoch, members } = state;
    const heads = [
      State.from({ clusterId, epoch: epoch + 1, members, removed: [] }),
      State.from({ clusterId, epoch, members, removed: ['X#1'] }),
      State.from({ clusterId: 'X#1', epoch, members, removed: [] }),
    ].map(({ digest }) => digest);
    expect(new Set([state.digest, ...digests, ...heads]).size).toBe(14);
  });

  test('keeps rows canonical: sorted, members only, not the observer, version as it is', () => {
    const row = {
      version: 7,
      unreachable: ['X#1', 'C#1', 'B#1', 'A#1', 'C#1'],
      unwell: false,
      cutOff: false,
    };
    expect(state.with({ ...memberB, row }).get('B#1')?.row).toEqual({
      ...row,
      unreachable: ['A#1', 'C#1'],
    });
  });

  test('never changes a number, and lets nobody come back', () => {
    expect(() => state.with({ ...memberB, upNumber: 9 })).toThrow('upNumber');
    const { clusterId, epoch, members } = state;
    const removing = State.from({ clusterId, epoch, members, removed: ['X#1'] });
    expect(() => removing.with({ ...memberB, key: 'X#1' })).toThrow('stays removed');
    expect([removing.wasRemoved('X#1'), removing.wasRemoved('A#1')]).toEqual([true, false]);
  });
});

describe('from', () => {
  test('does not depend on the order of its parts', () => {
    const { clusterId, epoch, members } = state;
    const removed = ['Y#1', 'X#1', 'Y#1'];
    const one = State.from({ clusterId, epoch, removed, members });
    const other = State.from({
      clusterId,
      epoch,
      removed: ['X#1', 'Y#1'],
      members: [...members].reverse(),
    });
    expect(one.digest).toBe(other.digest);
    expect(one.equals(other)).toBe(true);
    expect(one.removed).toEqual(['X#1', 'Y#1']);
  });

  test('refuses a member that was removed', () => {
    const { clusterId, epoch, members } = state;
    expect(() => State.from({ clusterId, epoch, members, removed: ['A#1'] })).toThrow('bug');
  });
});

test('entries in canonical form are shared, not copied', () => {
  const entry = canonicalMember({ ...memberB, status: 'Down' });
  expect(state.with(entry).get('B#1')).toBe(entry);
  expect(canonicalMember(entry)).toBe(entry);
});

test('lists are made once and share their order', () => {
  expect(state.members).toBe(state.members);
  expect(state.electorate).toBe(state.members);
  const leaving = state.with({ ...memberB, status: 'Leaving' });
  expect(leaving.electorateKeys).toBe(state.electorateKeys);
  const down = state.with({ ...memberB, status: 'Down' });
  expect(down.electorateKeys).toEqual([keyOf('A'), keyOf('C')]);
  expect(down.counted.length).toBe(3);
});
