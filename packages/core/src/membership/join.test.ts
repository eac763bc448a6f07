import { diff, introduce, type NodeKey, State } from '@rollcall/convergence';
import { describe, expect, it } from 'vitest';
import { outside, Stage, seenByAll, stateOf, upMember } from './stage.testing.js';

const A = 'ws://a:7000#00000000000000a1';
const B = 'ws://b:7000#00000000000000b1';
const TOKEN = '00000000000000aa';
const there = stateOf([upMember(A), upMember(B)]);

const asking = (seeds = ['ws://a:7000', 'ws://b:7000']) => new Stage({}, seeds).asks(A, there);
const welcome = (state: State, token = TOKEN) =>
  ({ kind: 'welcome', token, patch: diff(null, state) }) as const;
/** Everything that goes out, to whom and what. */
const outgoing = (stage: Stage) =>
  stage.out.flatMap((each) => (each.kind === 'send' ? [`${each.message.kind} to ${each.to}`] : []));
const identified = (stage: Stage) =>
  stage.out.flatMap((each) => (each.kind === 'identify' ? [each.self] : []));

describe('a node that found a cluster', () => {
  it('asks one member that is up to let it in', () => {
    const stage = asking();
    expect(stage.sent('join')).toEqual([{ kind: 'join', roles: ['worker'], appVersion: '1' }]);
  });

  it('dials the members it was told of when the one it reached cannot let it in', () => {
    const stage = new Stage({}, ['ws://a:7000']);
    stage.step({ kind: 'start' });
    stage.resolves();
    stage.links(A);
    const standing = { ...outside, clusterId: A, size: 2, acceptors: [B] };
    stage.hears(A, { kind: 'seedAnswer', standing });
    expect(stage.out).toContainEqual({ kind: 'link', address: 'ws://b:7000' });
    stage.links(B, 'ws://b:7000');
    stage.hears(B, { kind: 'seedAnswer', standing: { ...standing, acceptors: [B] } });
    expect(stage.sent('join', B)).toHaveLength(1);
  });

  it('writes itself into the state it is welcomed with, and shows that to the acceptor alone', () => {
    const stage = asking();
    stage.hears(A, welcome(there));
    expect(outgoing(stage)).toEqual([`introduce to ${A}`]);
    const { state } = introduce(there, { key: stage.self, roles: ['worker'], appVersion: '1' });
    expect(stage.sent('introduce')).toEqual([
      { kind: 'introduce', token: TOKEN, patch: diff(there, state) },
    ]);
  });

  it('is passive until a member lists it: it shows nobody anything and decides nothing', () => {
    const stage = asking();
    stage.hears(A, welcome(there));
    stage.links(B);
    stage.hears(B, seenByAll(there));
    stage.hears(B, { kind: 'patch', patch: diff(null, there), seen: 'all' });
    expect(stage.machine.state.members).toEqual([]);
    expect(outgoing(stage)).toEqual([]);
    stage.passes(2_900);
    expect(stage.sent('heartbeat')).toEqual([]);
    expect(stage.machine.blockers).toMatchObject([{ kind: 'notMember' }]);
  });

  it('is a member when its acceptor says that it holds it', () => {
    const stage = new Stage({}, ['ws://a:7000']);
    const state = stage.enters(there, A);
    expect(stage.machine.state).toMatchObject({
      clusterId: A,
      digest: state.digest,
      convergence: true,
    });
    expect(stage.statusOf(stage.self)).toBe('up');
    stage.passes(1_000);
    expect(stage.sent('heartbeat', B)).toHaveLength(1);
  });
});

describe('a welcome', () => {
  it('is taken from the member that was asked, and from nobody else', () => {
    const stage = asking();
    stage.links(B);
    stage.hears(B, welcome(there));
    expect(stage.sent('introduce')).toEqual([]);
    const idle = new Stage().founds();
    idle.hears(A, welcome(there));
    expect(idle.sent('introduce')).toEqual([]);
  });

  it('that comes again must be newer and of the same token', () => {
    const newer = State.from({ ...partsOf(there), epoch: there.epoch + 1 });
    const stage = asking();
    stage.hears(A, welcome(there));
    for (const stale of [welcome(there), welcome(newer, '00000000000000bb')]) {
      stage.hears(A, stale);
      expect(stage.sent('introduce')).toEqual([]);
    }
    stage.hears(A, welcome(newer));
    expect(stage.sent('introduce')[0]?.patch).toMatchObject({
      base: newer.digest,
      epoch: newer.epoch,
    });
  });

  it('that is no state is ignored', () => {
    const stage = asking();
    const patch = { ...diff(null, there), digest: '0'.repeat(32) };
    stage.hears(A, { kind: 'welcome', token: TOKEN, patch });
    expect(stage.out).toEqual([]);
  });
});

describe('an attempt that comes to nothing', () => {
  it('is made anew under another uid once it has introduced itself (X12)', () => {
    const stage = asking();
    const { self } = stage;
    stage.hears(A, welcome(there));
    stage.hears(A, { kind: 'joinRetry', afterMs: 0, freshUid: false, ask: [] });
    expect(identified(stage)).toEqual([stage.self]);
    expect(stage.self).not.toBe(self);
    expect(stage.out).toContainEqual({ kind: 'resolve', seeds: ['ws://a:7000', 'ws://b:7000'] });
  });

  it('is made anew under another uid when the introduction gets no answer', () => {
    const stage = asking();
    const { self } = stage;
    stage.hears(A, welcome(there));
    stage.passes(2_500);
    expect(stage.self).toBe(self);
    stage.passes(1_000);
    expect(identified(stage)).toEqual([stage.self]);
    expect(stage.self).not.toBe(self);
  });

  it('keeps its uid while it has only asked', () => {
    const stage = asking();
    const { self } = stage;
    stage.hears(A, { kind: 'joinRetry', afterMs: 300, freshUid: false, ask: ['ws://c:7000'] });
    expect(stage.out).toContainEqual({ kind: 'link', address: 'ws://c:7000' });
    expect(stage.sent('join')).toEqual([]);
    stage.passes(299);
    expect(stage.sent('join')).toEqual([]);
    stage.passes(1);
    expect(stage.sent('join', A)).toHaveLength(1);
    expect(stage.self).toBe(self);
  });

  it('takes another uid when it is told to', () => {
    const stage = asking();
    const { self } = stage;
    stage.hears(A, { kind: 'joinRetry', afterMs: 0, freshUid: true, ask: [] });
    expect(stage.self).not.toBe(self);
  });

  it('is told to retry only by the member that was asked', () => {
    const stage = asking();
    const { self } = stage;
    stage.hears(B, { kind: 'joinRetry', afterMs: 0, freshUid: true, ask: [] });
    expect(stage.self).toBe(self);
    expect(stage.out).toEqual([]);
  });

  it('asks somebody else when the one that was asked does not answer', () => {
    const stage = asking();
    stage.links(B);
    stage.hears(B, {
      kind: 'seedAnswer',
      standing: { ...outside, clusterId: A, size: 2, acceptors: [B] },
    });
    expect(stage.sent('join')).toEqual([]);
    stage.passes(3_500);
    expect(stage.sent('join', B)).toHaveLength(1);
  });

  it('ends with the reason when the member refuses', () => {
    const stage = asking();
    const refusal = {
      code: 'addressInUse',
      message: 'somebody lives there',
      by: 'ws://a:7000',
    } as const;
    stage.hears(B, { kind: 'joinRefused', refusal });
    expect(stage.stopped).toBeUndefined();
    stage.hears(A, { kind: 'joinRefused', refusal });
    expect(stage.told('joinRefused')[0]?.refusal).toEqual(refusal);
    expect(stage.stopped).toMatchObject({
      reason: 'refused',
      message: 'could not join: refused by ws://a:7000: somebody lives there',
    });
  });
});

describe('a node that joins', () => {
  it('starts over when nobody who lists it is heard for a whole attempt', () => {
    const stage = asking();
    const { self } = stage;
    stage.hears(A, welcome(there));
    const [introduction] = stage.sent('introduce');
    const { state } = introduce(there, { key: self, roles: ['worker'], appVersion: '1' });
    expect(introduction?.patch.digest).toBe(state.digest);
    stage.hears(A, { kind: 'status', status: { ...statusBy(state, A) }, want: false });
    expect(stage.statusOf(self)).toBe('joining');
    stage.passes(2_900);
    expect(stage.self).toBe(self);
    stage.passes(1_200);
    expect(stage.self).not.toBe(self);
  });

  it('shows what it showed until it is in a cluster again, so that each member is removed once', () => {
    const stage = new Stage().founds();
    const before = stage.machine.state.members;
    const answer = { ...outside, clusterId: A, size: 2, acceptors: [A] };
    stage.hears(A, { kind: 'seedAsk', standing: answer });
    expect(identified(stage)).toHaveLength(1);
    expect(stage.machine.state.members).toEqual(before);
    expect(stage.machine.state.convergence).toBe(false);
    const removed = new Set<NodeKey>();
    const note = () => {
      for (const { member } of stage.told('memberRemoved')) removed.add(member.node);
    };
    stage.resolves('ws://a:7000');
    stage.links(A, 'ws://a:7000');
    stage.hears(A, { kind: 'seedAnswer', standing: answer });
    stage.hears(A, welcome(there));
    note();
    const { state } = introduce(there, { key: stage.self, roles: ['worker'], appVersion: '1' });
    stage.hears(A, seenByAll(state));
    note();
    expect([...removed]).toEqual(before.map(({ node }) => node));
    expect(stage.machine.state.clusterId).toBe(A);
  });
});

describe('a node that starts over and comes back to the same cluster', () => {
  it('shows nobody less far than it knew: the acceptor may not have heard of a promotion', () => {
    const behind = stateOf([
      upMember(A),
      upMember(B),
      upMember(C, { status: 'Joining', upNumber: null }),
    ]);
    const [stage, state] = comesBackTo(behind);
    stage.hears(A, { kind: 'status', status: { ...statusBy(state, A) }, want: false });
    expect(statusNow(stage, C)).toBe('up');
    expect(stage.told('memberJoined').map(({ member }) => member.node)).toEqual([stage.self]);
  });

  const C = 'ws://c:7000#00000000000000c1';
  const three = stateOf([upMember(A), upMember(B), upMember(C)]);
  const statusNow = (stage: Stage, key: NodeKey) =>
    stage.machine.state.members.find(({ node }) => node === key)?.status;

  function comesBackTo(state: State): [Stage, State] {
    const stage = new Stage({}, ['ws://a:7000', 'ws://b:7000']);
    stage.asks(A, three);
    stage.hears(A, welcome(three));
    const first = introduce(three, { key: stage.self, roles: ['worker'], appVersion: '1' }).state;
    stage.hears(A, { kind: 'status', status: { ...statusBy(first, A) }, want: false });
    stage.passes(4_100);
    stage.asksAgain(A, state);
    stage.hears(A, welcome(state));
    const second = introduce(state, { key: stage.self, roles: ['worker'], appVersion: '1' }).state;
    return [stage, second];
  }

  it('keeps showing whom it knew until its new run is agreed on: the acceptor may lack members that others know', () => {
    const [stage, state] = comesBackTo(there);
    stage.hears(A, { kind: 'status', status: { ...statusBy(state, A) }, want: false });
    expect(stage.told('memberRemoved')).toEqual([]);
    expect(statusNow(stage, C)).toBe('up');
    expect(statusNow(stage, stage.self)).toBe('joining');
    expect(stage.machine.state).toMatchObject({ convergence: false, digest: '' });
    stage.hears(A, seenByAll(state));
    const gone = stage.told('memberRemoved').map(({ member }) => member.address);
    expect(gone).toEqual(['ws://c:7000', 'ws://m:7000']);
    expect(statusNow(stage, stage.self)).toBe('up');
  });
});

const partsOf = ({ clusterId, epoch, members, removed }: State) => ({
  clusterId,
  epoch,
  members,
  removed,
});

/** A status that only `key` is known to have seen. */
function statusBy(state: State, key: NodeKey) {
  const seen = new Uint8Array(1);
  seen[0] = 1 << state.electorateIndex(key);
  return { epoch: state.epoch, digest: state.digest, seen };
}
