import { apply, diff, introduce, type Member, type NodeKey, State } from '@rollcall/convergence';
import { describe, expect, it } from 'vitest';
import { Stage, told } from './stage.testing.js';

const J = 'ws://j:7000#0000000000000001';
const K = 'ws://k:7000#0000000000000002';
const L = 'ws://l:7000#0000000000000003';
const join = { kind: 'join', roles: ['worker'], appVersion: '2' } as const;

/** A founder, and the welcome it gave to a joiner. */
function welcomed(settings: Record<string, unknown> = {}, joiner: NodeKey = J) {
  const stage = new Stage(settings).founds();
  stage.links(joiner);
  return { stage, ...asks(stage, joiner) };
}

function asks(stage: Stage, joiner: NodeKey) {
  stage.hears(joiner, join);
  const [welcome] = stage.sent('welcome', joiner);
  if (welcome === undefined) throw new Error('not welcomed');
  const state = apply(null, welcome.patch) as State;
  const mine = introduce(state, { key: joiner, roles: ['worker'], appVersion: '2' }).state;
  const introduction = (as: State = mine, token = welcome.token) =>
    ({ kind: 'introduce', token, patch: diff(state, as) }) as const;
  return { welcome, state, mine, introduction };
}

describe('a joiner that asks', () => {
  it('is shown the state, which it has not entered by asking (X10)', () => {
    const stage = new Stage().founds();
    const before = stage.machine.state;
    stage.hears(J, join);
    expect(stage.sent('welcome', J)).toHaveLength(1);
    expect(stage.machine.state).toBe(before);
  });

  it('is a member once it has written itself in, and is told so', () => {
    const stage = new Stage().founds();
    stage.admits(K);
    stage.links(J);
    const { mine, introduction } = asks(stage, J);
    stage.hears(J, introduction());
    expect(stage.told('memberJoined')[0]?.member).toMatchObject({
      status: 'joining',
      roles: ['worker'],
      appVersion: '2',
    });
    expect(stage.sent('status', J)[0]?.status.digest).toBe(mine.digest);
  });

  it('goes up when all have seen it, in one change with others that joined', () => {
    const stage = new Stage().founds();
    stage.admits(K);
    const introductions = [J, L].map((key) => {
      stage.links(key);
      return { key, ...asks(stage, key) };
    });
    for (const { key, introduction } of introductions) stage.hears(key, introduction());
    expect([J, L].map((key) => stage.statusOf(key))).toEqual(['joining', 'joining']);
    const all = introductions.reduce(
      (state, { key, mine }) => state.with(mine.get(key) as Member),
      introductions[0]?.state as State,
    );
    const { epoch } = stage.agrees(K, all);
    const ageOf = (key: NodeKey) =>
      stage.machine.state.members.find((member) => member.node === key)?.age;
    expect([J, L].map((key) => stage.statusOf(key))).toEqual(['up', 'up']);
    expect([ageOf(J), ageOf(L)]).toEqual([epoch - 1, epoch - 1]);
  });

  it('may take either answer when its question came twice', () => {
    const stage = new Stage().founds();
    stage.admits(K);
    stage.links(J);
    stage.links(L);
    const first = asks(stage, J);
    stage.hears(L, asks(stage, L).introduction());
    const second = asks(stage, J);
    expect(second.welcome.token).toBe(first.welcome.token);
    stage.hears(J, first.introduction());
    expect(stage.sent('joinRefused')).toEqual([]);
    expect([J, L].map((key) => stage.statusOf(key))).toEqual(['joining', 'joining']);
  });

  it('is sent elsewhere by a node that is not up itself', () => {
    const stage = new Stage({}, ['ws://a:7000']);
    stage.step({ kind: 'start' });
    stage.hears(J, join);
    expect(stage.sent('joinRetry', J)).toEqual([
      { kind: 'joinRetry', afterMs: 200, freshUid: false, ask: [] },
    ]);
  });

  it('is not let in by a node that is cut off: it could never go up, and would look like a way back', () => {
    const stage = new Stage().founds();
    stage.admits(K);
    stage.admits(L);
    stage.passes(8_000);
    expect(stage.machine.blockers.map(({ kind }) => kind)).toContain('notQuorate');
    stage.links(J);
    stage.hears(J, join);
    expect(stage.sent('welcome')).toEqual([]);
    const [retry] = stage.sent('joinRetry', J);
    expect(retry?.freshUid).toBe(false);
    expect(retry?.ask).toContain('ws://k:7000');
  });

  it('is told which members can let it in, when this one cannot now', () => {
    const stage = new Stage({ limits: { joins: 1 } }).founds();
    stage.admits(K);
    stage.hears(J, join);
    stage.hears(L, join);
    const [retry] = stage.sent('joinRetry');
    expect(retry?.ask).toEqual(['ws://m:7000', 'ws://k:7000']);
    expect(retry?.afterMs).toBeGreaterThan(0);
  });

  it('is welcomed again when it asks again, though nobody else is let in meanwhile', () => {
    const stage = new Stage({ limits: { joins: 1 } }).founds();
    stage.admits(K);
    stage.hears(J, join);
    const [first] = stage.sent('welcome', J);
    stage.passes(3_000);
    stage.hears(J, join);
    expect(stage.sent('welcome', J)).toEqual([first]);
    stage.hears(L, join);
    expect(stage.sent('welcome', L)).toEqual([]);
  });

  it('is refused by a cluster that is full', () => {
    const stage = new Stage({ limits: { members: 2 } }).founds();
    stage.admits(K);
    stage.hears(J, join);
    expect(stage.sent('joinRefused', J)[0]?.refusal).toMatchObject({
      code: 'limit',
      by: 'ws://m:7000',
    });
  });

  it('needs another uid when it is a member already, or was removed', () => {
    const stage = new Stage().founds();
    const state = stage.admits(K);
    stage.hears(K, join);
    expect(stage.sent('joinRetry', K)[0]).toMatchObject({ freshUid: true });
    const exited = state.with({ ...(state.get(K) as Member), status: 'Exited' });
    stage.hears(K, told(state, exited, K));
    expect(stage.statusOf(K)).toBeUndefined();
    stage.hears(K, join);
    expect(stage.sent('joinRetry', K)[0]).toMatchObject({ freshUid: true });
  });
});

describe('an introduction', () => {
  const isOut = (stage: Stage, key = J) => stage.statusOf(key) === undefined;

  it('takes the token that was given, once', () => {
    const { stage, introduction } = welcomed();
    stage.hears(J, introduction(undefined, '00000000000000ff'));
    expect(stage.sent('joinRetry', J)[0]).toMatchObject({ freshUid: true });
    expect(isOut(stage)).toBe(true);
    stage.hears(J, introduction());
    expect(isOut(stage)).toBe(false);
  });

  it('that comes twice is confirmed twice: the first confirmation may be lost', () => {
    const { stage, introduction } = welcomed();
    stage.hears(J, introduction());
    stage.hears(J, introduction());
    expect(stage.sent('joinRetry', J)).toEqual([]);
    expect(stage.sent('status', J)).toHaveLength(1);
  });

  it('is taken from nobody else', () => {
    const { stage, introduction } = welcomed();
    stage.hears(K, introduction());
    expect(stage.sent('joinRetry', K)).toHaveLength(1);
    expect(isOut(stage) && isOut(stage, K)).toBe(true);
  });

  it('of another epoch gets a fresh welcome under the same token (X11)', () => {
    const { stage, welcome, introduction } = welcomed();
    stage.admits(K);
    stage.hears(J, introduction());
    expect(isOut(stage)).toBe(true);
    const [again] = stage.sent('welcome', J);
    expect(again?.token).toBe(welcome.token);
    expect(again?.patch.epoch).toBeGreaterThan(welcome.patch.epoch);
    const state = apply(null, (again as typeof welcome).patch) as State;
    const { state: mine } = introduce(state, { key: J, roles: [], appVersion: '' });
    stage.hears(J, { kind: 'introduce', token: welcome.token, patch: diff(state, mine) });
    expect(stage.statusOf(J)).toBe('joining');
  });

  it('that comes twice, or late, answers its own welcome and no later one', () => {
    const { stage, welcome, introduction } = welcomed();
    stage.admits(K);
    stage.hears(J, introduction());
    const fresh = apply(null, stage.sent('welcome', J)[0]?.patch ?? welcome.patch) as State;
    stage.hears(J, introduction());
    expect(stage.out).toEqual([]);
    const { state: mine } = introduce(fresh, { key: J, roles: [], appVersion: '' });
    stage.hears(J, { kind: 'introduce', token: welcome.token, patch: diff(fresh, mine) });
    expect(stage.statusOf(J)).toBe('joining');
  });

  it('comes too late after two attempts of time', () => {
    const { stage, introduction } = welcomed();
    stage.nowMs += 6_001;
    stage.hears(J, introduction());
    expect(stage.sent('joinRetry', J)[0]).toMatchObject({ freshUid: true });
    expect(isOut(stage)).toBe(true);
  });

  it('is not taken when the address has been taken meanwhile', () => {
    const { stage, introduction } = welcomed();
    const other = asks(stage, 'ws://j:7000#99');
    stage.hears(J, introduction());
    stage.hears('ws://j:7000#99', other.introduction());
    expect(stage.sent('joinRetry', 'ws://j:7000#99')[0]).toMatchObject({ freshUid: true });
    expect(isOut(stage, 'ws://j:7000#99')).toBe(true);
  });

  const changes: Record<string, (mine: State, state: State) => State> = {
    'marks somebody down': (mine) => mine.with({ ...(mine.get(K) as Member), status: 'Down' }),
    'marks its acceptor leaving': (mine) =>
      mine.with({
        ...(mine.members.find((each) => each.key.startsWith('ws://m')) as Member),
        status: 'Leaving',
      }),
    'is up already': (_, state) => withMember(state, { status: 'Up', upNumber: 1 }),
    'has an age': (_, state) => withMember(state, { upNumber: 1 }),
    'accuses others': (_, state) =>
      withMember(state, { row: { version: 1, unreachable: [K], unwell: false, cutOff: false } }),
    'brings a friend': (mine) => withMember(mine, { key: L }),
    'drops somebody': (mine) =>
      changed(mine, { members: mine.members.filter(({ key }) => key !== K) }),
    'remembers removals': (mine) => changed(mine, { removed: ['ws://x:1#1'] }),
    'is of another cluster': (mine) => changed(mine, { clusterId: K }),
    'changes nothing at all': (_, state) => state,
  };
  it.each(Object.keys(changes))(
    'may add its sender and do nothing else: one that %s is refused',
    (name) => {
      const { stage } = welcomed({}, K);
      stage.admits(K);
      stage.links(J);
      const { state, mine, introduction } = asks(stage, J);
      const before = stage.machine.state;
      stage.hears(J, introduction(changes[name]?.(mine, state)));
      expect(stage.sent('joinRefused', J)[0]?.refusal.code).toBe('badFrame');
      expect(stage.machine.state).toBe(before);
    },
  );
});

const withMember = (state: State, change: Partial<Member>): State =>
  changed(state, {
    members: [
      ...state.members,
      {
        ...(introduce(state, { key: J, roles: [], appVersion: '' }).state.get(J) as Member),
        ...change,
      },
    ],
  });

const changed = (state: State, change: Partial<Parameters<typeof State.from>[0]>): State => {
  const { clusterId, epoch, members, removed } = state;
  return State.from({ clusterId, epoch, members, removed, ...change });
};
