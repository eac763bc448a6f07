import { describe, expect, test } from 'vitest';
import { stateOf } from './cluster.testing.js';
import { allows, compareAge, emptyRow, type Member, NEXT, RANK, type Status } from './index.js';

const statuses = Object.keys(RANK) as Status[];

describe('the table of legal moves', () => {
  test('reads as it is meant', () => {
    expect(NEXT).toEqual({
      Joining: ['WeaklyUp', 'Up', 'Down', 'Exited'],
      WeaklyUp: ['Up', 'Down', 'Exited'],
      Up: ['Leaving', 'Down', 'Exited'],
      Leaving: ['Exiting', 'Down', 'Exited'],
      Exiting: ['Down', 'Exited'],
      Down: ['Exited'],
      Exited: [],
    });
  });

  test('only climbs the lattice, so a merge never undoes a move (R1)', () => {
    for (const from of statuses) {
      for (const to of NEXT[from]) expect(RANK[to]).toBeGreaterThan(RANK[from]);
    }
  });

  test('is kept by State.with', () => {
    const at = (status: Status) => {
      const state = stateOf(['A']);
      const member = { ...(state.get('A#1') as Member), status };
      return { member, state: stateOf([]).with(member) };
    };
    for (const from of statuses) {
      for (const to of statuses) {
        const { member, state } = at(from);
        const move = () => state.with({ ...member, status: to });
        if (from === to) expect(move()).toBe(state);
        else if (allows(from, to)) expect(move().get('A#1')?.status).toBe(to);
        else expect(move).toThrow(`${from} may be followed by ${to}`);
      }
    }
  });
});

test('age is upNumber, then address, then uid; who was never up is youngest', () => {
  const member = (key: string, upNumber: number | null): Member => ({
    key,
    status: 'Up',
    upNumber,
    row: emptyRow,
    roles: [],
    appVersion: '1',
  });
  const inOrder = [
    member('ws://b:1#u', 1),
    member('ws://a:80#u', 2),
    member('ws://a:443#a', 2),
    member('ws://a:443#b', 2),
    member('ws://a:1#u', null),
    member('ws://b:1#v', null),
  ];
  expect([...inOrder].reverse().sort(compareAge)).toEqual(inOrder);
});
