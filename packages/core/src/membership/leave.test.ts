import {
  apply,
  diff,
  type Member,
  type NodeKey,
  type State,
  type Status,
} from '@rollcall/convergence';
import { describe, expect, it } from 'vitest';
import { Stage, seenByAll, stateOf, told, upMember } from './stage.testing.js';
import { board, VirtualCluster } from './virtual-cluster.testing.js';
import type { VirtualNode } from './virtual-node.testing.js';

const A = 'ws://a:7000#00000000000000a1';
const B = 'ws://b:7000#00000000000000b1';
const as = (state: State, key: NodeKey, status: Status) =>
  state.with({ ...(state.get(key) as Member), status });

function formed(names: string, settings: Record<string, unknown> = {}) {
  const cluster = new VirtualCluster(settings);
  const nodes = cluster.formed(names) as [VirtualNode, VirtualNode, VirtualNode];
  return { cluster, nodes };
}
const unreachable = (nodes: readonly VirtualNode[]) =>
  nodes.flatMap((node) => node.told('memberUnreachable'));

describe('a member that leaves', () => {
  it('is leaving, exiting and removed, in this order, at everybody else', () => {
    const { cluster, nodes } = formed('abc');
    const [a, b, c] = nodes;
    b.leave();
    const ms = cluster.until(() => b.ending !== undefined && board(a) === 'a up, c up', 2_000);
    expect(ms).toBeLessThan(500);
    expect(b.ending).toEqual({
      kind: 'stop',
      reason: 'left',
      message: 'left the cluster: the others have confirmed it',
    });
    const steps = a.events.flatMap((event) =>
      'member' in event && event.member.node === b.key ? [event.type] : [],
    );
    expect(steps.slice(-3)).toEqual(['memberLeft', 'memberExited', 'memberRemoved']);
    cluster.until(() => cluster.isSettled([a, c]), 1_000);
    expect(unreachable(nodes)).toEqual([]);
  });

  it('and others that leave at once are gone together', () => {
    const { cluster, nodes } = formed('abcde');
    const leaving = nodes.slice(2);
    for (const node of leaving) node.leave();
    const isDone = () => nodes.slice(0, 2).every((node) => board(node) === 'a up, b up');
    expect(cluster.until(isDone, 2_000)).toBeLessThan(2_000);
    cluster.until(() => leaving.every(({ ending }) => ending?.reason === 'left'), 1_000);
    expect(unreachable(nodes)).toEqual([]);
  });

  it('is the last one, and just goes', () => {
    const { cluster, nodes } = formed('a');
    nodes[0].leave();
    cluster.run(10);
    expect(nodes[0].ending).toMatchObject({
      reason: 'left',
      message: 'left the cluster: no other live member is left',
    });
  });

  it.each(['ab', 'abcde'])(
    'and so do all the others (%s): a whole cluster stops within two seconds',
    (names) => {
      const { cluster, nodes } = formed(names);
      for (const node of nodes) node.leave();
      const isDone = () => nodes.every(({ ending }) => ending?.reason === 'left');
      expect(cluster.until(isDone, 2_000)).toBeLessThan(2_000);
    },
  );

  it('may come back on its address at once', () => {
    const { cluster, nodes } = formed('abc');
    const [a, b, c] = nodes;
    b.leave();
    cluster.until(() => b.ending !== undefined, 2_000);
    const again = cluster.start('b2', { at: 'b' });
    cluster.until(() => cluster.isSettled([a, c, again]), 3_000);
  });

  it.each(['a', 'b'])('of two (%s) leaves the other one able to decide', (name) => {
    const { cluster, nodes } = formed('ab');
    const leaver = nodes.find((node) => node.name === name) as VirtualNode;
    const [stayer] = nodes.filter((node) => node !== leaver);
    leaver.leave();
    cluster.until(() => stayer !== undefined && cluster.isSettled([stayer]), 2_000);
    const again = cluster.start('again', { at: name, seeds: [stayer?.address ?? ''] });
    cluster.until(() => stayer?.statusOf(again) === 'up', 2_000);
  });

  it('is asked to by another member', () => {
    const { cluster, nodes } = formed('abc');
    const [a, b] = nodes;
    a.leave(b);
    expect(a.told('memberLeft')[0]?.why).toBe('asked to leave');
    cluster.until(() => b.ending?.reason === 'left', 2_000);
    cluster.until(() => board(a) === 'a up, c up', 1_000);
  });

  it('says why, not its status once more', () => {
    const { cluster, nodes } = formed('abc');
    const [, b] = nodes;
    b.leave();
    cluster.until(() => b.ending !== undefined, 2_000);
    expect(b.told('memberLeft').map(({ why }) => why)).toEqual(['this node was told to leave']);
  });

  it('is asked twice, and leaves once', () => {
    const { cluster, nodes } = formed('abc');
    const [a, b] = nodes;
    for (let i = 0; i < 3; i++) {
      b.leave();
      cluster.run(2);
    }
    cluster.until(() => b.ending !== undefined, 2_000);
    expect(a.told('memberLeft')).toHaveLength(1);
    b.leave();
    expect(b.ending?.reason).toBe('left');
  });
});

describe('the last member with a vote', () => {
  const settings = { 'downing.role': 'voter' };
  const warnings = (node: VirtualNode) =>
    node.logs.filter(({ level, message }) => level === 'warn' && message.includes('is the last'));

  function withVoters(names: string, voters: string) {
    const cluster = new VirtualCluster(settings);
    const nodes = [...names].map((name) =>
      cluster.start(name, { roles: voters.includes(name) ? ['voter'] : [] }),
    );
    cluster.until(() => cluster.isSettled(nodes), 20_000);
    return { cluster, nodes: nodes as [VirtualNode, VirtualNode, VirtualNode] };
  }

  it('leaves with a warning that names who is left without', () => {
    const { cluster, nodes } = withVoters('abc', 'a');
    const [a, b, c] = nodes;
    b.leave();
    cluster.until(() => cluster.isSettled([a, c]), 2_000);
    expect(warnings(b)).toEqual([]);
    a.leave();
    expect(warnings(a)).toEqual([
      expect.objectContaining({
        message: expect.stringMatching(
          /^ws:\/\/a:7000 is the last member with role voter .*: once it has left, ws:\/\/c:7000 can agree on nothing/,
        ),
      }),
    ]);
  });

  it('is warned of where it is asked to leave, and once', () => {
    const { nodes } = withVoters('abc', 'a');
    const [a, , c] = nodes;
    c.leave(a);
    c.leave(a);
    expect(warnings(c)).toHaveLength(1);
  });

  it.each([
    ['another one is up', 'abc', 'ab'],
    ['nobody else is there', 'a', 'a'],
  ])('is no news when %s', (_, names, voters) => {
    const { nodes } = withVoters(names, voters);
    nodes[0].leave();
    expect(warnings(nodes[0])).toEqual([]);
  });
});

describe('a node that leaves before it is up', () => {
  it('stops at once when it is in no cluster', () => {
    const stage = new Stage({}, ['ws://a:7000']);
    stage.step({ kind: 'start' });
    stage.step({ kind: 'leave' });
    expect(stage.stopped).toMatchObject({ reason: 'left', message: 'left before it had joined' });
  });

  it.each([
    ['gets no answer', undefined],
    ['is told to retry', { kind: 'joinRetry', afterMs: 0, freshUid: true, ask: [] }],
  ] as const)('waits for its introduction, and stops when that %s', (_, answer) => {
    const there = stateOf([upMember(A), upMember(B)]);
    const stage = new Stage({}, ['ws://a:7000']).asks(A, there);
    stage.hears(A, { kind: 'welcome', token: '00000000000000aa', patch: diff(null, there) });
    stage.step({ kind: 'leave' });
    expect(stage.stopped).toBeUndefined();
    if (answer === undefined) stage.passes(4_000);
    else stage.hears(A, answer);
    expect(stage.stopped).toMatchObject({ reason: 'left', message: 'left before it had joined' });
  });

  it('leaves like any other when its introduction is taken after all', () => {
    const there = stateOf([upMember(A), upMember(B)]);
    const stage = new Stage({}, ['ws://a:7000']).asks(A, there);
    stage.hears(A, { kind: 'welcome', token: '00000000000000aa', patch: diff(null, there) });
    const introduced = apply(there, stage.sent('introduce')[0]?.patch ?? diff(null, there));
    stage.step({ kind: 'leave' });
    stage.hears(A, seenByAll(introduced as State));
    expect(stage.statusOf(stage.self)).toBe('leaving');
    expect(stage.told('memberLeft')).toHaveLength(1);
    stage.passes(8_000);
    expect(stage.statusOf(stage.self)).toBe('leaving');
  });

  it('says that it has exited when it is joining', () => {
    const { cluster, nodes } = formed('ab');
    const [a, b] = nodes;
    cluster.cut(a, b);
    const late = cluster.start('c');
    cluster.until(() => late.statusOf(late) === 'joining', 2_000);
    late.leave();
    cluster.run(50);
    expect(a.statusOf(late)).toBe('exiting');
    cluster.heal();
    cluster.until(() => cluster.isSettled([a, b]) && late.ending?.reason === 'left', 3_000);
  });
});

describe('a leave that cannot be agreed on', () => {
  it('is forced within leave.timeout, with a warning that names who is in the way', () => {
    const { cluster, nodes } = formed('abc', { downing: { strategy: 'manual' } });
    const [a, b, c] = nodes;
    c.kill();
    cluster.run(10_000);
    b.leave();
    const ms = cluster.until(() => b.ending !== undefined, 16_000);
    expect(ms).toBeGreaterThan(9_000);
    expect(ms).toBeLessThanOrEqual(10_000);
    expect(b.ending).toMatchObject({
      reason: 'left',
      message: 'left the cluster; ws://a:7000 will see to its removal',
    });
    const [warning] = b.logs.filter(({ level }) => level === 'warn');
    expect(warning?.message).toContain(
      'leaving without agreement, since leave.timeout is nearly over',
    );
    expect(warning?.message).toContain(`${c.key} is unreachable`);
    expect(board(a)).toBe('a up, b exiting, c up unreachable');
  });

  it('is not put off by being asked for again and again', () => {
    const { cluster, nodes } = formed('ab', { downing: { strategy: 'manual' } });
    const [a, b] = nodes;
    cluster.split([a], [b]);
    const startMs = cluster.nowMs;
    while (b.ending === undefined && cluster.nowMs - startMs < 30_000) {
      b.leave();
      cluster.run(500);
    }
    expect(cluster.nowMs - startMs).toBeLessThanOrEqual(15_500);
  });

  it('lingers for leave.linger when nobody notes it', () => {
    const { cluster, nodes } = formed('ab', { downing: { strategy: 'manual' } });
    const [a, b] = nodes;
    cluster.split([a], [b]);
    b.leave();
    const ms = cluster.until(() => b.ending !== undefined, 16_000);
    expect(ms).toBeGreaterThan(14_000);
    expect(ms).toBeLessThanOrEqual(15_000);
    expect(b.ending?.message).toContain('lingered for leave.linger');
  });
});

describe('a node that has exited', () => {
  /** Exiting at everybody, itself included, and so exited. */
  function exited() {
    const stage = new Stage({}, ['ws://a:7000']);
    const up = stage.enters(stateOf([upMember(A), upMember(B)]), A);
    stage.links(B);
    stage.passes(10);
    const leaving = as(up, stage.self, 'Leaving');
    stage.hears(A, told(null, leaving, A));
    stage.hears(B, told(null, leaving, B));
    expect(stage.statusOf(stage.self)).toBe('exiting');
    return { stage, state: leaving };
  }
  const testimony = (stage: Stage, to: NodeKey) => stage.sent('patch', to).length;

  it('says so to everybody, and again, until it is told that it was removed', () => {
    const { stage, state } = exited();
    expect([testimony(stage, A), testimony(stage, B)]).toEqual([1, 1]);
    for (let i = 0; i < 5; i++) {
      stage.passes(200);
      for (const key of [A, B]) expect(testimony(stage, key)).toBeGreaterThanOrEqual(1);
    }
    stage.hears(A, { kind: 'notMember', removed: true, epoch: state.epoch + 2 });
    expect(stage.stopped).toMatchObject({ reason: 'left' });
  });

  it('is told by members only', () => {
    const { stage } = exited();
    stage.hears('ws://x:7000#1', { kind: 'notMember', removed: true, epoch: 99 });
    expect(stage.stopped).toBeUndefined();
  });

  it('says nothing else: no heartbeat, no answer, nobody is let in', () => {
    const { stage } = exited();
    const all = [
      ...stage.passes(3_000),
      ...stage.hears(B, { kind: 'join', roles: [], appVersion: '1' }),
      ...stage.hears('ws://x:7000#1', { kind: 'join', roles: [], appVersion: '1' }),
      ...stage.step({ kind: 'down', subject: B, ticket: 1 }),
    ];
    const kinds = all.flatMap((each) => (each.kind === 'send' ? [each.message.kind] : []));
    expect(new Set(kinds)).toEqual(new Set(['patch']));
    expect(all).toContainEqual(
      expect.objectContaining({
        kind: 'answer',
        problem: expect.objectContaining({ code: 'notMember' }),
      }),
    );
  });

  it('takes nothing in, but goes when it hears that nobody live is left', () => {
    const { stage, state } = exited();
    const mine = stage.machine.state.digest;
    const one = as(as(state, stage.self, 'Exited'), A, 'Exited');
    stage.hears(A, told(null, one, A));
    expect(stage.machine.state.digest).toBe(mine);
    expect(stage.stopped).toBeUndefined();
    stage.hears(B, told(null, as(one, B, 'Exited'), B));
    expect(stage.machine.state.digest).toBe(mine);
    expect(stage.stopped).toMatchObject({ reason: 'left' });
  });
});
