import { describe, expect, test } from 'vitest';
import { defaultRules, downing, type Replica, type Rules, replicaOf, Seen } from './index.js';
import { parse, setOf } from './table.testing.js';

const rules: Rules = { ...defaultRules, observers: 1 };
const at = (self: string, line: string, seenBy: string): Replica => {
  const state = parse(line);
  const seen = [...setOf(seenBy)].reduce(
    (s, key) => s.union(Seen.only(state, key)),
    Seen.only(state, 'x'),
  );
  return { ...replicaOf(`${self}#1`, state), seen };
};

describe('who stays marks the others, once all who stay have seen the same', () => {
  const line = 'A:Up1>C,D B:Up2 C:Up3 D:Up4 E:Up5';

  test('not before', () => {
    expect(downing(at('A', line, 'AB'), rules)).toEqual({ kind: 'wait' });
  });

  test('in one change', () => {
    const answer = downing(at('A', line, 'ABE'), rules);
    if (answer.kind !== 'down') throw new Error(answer.kind);
    expect(answer.subjects).toEqual(['C#1', 'D#1']);
    const statuses = answer.replica.state.members.map(({ status }) => status);
    expect(statuses).toEqual(['Up', 'Up', 'Down', 'Down', 'Up']);
    expect(answer.replica.seen.count).toBe(1);
  });
});

describe('who does not stay stops', () => {
  test('the minority: those who stay are out of its reach', () => {
    expect(downing(at('C', 'A:Up1 B:Up2 C:Up3>A,B', 'C'), rules)).toEqual({
      kind: 'stop',
      reason: 'minority',
    });
  });

  test('told to go by those who can reach it, once they have seen it', () => {
    const line = 'A:Up1>D B:Up2 C:Up3 D:Up4';
    expect(downing(at('D', line, 'AB'), rules)).toEqual({ kind: 'wait' });
    expect(downing(at('D', line, 'ABC'), rules)).toEqual({ kind: 'stop', reason: 'toldToGo' });
  });

  test('everybody, when nobody would be quorate', () => {
    const line = 'A:Up1 B:Up2>A C:Down3';
    expect(downing(at('B', line, ''), rules)).toEqual({ kind: 'wait' });
    expect(downing(at('B', line, 'B'), rules)).toEqual({ kind: 'stop', reason: 'notQuorate' });
  });
});

test('nothing is done without an accusation that counts, under manual, or without a say', () => {
  const line = 'A:Up1>C B:Up2>C C:Up3';
  const r = at('A', line, 'AB');
  expect(downing(r, rules).kind).toBe('down');
  expect(downing(at('A', 'A:Up1 B:Up2 C:Up3', 'ABC'), rules)).toEqual({ kind: 'wait' });
  expect(downing(at('A', 'A:Up1>C B:Up2 C:Up3 D:Up4', 'ABD'), defaultRules)).toEqual({
    kind: 'wait',
  });
  expect(downing(r, { ...rules, strategy: 'manual' })).toEqual({ kind: 'wait' });
  for (const phase of ['introducing', 'exited', 'stopped'] as const) {
    expect(downing({ ...r, phase }, rules)).toEqual({ kind: 'wait' });
  }
});
