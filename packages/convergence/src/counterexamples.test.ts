/**
 * The shortest traces by which weaker rules broke (PROTOCOL "Counterexamples"), replayed against
 * the rules that ship. The step marked `!` is where the weaker rule gave way; here it must be
 * refused, or the cluster stay whole all the same. What each number leaves out is said beside it.
 */
import { describe, expect, test } from 'vitest';
import { Cluster, keyOf, plainRules, type Snapshot } from './cluster.testing.js';
import { converged, f, type NodeKey, Seen, type State } from './index.js';
import { run } from './script.testing.js';

interface Case {
  readonly id: string;
  /** The rule that the broken variant leaves out. */
  readonly without: string;
  /** Who is up at the start, in a converged cluster. */
  readonly up: string;
  readonly trace: string;
}

const cases: readonly Case[] = [
  {
    id: 'X01',
    without: 'the configuration before an uncommitted promotion',
    up: 'BCD',
    trace: `welcome C->A; A->C; C->D; D->B; f@B; SPLIT {A,B}; accuse B->C; accuse B->D; B->A;
      accuse C->A; accuse C->B; C->D; !decide@A; ~A->B; !f@B; decide@D; D->C; f@C`,
  },
  {
    id: 'X02',
    without: 'Down members in the denominator',
    up: 'ABC',
    trace: 'Down A->B; A->C; Down A->C; !f@A; Down C->A; !f@C',
  },
  {
    id: 'X02b',
    without: 'the same, with the real decision',
    up: 'ABC',
    trace: `SPLIT {A}; accuse A->B; accuse A->C; HEAL; A->C; C->B; unaccuse A->C; A->C; decide@B;
      decide@C; C->A; f@A; accuse B->C; decide@B; !f@B`,
  },
  {
    id: 'X03',
    without: 'a quorum under an operator that downs everybody',
    up: 'ABC',
    trace: 'Down A->B; A->C; Down A->C; !f@A; Down C->A; !f@C',
  },
  {
    id: 'X04',
    without: 'the vote of Exiting members',
    up: 'ABC',
    trace: 'leave A->A; A->C; C->B; Down A->B; A->C; f@B; Down B->C; !f@B; ~f@C',
  },
  {
    id: 'X05',
    without: 'Exited, said by the member itself',
    up: 'ABC',
    trace: `leave A->A; A->B; B->C; f@C; C->A; A->B; Down A->B; A->C; !f@B; Down B->C; !f@B; ~f@C`,
  },
  {
    id: 'X08',
    without: 'the vote of a process that restarted',
    up: 'ABC',
    trace: 'Down A->C; Down B->A; B->C; crash B; f@C; join B2->A; !f@A; !join B2->A; !f@A',
  },
  {
    id: 'X09',
    without: 'Joining members in the electorate',
    up: 'AB',
    trace: 'welcome A->C; C->A; A->B; B->C; Down A->B; !f@A; f@C',
  },
  {
    id: 'X10',
    without: 'the newcomer entering itself, at one acceptor',
    up: 'A',
    trace: `welcome A->B; !A->B; !Down A->B; !f@A; keep-snapshot B; B->A; Down A->B; f@A;
      welcome A->C; C->A; A->C; f@C; !B->C; !stale from B to C; !B->A`,
  },
  {
    id: 'X12',
    without: 'a fresh uid for another attempt',
    up: 'A',
    trace: `welcome A->B; B->A; A->B; Down A->B; f@A; f@B; welcome B->C; keep-snapshot C;
      !welcome A->C; welcome A->C2; C2->A; f@A; !stale from C to A`,
  },
  {
    id: 'X13',
    without: 'tombstones',
    up: 'ABC',
    trace: 'Down A->B; A->C; f@C; !A->C; C->A',
  },
  {
    id: 'X14',
    without: 'the window of one epoch',
    up: 'AB',
    trace: `Down A->B; welcome A->C; C->A; keep-snapshot A; f@A; A->C; f@C; !stale from A to C`,
  },
  {
    id: 'X15',
    without: 'deafness to Down members',
    up: 'AB',
    trace: 'welcome A->C; C->A; A->B; Down A->B; A->C; f@B; !B->A; f@C; !B->C; notice C->B',
  },
  {
    id: 'X16',
    without: 'a new epoch for every fire',
    up: 'A',
    trace: 'welcome A->B; B->A; A->B; Down A->B; f@A; welcome A->C; C->A; A->C; f@A; f@C; ~C->A',
  },
  {
    id: 'X18',
    without: 'one number for the whole batch',
    up: 'CD',
    trace: `welcome C->A; welcome C->B; B->C; Down C->D; C->B; A->C; f@B; !f@C; B->C; C->B; C->A;
      A->B; f@B; B->A; B->C`,
  },
  {
    id: 'X19',
    without: 'the same, until one converged state holds it',
    up: 'CD',
    trace: `welcome C->A; welcome C->B; B->C; Down C->D; C->B; A->C; f@B; !f@C; B->C; Down C->A;
      C->B; f@B; B->C`,
  },
  {
    id: 'X20',
    without: 'f looking at the state alone',
    up: 'AB',
    trace: 'welcome A->C; C->A; A->B; Down A->B; !f@A; f@B; A->C; f@C; !B->C; !B->A; C->A',
  },
  {
    id: 'X21',
    without: 'seen staying with its content',
    up: 'ABC',
    trace: 'leave A->A; A->B; !f@B',
  },
  {
    id: 'X22',
    without: 'the rule that an empty configuration is not quorate',
    up: 'AB',
    trace: `quit A; A->B; welcome B->C; C->B; welcome B->D; D->B; quit B; B->C; B->D; Down C->D;
      !f@C; Down D->C; !f@D`,
  },
  {
    id: 'X23',
    without: 'the same, where joiners would stand in for it',
    up: 'A',
    trace: `welcome A->B; welcome A->C; C->A; A->C; B->A; quit A; A->B; Down B->C; !f@B; f@C; A->C;
      Down C->B; ~f@C`,
  },
  {
    id: 'X24',
    without: 'leaving from Up alone',
    up: 'AB',
    trace: 'welcome A->C; C->A; A->B; !leave A->C; Down A->B; A->C; f@B; f@C',
  },
];

test.each(cases)('$id, without $without', ({ up, trace }) => {
  run(new Cluster([...up]), trace.replaceAll('\n', ' '));
});

/** Where the weaker rule did not split the cluster but left it standing still. */
describe('nothing stays stuck', () => {
  const keys = (state: State): readonly NodeKey[] => state.members.map(({ key }) => key);

  test('X06: members that exited are not counted, so three can become one', () => {
    const trace = `leave A->B; leave A->C; A->B; B->C; f@C; Exited C; C->B; Exited B; B->A; f@A`;
    const cluster = run(new Cluster(['A', 'B', 'C']), trace);
    expect(keys(cluster.replica('A').state)).toEqual([keyOf('A')]);
  });

  test('X07: a leaver repeats its farewell until it is told: one lost listener costs no vote', () => {
    const trace = `leave A->B; A->C; C->D; D->B; f@B; Exited B; B->A; crash A; B->C; C->D; D->C;
      accuse C->A; C->D; accuse D->A; D->C; decide@C; C->D; f@D; D->C`;
    const cluster = run(new Cluster(['A', 'B', 'C', 'D']), trace);
    expect(keys(cluster.replica('C').state)).toEqual([keyOf('C'), keyOf('D')]);
  });

  test('X11: a newcomer that is one epoch behind is welcomed again before it is let in', () => {
    const trace = 'welcome A->C; C->A; A->B; f@B; welcome A->D; B->A; D->A';
    const cluster = run(new Cluster(['A', 'B']), trace);
    const { phase, state } = cluster.replica('D');
    expect([phase, state.epoch]).toEqual(['introducing', cluster.replica('A').state.epoch]);
    run(cluster, 'D->A; A->D; A->C; C->B; B->D; ~f@D; D->A; D->B; D->C');
    expect(cluster.replica('D').phase).toBe('member');
    expect(cluster.replica('D').state.get(keyOf('D'))?.status).toBe('Up');
  });

  test('X17: an empty fire commits a promotion', () => {
    const trace = 'welcome A->C; C->A; A->B; f@B; B->A; A->C; C->A; A->B';
    const cluster = run(new Cluster(['A', 'B']), trace);
    const before = cluster.replica('B').state;
    run(cluster, 'f@B');
    const after = cluster.replica('B').state;
    expect(after.epoch).toBe(before.epoch + 1);
    expect(after.members.map(({ status }) => status)).toEqual(['Up', 'Up', 'Up']);
    expect(f(after, plainRules)).toBeNull();
  });
});

test('X16: a digest never comes back, because every fire moves the epoch', () => {
  const cluster = new Cluster(['A']);
  const digest = cluster.replica('A').state.digest;
  run(cluster, 'welcome A->B; B->A; Down A->B; f@A');
  const { state } = cluster.replica('A');
  expect(keys(state)).toEqual(['A#1']);
  expect(state.digest).not.toBe(digest);
  function keys({ members }: State) {
    return members.map(({ key }) => key);
  }
});

test('X21: claims about one content are refused for another', () => {
  const cluster = new Cluster(['A', 'B']);
  const before = cluster.replica('A').state;
  run(cluster, 'leave A->A');
  const after = cluster.replica('A').state;
  expect(() => Seen.all(before).union(Seen.all(after))).toThrow('different states');
  expect(() => converged(after, Seen.all(before), plainRules)).toThrow('seen');
});

test('X15: what a Down member has seen is not taken either', () => {
  const cluster = run(new Cluster(['A', 'B', 'C']), 'Down A->B');
  const snapshot = cluster.snapshot('B') as Snapshot;
  expect(cluster.deliver(snapshot, 'A')).toBe(false);
});
