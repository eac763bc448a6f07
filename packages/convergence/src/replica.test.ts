import { describe, expect, test } from 'vitest';
import { keyOf, plainRules } from './cluster.testing.js';
import {
  beginLeave,
  change,
  type Member,
  markDown,
  noteSeen,
  type Replica,
  receive,
  replicaOf,
  Seen,
  type State,
  settle,
} from './index.js';
import { namesOf, parse } from './table.testing.js';

const state = parse('A:Up1 B:Up2 C:Up3');
const replica = replicaOf('A#1', state);
const seenBy = (of: State, names: string): Seen =>
  [...names].reduce((s, name) => s.union(Seen.only(of, keyOf(name))), Seen.only(of, 'nobody'));
const seenIn = ({ state: of, seen }: Replica) =>
  namesOf(of.electorateKeys.filter((_, i) => seen.has(i)));
const downB = state.with({ ...(state.get('B#1') as Member), status: 'Down' });
const leavingC = state.with({ ...(state.get('C#1') as Member), status: 'Leaving' });

describe('receive: whose claims stay (PROTOCOL "Seen")', () => {
  test('the same content: both', () => {
    const next = receive(replica, state, seenBy(state, 'B'));
    expect(seenIn(next)).toBe('AB');
    expect(next.state).toBe(state);
  });

  test('I adopt exactly theirs: theirs and mine', () => {
    const next = receive(replica, leavingC, seenBy(leavingC, 'BC'));
    expect([next.state, seenIn(next)]).toEqual([leavingC, 'ABC']);
  });

  test('nothing is new to me: only what I had, and the same object', () => {
    const ahead = { ...replica, state: leavingC, seen: seenBy(leavingC, 'A') };
    expect(receive(ahead, state, seenBy(state, 'ABC'))).toBe(ahead);
    const again = receive(replica, state, seenBy(state, 'A'));
    expect(again).toBe(replica);
  });

  test('neither: a content that only I have seen', () => {
    const mine = { ...replica, state: leavingC, seen: seenBy(leavingC, 'ABC') };
    const next = receive(mine, downB, seenBy(downB, 'AC'));
    expect(next.state.members.map(({ status }) => status)).toEqual(['Up', 'Down', 'Leaving']);
    expect(seenIn(next)).toBe('A');
  });

  test('who exited or stopped takes nothing in (R8)', () => {
    for (const phase of ['exited', 'stopped'] as const) {
      const ended = { ...replica, phase };
      expect(receive(ended, leavingC, seenBy(leavingC, 'BC'))).toBe(ended);
      expect(noteSeen(ended, state.digest, seenBy(state, 'B'))).toBe(ended);
    }
  });
});

describe('a Status', () => {
  test('adds claims to exactly my digest', () => {
    expect(seenIn(noteSeen(replica, state.digest, seenBy(state, 'BC')))).toBe('ABC');
    expect(noteSeen(replica, state.digest, seenBy(state, 'A'))).toBe(replica);
    expect(noteSeen(replica, leavingC.digest, seenBy(leavingC, 'B'))).toBe(replica);
  });

  test('tells a newcomer that it has arrived: who has my digest lists me', () => {
    const newcomer: Replica = { ...replica, phase: 'introducing' };
    expect(noteSeen(newcomer, state.digest, seenBy(state, 'B')).phase).toBe('member');
    expect(noteSeen(newcomer, downB.digest, seenBy(downB, 'C')).phase).toBe('introducing');
  });
});

describe('a local change', () => {
  test('is seen by nobody but me', () => {
    const full = { ...replica, seen: Seen.all(state) };
    expect(seenIn(change(full, leavingC))).toBe('A');
    expect(change(full, state)).toBe(full);
  });
});

describe('settle', () => {
  test('does nothing until all have seen', () => {
    const leaving = beginLeave(replica, 'C#1');
    const settled = settle(leaving, plainRules);
    expect([settled.replica, settled.fired]).toEqual([leaving, []]);
  });

  test('fires once all have, and then waits for the others again', () => {
    const leaving = beginLeave(replica, 'C#1');
    const { replica: after, fired } = settle(
      { ...leaving, seen: Seen.all(leaving.state) },
      plainRules,
    );
    expect(fired).toEqual([after.state]);
    expect(after.state.get('C#1')?.status).toBe('Exiting');
    expect([after.state.epoch, seenIn(after)]).toEqual([10, 'A']);
  });

  test('runs to the end where nobody else has to agree', () => {
    const alone = replicaOf('A#1', parse('A:Up1 B:Exited2 @5'));
    expect(settle(alone, plainRules).fired.map(({ epoch }) => epoch)).toEqual([6]);
    const founder = replicaOf('A#1', parse('A:Up2 B:Exited1 @2'));
    expect(settle(founder, plainRules).fired.map(({ epoch }) => epoch)).toEqual([3]);
  });

  test('stops a node that is absent or Down in its own state (S1)', () => {
    const down = settle(markDown(replica, 'A#1'), plainRules);
    expect([down.replica.phase, down.fired]).toEqual(['stopped', []]);
    const absent = settle({ ...replica, self: 'X#1' }, plainRules);
    expect(absent.replica.phase).toBe('stopped');
  });

  test('leaves the newcomer, the exited and the stopped alone', () => {
    const leaving = beginLeave(replica, 'C#1');
    const ready = { ...leaving, seen: Seen.all(leaving.state) };
    for (const phase of ['introducing', 'exited', 'stopped'] as const) {
      const r = { ...ready, phase };
      expect(settle(r, plainRules)).toEqual({ replica: r, fired: [] });
    }
  });
});
