import { diff, type Member, type NodeKey, State, type Status } from '@rollcall/convergence';
import { describe, expect, it } from 'vitest';
import type { Message } from './message.js';
import { outside, Stage, seenByAll, stateOf, told, upMember } from './stage.testing.js';

const A = 'ws://a:7000#00000000000000a1';
const B = 'ws://b:7000#00000000000000b1';
const C = 'ws://c:7000#00000000000000c1';
const X = 'ws://x:7000#00000000000000f1';

/** Up in a cluster with A, B and C; `state` is what all of them hold. */
function member(settings: Record<string, unknown> = {}) {
  const stage = new Stage(settings, ['ws://a:7000']);
  const state = stage.enters(stateOf([upMember(A), upMember(B), upMember(C)]), A);
  return { stage, state };
}
const as = (state: State, key: NodeKey, status: Status) =>
  state.with({ ...(state.get(key) as Member), status });
const changed = (state: State, change: Partial<Parameters<typeof State.from>[0]>) => {
  const { clusterId, epoch, members, removed } = state;
  return State.from({ clusterId, epoch, members, removed, ...change });
};
const beat = (state: State, seq = 1): Message => ({
  kind: 'heartbeat',
  seq,
  echo: 0,
  observes: true,
  status: { epoch: state.epoch, digest: state.digest, seen: 'all' },
});
const gossip = (state: State): readonly Message[] => [
  beat(state),
  seenByAll(state),
  { kind: 'patch', patch: diff(null, state), seen: 'all' },
];

describe('gossip of somebody unknown', () => {
  it('changes nothing, and is answered by a notice with the epoch held here', () => {
    for (const [index, kind] of ['heartbeat', 'status', 'patch'].entries()) {
      const { stage, state } = member();
      stage.hears(X, gossip(state)[index] as Message);
      expect(stage.sent('notMember', X), kind).toEqual([
        { kind: 'notMember', removed: false, epoch: state.epoch },
      ]);
      expect(stage.machine.state.digest).toBe(state.digest);
    }
  });

  it('is answered ten times a second at most', () => {
    const { stage, state } = member();
    let notices = 0;
    for (let i = 0; i < 500; i++) {
      stage.hears(X, beat(state, i));
      notices += stage.sent('notMember', X).length;
      stage.nowMs += 1;
    }
    expect(notices).toBe(5);
  });

  it('makes this node ask around, as it may be the one that is behind', () => {
    const { stage, state } = member();
    stage.hears(X, beat(changed(state, { epoch: state.epoch + 1 })));
    for (const key of [A, B, C]) expect(stage.sent('status', key)).toHaveLength(1);
    stage.hears(X, beat(changed(state, { epoch: state.epoch + 1 }), 2));
    expect(stage.sent('status')).toEqual([]);
  });

  it('is not answered by a node that is in no cluster itself', () => {
    const stage = new Stage({}, ['ws://a:7000']);
    stage.step({ kind: 'start' });
    for (const message of gossip(stateOf([upMember(A)]))) {
      stage.hears(A, message);
      expect(stage.out).toEqual([]);
    }
  });
});

describe('gossip of a member that is not live here', () => {
  it('from one that is down is not taken in, and answered by its removal (X15)', () => {
    const { stage, state } = member();
    stage.hears(A, told(state, as(state, C, 'Down'), A));
    expect(stage.statusOf(C)).toBe('down');
    stage.hears(C, told(state, as(state, B, 'Down'), C));
    expect(stage.sent('notMember', C)).toMatchObject([{ removed: true }]);
    expect(stage.statusOf(B)).toBe('up');
  });

  it('from one that was removed is answered so', () => {
    const { stage, state } = member();
    const exited = as(state, C, 'Exited');
    stage.hears(C, told(state, exited, C));
    stage.agrees(A, exited);
    expect(stage.statusOf(C)).toBeUndefined();
    stage.nowMs += 200;
    stage.hears(C, beat(exited));
    expect(stage.sent('notMember', C)).toMatchObject([{ removed: true }]);
  });

  it('from one that has exited is noted, so that it may stop, and not taken in', () => {
    const { stage, state } = member();
    const exited = as(state, C, 'Exited');
    stage.hears(C, told(state, exited, C));
    expect(stage.statusOf(C)).toBe('exiting');
    stage.nowMs += 200;
    stage.hears(C, told(null, as(exited, B, 'Down'), C));
    expect(stage.sent('exitNoted', C)).toHaveLength(1);
    expect(stage.statusOf(B)).toBe('up');
  });
});

describe('gossip of a member', () => {
  it('more than one epoch away is stale, and dropped without a word (X14)', () => {
    for (const away of [-2, 2]) {
      const { stage, state } = member();
      const other = as(changed(state, { epoch: state.epoch + away }), B, 'Down');
      for (const message of gossip(other)) stage.hears(A, message);
      expect(stage.out.filter((each) => each.kind === 'send')).toEqual([]);
      expect(stage.machine.state.digest).toBe(state.digest);
    }
  });

  it('of another cluster is dropped', () => {
    const { stage, state } = member();
    const other = as(changed(state, { clusterId: 'ws://z:1#1' }), B, 'Down');
    stage.hears(A, { kind: 'patch', patch: diff(null, other), seen: 'all' });
    expect(stage.out).toEqual([]);
    expect(stage.machine.state.digest).toBe(state.digest);
  });

  it('who does not list this node is dropped', () => {
    const { stage, state } = member();
    const members = state.members.filter(({ key }) => key !== stage.self);
    const without = as(changed(state, { members }), B, 'Down');
    stage.hears(A, { kind: 'patch', patch: diff(null, without), seen: 'all' });
    expect(stage.machine.state.digest).toBe(state.digest);
  });

  it('with a bitmap that does not fit is ignored and, now and then, complained of', () => {
    const { stage, state } = member();
    const complaints = Array.from({ length: 20 }, () => {
      const status = { epoch: state.epoch, digest: state.digest, seen: new Uint8Array(9) };
      stage.hears(A, { kind: 'status', status, want: false });
      return stage.out.filter((each) => each.kind === 'log').length;
    });
    expect(complaints.flatMap((count, i) => (count > 0 ? [i + 1] : []))).toEqual([1, 10]);
  });
});

describe('a notice that this node is no member', () => {
  const notice = (removed: boolean, epoch: number) =>
    ({ kind: 'notMember', removed, epoch }) as const;

  it('from a member that says it was removed ends its run', () => {
    const { stage } = member();
    stage.hears(B, notice(true, 1));
    expect(stage.stopped).toMatchObject({
      reason: 'removed',
      message: 'removed by the others: ws://b:7000 says so (epoch 1)',
    });
  });

  it('ends its run when its epoch is one in which everybody knew this node', () => {
    const { stage, state } = member();
    const age = stage.machine.state.members.find(({ node }) => node === stage.self)?.age ?? 0;
    stage.hears(B, notice(false, age - 1));
    expect(stage.stopped).toBeUndefined();
    stage.hears(B, notice(false, state.epoch));
    expect(stage.stopped).toMatchObject({ reason: 'removed' });
  });

  it('from somebody unknown or down here is nothing', () => {
    const { stage, state } = member();
    stage.hears(X, notice(true, 99));
    stage.hears(A, told(state, as(state, C, 'Down'), A));
    stage.hears(C, notice(true, 99));
    expect(stage.stopped).toBeUndefined();
    expect(stage.statusOf(stage.self)).toBe('up');
  });

  it('is nothing to a node that is in no cluster', () => {
    const stage = new Stage({}, ['ws://a:7000']);
    stage.step({ kind: 'start' });
    stage.hears(A, notice(true, 99));
    expect(stage.out).toEqual([]);
  });
});

describe('a question where this node stands', () => {
  it('is answered, in a cluster or not', () => {
    const { stage, state } = member();
    stage.hears(X, { kind: 'seedAsk', standing: outside });
    expect(stage.sent('seedAnswer', X)[0]?.standing).toMatchObject({
      clusterId: A,
      size: state.size,
      first: false,
      loner: false,
    });
    expect(stage.sent('seedAnswer', X)[0]?.standing.acceptors).toHaveLength(4);
    const alone = new Stage({}, ['ws://m:7000', 'ws://a:7000']);
    alone.step({ kind: 'start' });
    alone.hears(X, { kind: 'seedAsk', standing: outside });
    expect(alone.sent('seedAnswer', X)[0]?.standing).toEqual({ ...outside, first: true });
  });
});
