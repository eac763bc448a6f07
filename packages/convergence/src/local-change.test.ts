import { describe, expect, test } from 'vitest';
import {
  beginLeave,
  declareExited,
  defaultRules,
  markDown,
  type Phase,
  type Replica,
  replicaOf,
  Seen,
  setRow,
  setWeaklyUp,
} from './index.js';
import { parse } from './table.testing.js';

const at = (line: string): Replica => {
  const state = parse(line);
  return { ...replicaOf('A#1', state), seen: Seen.all(state) };
};
const statuses = (r: Replica) => r.state.members.map(({ status }) => status);
const passive: readonly Phase[] = ['introducing', 'exited', 'stopped'];

describe('markDown', () => {
  test('marks any live member, and only I have seen it', () => {
    const down = markDown(at('A:Up1 B:Joining C:Exiting2'), 'B#1');
    expect(statuses(down)).toEqual(['Up', 'Down', 'Exiting']);
    expect([down.seen.count, down.seen.size]).toEqual([1, 2]);
    expect(statuses(markDown(down, 'C#1'))).toEqual(['Up', 'Down', 'Down']);
    expect(statuses(markDown(down, 'A#1'))).toEqual(['Down', 'Down', 'Exiting']);
  });

  test('is no news for who is Down, Exited or unknown, and no business of who has no say', () => {
    const r = at('A:Up1 B:Down2 C:Exited3');
    for (const key of ['B#1', 'C#1', 'X#1']) expect(markDown(r, key)).toBe(r);
    for (const phase of passive) {
      const silent = { ...at('A:Up1 B:Up2'), phase };
      expect(markDown(silent, 'B#1')).toBe(silent);
    }
  });
});

describe('beginLeave', () => {
  test('is for Up members only (X24)', () => {
    expect(statuses(beginLeave(at('A:Up1 B:Up2'), 'B#1'))).toEqual(['Up', 'Leaving']);
    const r = at('A:Joining B:WeaklyUp C:Leaving1 D:Exiting2 E:Down3');
    for (const { key } of r.state.members) expect(beginLeave(r, key)).toBe(r);
  });
});

describe('declareExited', () => {
  test.each(['Joining', 'WeaklyUp', 'Up1', 'Leaving1', 'Exiting1'])('from %s', (status) => {
    const r = declareExited(at(`A:${status} B:Up2`));
    expect([r.phase, statuses(r)[0], r.seen.size]).toEqual(['exited', 'Exited', 1]);
    expect(r.seen.count).toBe(0);
    expect(declareExited(r)).toBe(r);
  });

  test('a Down node says nothing any more', () => {
    const r = at('A:Down1 B:Up2');
    expect(declareExited(r)).toEqual({ ...r, phase: 'stopped' });
  });
});

describe('setRow', () => {
  const r = at('A:Up1 B:Up2 C:Up3');
  const row = (...unreachable: string[]) => ({ unreachable, unwell: false, cutOff: false });
  const mine = (of: Replica) => of.state.get('A#1')?.row;

  test('raises the version only with the content', () => {
    const one = setRow(r, row('C#1', 'B#1'));
    expect(mine(one)).toEqual({ version: 1, ...row('B#1', 'C#1') });
    expect(setRow(one, row('B#1', 'C#1', 'B#1'))).toBe(one);
    expect(mine(setRow(one, { ...row('B#1', 'C#1'), unwell: true }))?.version).toBe(2);
    expect(setRow(r, row())).toBe(r);
  });

  test('keeps its version when it becomes empty: it must keep winning', () => {
    expect(mine(setRow(setRow(r, row('B#1')), row()))).toEqual({ version: 2, ...row() });
  });

  test('names members only, and not its own observer', () => {
    expect(setRow(r, row('A#1', 'X#1'))).toBe(r);
    expect(mine(setRow(r, row('A#1', 'X#1', 'B#1')))?.unreachable).toEqual(['B#1']);
  });

  test('is for those that observe', () => {
    for (const phase of passive) {
      const silent = { ...r, phase };
      expect(setRow(silent, row('B#1'))).toBe(silent);
    }
  });
});

describe('setWeaklyUp', () => {
  test('shows joiners when somebody is accused and all others have seen it', () => {
    const r = at('A:Up1>C B:Up2>C C:Up3 D:Joining E:Joining');
    expect(statuses(setWeaklyUp(r, defaultRules))).toEqual([
      'Up',
      'Up',
      'Up',
      'WeaklyUp',
      'WeaklyUp',
    ]);
  });

  test('waits for those that are not accused, and not for those that are', () => {
    const r = at('A:Up1>C B:Up2>C C:Up3 D:Joining');
    const seenBy = (...keys: string[]) =>
      keys.reduce((s, key) => s.union(Seen.only(r.state, key)), Seen.only(r.state, 'A#1'));
    expect(setWeaklyUp({ ...r, seen: seenBy('B#1') }, defaultRules).state).toBe(r.state);
    expect(setWeaklyUp({ ...r, seen: seenBy('B#1', 'D#1') }, defaultRules).state).not.toBe(r.state);
  });

  test('does nothing while promotions go their way, nor for an accused joiner', () => {
    const calm = at('A:Up1 B:Joining');
    expect(setWeaklyUp(calm, defaultRules)).toBe(calm);
    const accused = at('A:Up1>C B:Up2>C C:Joining');
    expect(setWeaklyUp(accused, defaultRules)).toBe(accused);
  });
});
