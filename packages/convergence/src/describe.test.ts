import { expect, test } from 'vitest';
import { blockers, defaultRules, type Rules, Seen } from './index.js';
import { parse, setOf } from './table.testing.js';

const explain = (line: string, seenBy = '', rules: Rules = defaultRules) => {
  const state = parse(line);
  const nobody = Seen.only(state, 'nobody');
  const seen = [...setOf(seenBy)].reduce((s, key) => s.union(Seen.only(state, key)), nobody);
  return blockers(state, seen, 'A#1', rules);
};

test('nothing blocks a converged cluster', () => {
  expect(explain('A:Up1 B:Up2', 'AB')).toEqual([]);
});

test('who has not seen, from whose point of view', () => {
  expect(explain('A:Up1 B:Up2 C:Up3', 'A')).toEqual([
    {
      kind: 'notSeen',
      nodes: ['B#1', 'C#1'],
      by: ['A#1'],
      text: 'B#1, C#1 not known to have seen the current state.',
      resolve: 'Gossip reaches them and returns.',
    },
  ]);
});

test('who is unreachable, for whom; nobody waits for it to see', () => {
  const found = explain('A:Up1>C B:Up2>C C:Up3', 'AB');
  expect(found.map(({ kind, nodes, by }) => [kind, nodes, by])).toEqual([
    ['unreachable', ['C#1'], ['A#1', 'B#1']],
  ]);
  const manual = explain('A:Up1>C B:Up2>C C:Up3', 'AB', { ...defaultRules, strategy: 'manual' });
  expect(manual[0]?.resolve).toContain('operator');
});

test('which voters are missing for a quorum', () => {
  const found = explain('A:Up1 B:Down2 C:Down3', 'A');
  expect(found.map(({ kind, nodes }) => [kind, nodes])).toEqual([['notQuorate', ['B#1', 'C#1']]]);
});

test('that nobody can ever decide', () => {
  expect(explain('A:Joining', 'A').map(({ kind }) => kind)).toEqual(['noVoters']);
  const found = explain('A:Up1', 'A', { ...defaultRules, role: 'w' });
  expect(found[0]?.text).toContain('role w');
});

test('who is still exiting', () => {
  const found = explain('A:Exiting1 B:Exiting2 C:Up3', 'ABC');
  expect(found.map(({ kind, nodes }) => [kind, nodes])).toEqual([
    ['leaving', ['A#1']],
    ['leaving', ['B#1']],
  ]);
  expect(found[0]?.resolve).toContain('leave.timeout');
});

test('who waits for a place in a static quorum', () => {
  const rules: Rules = { ...defaultRules, strategy: 'static-quorum', quorum: 1 };
  const found = explain('A:Up1 B:Joining', 'AB', rules);
  expect(found.map(({ kind, nodes }) => [kind, nodes])).toEqual([['quorumFull', ['B#1']]]);
});

test('a long list is cut short in words, not in data', () => {
  const found = explain('A:Up1 B:Up2 C:Up3 D:Up4 E:Up5 F:Up6 G:Up7', 'A');
  expect(found[0]?.text).toBe(
    'B#1, C#1, D#1, E#1, F#1 and 1 more not known to have seen the current state.',
  );
  expect(found[0]?.nodes.length).toBe(6);
});
