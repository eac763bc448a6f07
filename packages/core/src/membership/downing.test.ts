import { addressOf, type Member, type NodeKey } from '@rollcall/convergence';
import { describe, expect, it } from 'vitest';
import { formed, parted } from './parted.testing.js';
import { Stage, stateOf, told, upMember } from './stage.testing.js';
import { board } from './virtual-cluster.testing.js';
import type { VirtualNode } from './virtual-node.testing.js';

const reasons = (nodes: readonly VirtualNode[]) => nodes.map(({ ending }) => ending?.reason);

describe('a member that crashed', () => {
  it('is downed when nothing has changed for stableAfter, and removed everywhere within two seconds', () => {
    const { cluster, node, pick } = formed('abcde');
    node('c').kill();
    const rest = pick('abde');
    cluster.until(() => rest.every((each) => board(each).includes('c up unreachable')), 5_600);
    const ms = cluster.until(
      () => rest.every((each) => board(each) === 'a up, b up, d up, e up'),
      7_000,
    );
    expect(ms).toBeGreaterThan(4_000);
    const decisions = rest.flatMap((each) => each.told('downingDecided'));
    expect(decisions.length).toBeGreaterThan(0);
    for (const { go, stay, why } of decisions) {
      expect(go.map(addressOf)).toEqual(['ws://c:7000']);
      expect(stay).toHaveLength(4);
      expect(why).toMatch(/^keep-majority, unchanged for \d+ ms$/);
    }
  });

  it('with others at once is one change, not one each', () => {
    const { cluster, node, pick } = formed('abcdefg');
    for (const name of 'efg') node(name).kill();
    const [a] = pick('a');
    const epoch = a?.state.epoch ?? 0;
    cluster.until(() => a !== undefined && board(a) === 'a up, b up, c up, d up', 15_000);
    expect(a?.state.epoch).toBe(epoch + 1);
  });

  it('is waited for anew when something decisions rest on has changed', () => {
    const { cluster, node, pick } = formed('abcdefg');
    node('c').kill();
    cluster.until(
      () => pick('abde').every((each) => board(each).includes('c up unreachable')),
      6_000,
    );
    // Four seconds later another one: neither goes before five more have passed.
    cluster.run(500);
    node('d').kill();
    cluster.until(
      () => pick('abe').every((each) => board(each).includes('d up unreachable')),
      6_000,
    );
    const secondMs = cluster.nowMs;
    cluster.until(() => board(node('a')) === 'a up, b up, e up, f up, g up', 8_000);
    expect(cluster.nowMs - secondMs).toBeGreaterThan(4_500);
  });

  it('is not kept in by one who says in between that it is unwell', () => {
    const { cluster, node } = formed('abcde');
    node('c').kill();
    const startMs = cluster.nowMs;
    for (let i = 0; i < 4; i++) {
      node('e').pause();
      cluster.run(1_800);
      node('e').resume();
      cluster.run(1_200);
    }
    cluster.until(
      () => board(node('a')) === 'a up, b up, d up, e up',
      12_000 - (cluster.nowMs - startMs) + 2_000,
    );
  });

  it('that comes back in time is kept', () => {
    const { cluster, nodes, pick } = formed('abcde');
    cluster.split(pick('c'), pick('abde'));
    cluster.run(8_000);
    cluster.heal();
    cluster.until(() => cluster.isSettled(nodes), 5_000);
    cluster.run(20_000);
    expect(cluster.isSettled(nodes)).toBe(true);
  });
});

describe('a partition', () => {
  it.each([
    ['keep-majority: the larger part stays', 'abc', 'de', {}, 'abc'],
    ['keep-majority: of two halves the one with the lowest address', 'bc', 'ad', {}, 'ad'],
    [
      'keep-oldest: the part of the oldest, though it is smaller',
      'ab',
      'cde',
      { strategy: 'keep-oldest' },
      'ab',
    ],
    [
      'keep-oldest: all but the oldest, when that is alone',
      'a',
      'bcde',
      { strategy: 'keep-oldest' },
      'bcde',
    ],
    [
      'static-quorum: the part that has it',
      'abc',
      'de',
      { strategy: 'static-quorum', quorum: 3 },
      'abc',
    ],
    [
      'static-quorum: nobody, when no part has it',
      'ab',
      'cd',
      { strategy: 'static-quorum', quorum: 3 },
      '',
    ],
    ['down-all: nobody', 'abc', 'de', { strategy: 'down-all' }, ''],
    ['manual: everybody', 'abc', 'de', { strategy: 'manual' }, 'abcde'],
  ])('is decided by %s', (_, one, other, downing, stay) => {
    const { running, pick, nodes } = parted(one, other, downing);
    expect(running).toBe([...stay].sort().join(''));
    if (stay.length === nodes.length) return;
    for (const node of pick(stay))
      expect(board(node)).toBe(
        [...stay]
          .sort()
          .map((name) => `${name} up`)
          .join(', '),
      );
  });

  it('is survived by one side at most, whichever way it goes', () => {
    for (const [one, other] of [
      ['a', 'bc'],
      ['ab', 'c'],
      ['b', 'ac'],
      ['abc', 'd'],
      ['ab', 'cd'],
    ] as const) {
      const { running } = parted(one, other);
      expect([one, other]).toContain(running);
    }
  });

  it('tells the losing side why it stopped, and when the network heals nobody meets again', () => {
    const { cluster, pick } = parted('abc', 'de');
    for (const reason of reasons(pick('de'))) expect(['minority', 'notQuorate']).toContain(reason);
    for (const { ending } of pick('de')) expect(ending?.message).toMatch(/^stopped itself: /);
    cluster.heal();
    cluster.run(10_000);
    expect(pick('abc').map(board)).toEqual(Array(3).fill('a up, b up, c up'));
  });
});

describe('a node on its own', () => {
  it('that can reach no quorum stops after stableAfter and unstableAfter, and says whom it lacks', () => {
    const { cluster, node } = formed('ab');
    node('a').kill();
    const b = node('b');
    cluster.until(() => board(b).includes('a up unreachable'), 6_000);
    const ms = cluster.until(() => b.ending !== undefined, 9_000);
    expect(ms).toBeGreaterThan(4_900);
    expect(ms).toBeLessThanOrEqual(8_100);
    expect(b.ending).toMatchObject({ reason: 'minority' });
  });

  it('that can reach none keeps running under manual, and shows why nothing moves', () => {
    const { cluster, node } = formed('ab', { strategy: 'manual' });
    node('a').kill();
    cluster.run(120_000);
    expect(node('b').isRunning).toBe(true);
    expect(node('b').state.convergence).toBe(false);
    expect(node('b').machine.blockers.length).toBeGreaterThan(0);
  });

  it('in a cluster of two needs nobody when it is the lower address', () => {
    const { cluster, node } = formed('ab');
    node('b').kill();
    cluster.until(() => board(node('a')) === 'a up', 13_000);
    expect(node('a').state.convergence).toBe(true);
  });
});

describe('an operator who downs a member', () => {
  const A = 'ws://a:7000#00000000000000a1';

  it('has it removed everywhere, and it learns so', () => {
    const { cluster, node, pick } = formed('abc', { strategy: 'manual' });
    expect(node('a').down(node('c'))).toBeUndefined();
    cluster.until(() => pick('ab').every((each) => board(each) === 'a up, b up'), 1_000);
    cluster.run(1_000);
    expect(node('c').ending).toMatchObject({ reason: 'removed' });
    expect(node('a').told('memberDowned')[0]?.why).toBe('asked for by an operator');
    expect(node('a').told('memberRemoved')).toHaveLength(1);
  });

  it('is refused when it would cost the quorum, and told who is missing and what can be done', () => {
    const { node, pick, cluster } = formed('abc', { strategy: 'manual' });
    for (const each of pick('bc')) each.kill();
    cluster.run(10_000);
    // One of the two goes, as an intention that nobody can carry out; the other would leave a alone.
    expect(node('a').down(node('b'))).toBeUndefined();
    const problem = node('a').down(node('c'));
    expect(problem).toMatchObject({ code: 'wouldLoseQuorum', data: { node: node('c').key } });
    expect(problem?.message).toBe(
      'downing ws://c:7000 would leave no quorum (manual): missing ws://b:7000, the member itself; ' +
        'bring ws://b:7000 back under their old uid, or stop those that are left and found the cluster anew',
    );
    expect(board(node('a'))).toBe('a up, b down unreachable, c up unreachable');
  });

  it('is not told to bring back the very member that is to go', () => {
    const { node } = formed('ab', { strategy: 'manual' });
    const problem = node('b').down(node('a'));
    expect(problem?.message).toBe(
      'downing ws://a:7000 would leave no quorum (manual): missing the member itself; ' +
        'let it leave while it answers, or bring it back if it does not, or stop those that are left and found the cluster anew',
    );
    expect(problem?.data).toMatchObject({ missing: [node('a').key] });
  });

  it('asks a member to leave, and is told why one cannot be asked', () => {
    const problemOf = (stage: Stage, subject: NodeKey) => {
      stage.step({ kind: 'askToLeave', subject, ticket: 7 });
      const answer = stage.out.find((each) => each.kind === 'answer');
      expect(answer).toMatchObject({ ticket: 7 });
      return answer?.problem?.code;
    };
    const stage = new Stage({}, ['ws://a:7000']);
    stage.step({ kind: 'start' });
    expect(problemOf(stage, A)).toBe('notMember');
    const state = stage.enters(stateOf([upMember(A)]), A);
    expect(problemOf(stage, 'ws://x:7000#1')).toBe('unknownMember');
    const waiting: Member = { ...upMember('ws://j:7000#1'), status: 'Joining', upNumber: null };
    stage.hears(A, told(null, state.with(waiting), A));
    expect(stage.statusOf(waiting.key)).toBe('joining');
    expect(problemOf(stage, waiting.key)).toBe('notUp');
    expect([problemOf(stage, A), problemOf(stage, A)]).toEqual([undefined, undefined]);
    expect(stage.statusOf(A)).toBe('leaving');
  });

  it('is told when the member is unknown, or this node is in no cluster', () => {
    const stage = new Stage({}, ['ws://a:7000']);
    const answer = () => stage.out.find((each) => each.kind === 'answer')?.problem?.code;
    stage.step({ kind: 'start' });
    stage.step({ kind: 'down', subject: A, ticket: 1 });
    expect(answer()).toBe('notMember');
    const founder = new Stage().founds();
    founder.step({ kind: 'down', subject: A, ticket: 2 });
    expect(founder.out).toMatchObject([
      { kind: 'answer', ticket: 2, problem: { code: 'unknownMember' } },
    ]);
  });

  it('downs this very node: it stops', () => {
    const { cluster, node } = formed('abc');
    node('c').down(node('c'));
    cluster.until(() => board(node('a')) === 'a up, b up', 15_000);
    expect(node('c').ending).toMatchObject({ reason: 'removed' });
  });
});

describe('a node that finds itself down in the state it is told', () => {
  it('stops, and says no more', () => {
    const keys: readonly NodeKey[] = ['ws://a:7000#a1', 'ws://b:7000#b1'];
    const stage = new Stage({}, ['ws://a:7000']);
    const [A = ''] = keys;
    const state = stage.enters(stateOf(keys.map((key) => upMember(key))), A);
    const down = state.with({ ...(state.get(stage.self) as Member), status: 'Down' });
    // Members that hold it as down do not gossip to it; one that does is not listened to.
    stage.hears(A, told(null, down, A));
    expect(stage.statusOf(stage.self)).toBe('up');
    stage.hears(A, { kind: 'notMember', removed: true, epoch: down.epoch });
    expect(stage.stopped).toMatchObject({ reason: 'removed' });
    expect(stage.passes(60_000)).toEqual([]);
  });
});
