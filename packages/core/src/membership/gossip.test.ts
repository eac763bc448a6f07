import {
  bucketDigests,
  diff,
  f,
  type Member,
  type NodeKey,
  Seen,
  type State,
  type Status,
  setRow,
} from '@rollcall/convergence';
import { describe, expect, it } from 'vitest';
import { Stage, stateOf, statusOf, told, upMember } from './stage.testing.js';
import { board, VirtualCluster } from './virtual-cluster.testing.js';

const A = 'ws://a:7000#00000000000000a1';
const B = 'ws://b:7000#00000000000000b1';

function member(settings: Record<string, unknown> = {}) {
  const stage = new Stage(settings, ['ws://a:7000']);
  const state = stage.enters(stateOf([upMember(A), upMember(B)]), A);
  stage.links(B);
  stage.passes(10);
  return { stage, state };
}
const as = (state: State, key: NodeKey, status: Status) =>
  state.with({ ...(state.get(key) as Member), status });
/** `key` holds against nobody, but says so in a new version of its row. */
const rowOf = (state: State, key: NodeKey, unwell: boolean) =>
  setRow(
    { self: key, phase: 'member', state, seen: Seen.only(state, key) },
    { unreachable: [], unwell, cutOff: false },
  ).state;
const says = (state: State, by: NodeKey, want = false) =>
  ({ kind: 'status', status: statusOf(state, Seen.only(state, by)), want }) as const;

describe('a change', () => {
  it('goes to the neighbours as the difference to what each holds, once the batch window closes', () => {
    const { stage, state } = member();
    const next = rowOf(state, A, true);
    stage.hears(A, told(state, next, A));
    expect(stage.sent('patch')).toEqual([]);
    stage.passes(5);
    const [patch] = stage.sent('patch', B);
    expect(patch?.patch).toMatchObject({
      base: state.digest,
      digest: next.digest,
      drop: [],
      buckets: [],
    });
    expect(patch?.patch.put.map(({ key }) => key)).toEqual([A]);
    expect(Seen.fromBytes(next, patch?.seen as Uint8Array)?.count).toBe(2);
  });

  it('is not told to the one it came from, who is told that it was seen', () => {
    const { stage, state } = member();
    const next = rowOf(state, A, true);
    stage.hears(A, told(state, next, A));
    stage.passes(5);
    expect(stage.sent('patch', A)).toEqual([]);
    expect(stage.sent('status', A)).toMatchObject([
      { status: { digest: next.digest }, want: false },
    ]);
  });

  it('is told once to each', () => {
    const { stage, state } = member();
    stage.hears(A, told(state, rowOf(state, A, true), A));
    stage.passes(5);
    stage.passes(500);
    expect(stage.sent('patch')).toEqual([]);
  });

  it('and others within the batch window are told in one frame', () => {
    const { stage, state } = member();
    const first = rowOf(state, A, true);
    const second = rowOf(first, B, true);
    stage.hears(A, told(state, first, A));
    stage.hears(B, told(null, second, B));
    stage.passes(5);
    expect(stage.sent('patch', A)).toHaveLength(1);
    expect(stage.sent('patch', A)[0]?.patch.digest).toBe(second.digest);
  });

  it('that builds on one told before is the difference to that: a chain', () => {
    const { stage, state } = member();
    let now = state;
    for (const unwell of [true, false, true]) {
      const next = rowOf(now, A, unwell);
      stage.hears(A, told(now, next, A));
      stage.passes(5);
      expect(stage.sent('patch', B)[0]?.patch.base).toBe(now.digest);
      now = next;
    }
  });
});

describe('an agreed change', () => {
  it('costs no entries: whoever holds the state before works it out', () => {
    const { stage, state } = member();
    const leaving = as(state, B, 'Leaving');
    const exiting = f(leaving, stage.rules) as State;
    stage.hears(B, told(state, leaving, B));
    stage.passes(5);
    stage.hears(A, { kind: 'status', status: statusOf(leaving), want: false });
    expect(stage.machine.state.digest).toBe(exiting.digest);
    stage.passes(5);
    expect(stage.sent('patch')).toEqual([]);
    expect(stage.sent('status', B)).toMatchObject([{ status: { digest: exiting.digest } }]);
  });

  it('is taken from the status of one who is ahead by it', () => {
    const { stage, state } = member();
    const leaving = as(state, B, 'Leaving');
    stage.hears(B, told(state, leaving, B));
    stage.hears(A, says(f(leaving, stage.rules) as State, A));
    expect(stage.statusOf(B)).toBe('exiting');
    expect(stage.told('memberExited')).toHaveLength(1);
    expect(stage.sent('status')).toEqual([]);
  });
});

describe('somebody whose state is unknown here', () => {
  it('is asked for the difference, and not again at once', () => {
    const { stage, state } = member();
    const unknown = rowOf(state, A, true);
    stage.hears(A, says(unknown, A));
    expect(stage.sent('status', A)).toMatchObject([
      { want: true, status: { digest: state.digest } },
    ]);
    stage.hears(A, says(unknown, A));
    expect(stage.sent('status')).toEqual([]);
    stage.nowMs += 200;
    stage.hears(A, says(unknown, A));
    expect(stage.sent('status', A)).toHaveLength(1);
  });

  it('and who does not know ours either is shown the buckets, and sent what it lacks in the end', () => {
    const { stage, state } = member();
    const theirs = rowOf(state, A, true);
    stage.hears(A, says(theirs, A, true));
    const [offer] = stage.sent('buckets', A);
    expect(offer?.buckets).toEqual(bucketDigests(state));
    stage.hears(A, { kind: 'buckets', status: statusOf(theirs), buckets: bucketDigests(theirs) });
    const [patch] = stage.sent('patch', A);
    expect(patch?.patch).toMatchObject({ base: theirs.digest, digest: state.digest, put: [] });
    const keys = patch?.patch.buckets.flatMap(({ members }) => members.map(({ key }) => key));
    expect(keys).toContain(A);
    expect(keys?.length).toBeLessThanOrEqual(2);
  });

  it('and who wants the difference to a state that is remembered gets it', () => {
    const { stage, state } = member();
    const next = rowOf(state, B, true);
    stage.hears(B, told(state, next, B));
    stage.hears(A, says(state, A, true));
    expect(stage.sent('patch', A)[0]?.patch).toMatchObject({
      base: state.digest,
      digest: next.digest,
    });
  });

  it('and builds on a state that is not remembered any more is asked as well', () => {
    const { stage, state } = member({ limits: { history: 4 } });
    let now = state;
    for (let i = 0; i < 8; i++) {
      const next = rowOf(now, B, i % 2 === 0);
      stage.hears(B, told(now, next, B));
      now = next;
    }
    expect(stage.machine.state.digest).toBe(now.digest);
    stage.hears(A, told(state, rowOf(state, A, true), A));
    expect(stage.sent('status', A)).toMatchObject([{ want: true }]);
    expect(stage.machine.state.digest).toBe(now.digest);
  });

  it('and sends what does not add up changes nothing', () => {
    const { stage, state } = member();
    const next = as(state, B, 'Down');
    const patch = { ...diff(state, next), digest: 'f'.repeat(32) };
    stage.hears(A, { kind: 'patch', patch, seen: 'all' });
    expect(stage.machine.state.digest).toBe(state.digest);
    expect(stage.sent('status', A)).toMatchObject([{ want: true }]);
  });
});

describe('a lost message', () => {
  it('is repaired by the heartbeats that follow', () => {
    const cluster = new VirtualCluster();
    const nodes = cluster.formed('abc');
    const [a, b, c] = nodes;
    const heal = cluster.rule(({ message }) => (message.kind === 'heartbeat' ? 'pass' : 'drop'));
    if (a === undefined || b === undefined || c === undefined) return;
    a.leave(b);
    cluster.run(500);
    expect(a.statusOf(b)).toBe('leaving');
    expect(c.statusOf(b)).toBe('up');
    heal();
    cluster.until(() => [a, c].every((node) => board(node) === 'a up, c up'), 3_000);
  });

  it.each(['double', { delayMs: 300 }] as const)(
    'or one that is late or doubled changes nothing in the end: %j',
    (verdict) => {
      const cluster = new VirtualCluster();
      let i = 0;
      cluster.rule(() => (i++ % 3 === 0 ? verdict : 'pass'));
      const nodes = cluster.formed('abcde');
      const [a, b] = nodes;
      b?.leave();
      cluster.until(() => a !== undefined && board(a) === 'a up, c up, d up, e up', 5_000);
      cluster.until(() => cluster.isSettled(nodes.filter((node) => node !== b)), 3_000);
    },
  );

  it('in ten, for a minute, convicts nobody and keeps nobody from agreeing', () => {
    const cluster = new VirtualCluster({ limits: { history: 4 } });
    const nodes = cluster.formed('abcde');
    let chance = 7;
    cluster.rule(() => {
      chance = (chance * 16_807) % 2_147_483_647;
      return chance % 10 === 0 ? 'drop' : 'pass';
    });
    nodes.push(cluster.start('f'));
    cluster.run(60_000);
    expect(nodes.flatMap((node) => node.told('memberUnreachable'))).toEqual([]);
    cluster.until(() => cluster.isSettled(nodes), 10_000);
  });
});

describe('a far member', () => {
  it('is linked now and then, so that parts that drifted apart compare what they hold', () => {
    const cluster = new VirtualCluster({ heartbeat: { rings: 1 }, gossip: { farInterval: '1s' } });
    const nodes = cluster.formed('abcdefgh');
    const near = nodes[0]?.machine.links(cluster.nowMs).map(({ subject }) => subject) ?? [];
    const linked = new Set<NodeKey>();
    for (let i = 0; i < 100; i++) {
      cluster.run(300);
      for (const key of nodes[0]?.links.keys() ?? []) linked.add(key);
    }
    expect(linked.size).toBeGreaterThan(near.length + 2);
  });
});
