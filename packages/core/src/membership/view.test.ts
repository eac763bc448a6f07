import {
  type NodeKey,
  type Member as Row,
  replicaOf,
  Seen,
  type State,
  type Status,
} from '@rollcall/convergence';
import { describe, expect, it } from 'vitest';
import type { MemberStatus } from './member-view.js';
import { Node } from './node.js';
import { readSettings } from './settings.js';
import { stateOf, upMember } from './stage.testing.js';
import { viewOf } from './view.js';

const A = 'ws://a:7000#1';
const B = 'ws://b:7000#2';
const C = 'ws://c:7000#3';
const D = 'ws://d:7000#4';

function viewer(settings: Record<string, unknown> = {}, self: NodeKey = A) {
  const given = { name: 'test', address: 'ws://a:7000', seeds: [], roles: [], appVersion: '1' };
  const random = { next: () => 0, uid: () => '1' };
  const node = new Node({ ...given, settings: readSettings(settings) }, random);
  return (state: State) => viewOf(node, replicaOf(self, state));
}
const rows = (...changes: readonly Partial<Row>[]) =>
  [A, B, C, D].map((key, i) => upMember(key, changes[i]));
const naming = (...unreachable: readonly NodeKey[]) => ({
  row: { version: 1, unreachable, unwell: false, cutOff: false },
});
const statuses = (view: { members: readonly { status: MemberStatus }[] }) =>
  view.members.map(({ status }) => status);

describe('a member as users see it', () => {
  it.each([
    ['Joining', 'joining'],
    ['WeaklyUp', 'weaklyUp'],
    ['Up', 'up'],
    ['Leaving', 'leaving'],
    ['Exiting', 'exiting'],
    ['Exited', 'exiting'],
    ['Down', 'down'],
  ] as const)('that is %s is shown as %s', (status: Status, shown) => {
    const upNumber = status === 'Joining' || status === 'WeaklyUp' ? null : 3;
    const [, b] = viewer()(stateOf(rows({}, { status, upNumber }))).members;
    expect(b).toEqual({
      node: B,
      address: 'ws://b:7000',
      uid: '2',
      roles: [],
      appVersion: '1',
      status: shown,
      age: upNumber ?? undefined,
      reachability: 'reachable',
      observedBy: [],
    });
  });

  it('is reachable, suspected or unreachable by how many say so', () => {
    const view = viewer();
    const by = (...names: readonly NodeKey[]) =>
      view(stateOf(rows(...[A, B, C].map((key) => (names.includes(key) ? naming(D) : {})))))
        .members[3];
    expect(by()).toMatchObject({ reachability: 'reachable', observedBy: [] });
    expect(by(B)).toMatchObject({ reachability: 'suspected', observedBy: [B] });
    expect(by(B, C)).toMatchObject({ reachability: 'unreachable', observedBy: [B, C] });
  });

  it('on its way out keeps what was last said of it', () => {
    const view = viewer();
    const accused = (change: Partial<Row>) => stateOf(rows(naming(D), naming(D), {}, change));
    view(accused({}));
    const [, , , down] = view(accused({ status: 'Down' })).members;
    expect(down).toMatchObject({ status: 'down', reachability: 'unreachable', observedBy: [A, B] });
    const [, , , unseen] = viewer()(accused({ status: 'Down' })).members;
    expect(unseen).toMatchObject({ reachability: 'reachable', observedBy: [] });
  });

  it('is lost to a node that is cut off, and to nobody else', () => {
    const row = { version: 1, unreachable: [B, C, D], unwell: false, cutOff: true };
    const state = stateOf(rows({ row }));
    expect(viewer({}, A)(state).members.map(({ reachability }) => reachability)).toEqual([
      'reachable',
      'unreachable',
      'unreachable',
      'unreachable',
    ]);
    expect(
      viewer({}, B)(state).members.every(({ reachability }) => reachability === 'reachable'),
    ).toBe(true);
  });
});

describe('a view of a cluster', () => {
  it('is frozen all through', () => {
    const view = viewer()(stateOf(rows()));
    const parts = [view, view.members, ...view.members, ...view.members.map(({ roles }) => roles)];
    for (const part of parts) expect(Object.isFrozen(part)).toBe(true);
  });

  it('keeps the members that did not change, as the same objects', () => {
    const view = viewer();
    const first = view(stateOf(rows()));
    const second = view(stateOf(rows({}, { status: 'Leaving' }), 6));
    const same = second.members.map((member, i) => member === first.members[i]);
    expect(same).toEqual([true, false, true, true]);
    // A new version of a row that names nobody changes nothing that is shown.
    const third = view(
      stateOf(rows({ row: { ...naming().row, version: 9 } }, { status: 'Leaving' }), 6),
    );
    expect(third.members.every((member, i) => member === second.members[i])).toBe(true);
  });

  it('forgets members that went: one of the same name would be made anew', () => {
    const view = viewer();
    const first = view(stateOf(rows()));
    view(stateOf(rows().slice(0, 3)));
    const again = view(stateOf(rows()));
    expect(again.members[3]).not.toBe(first.members[3]);
    expect(again.members[0]).toBe(first.members[0]);
  });

  it('names cluster, epoch and digest', () => {
    const state = stateOf(rows(), 7);
    expect(viewer()(state)).toMatchObject({
      self: A,
      clusterId: A,
      epoch: 7,
      digest: state.digest,
      convergence: false,
    });
    const alone = stateOf([upMember(A)]);
    expect(viewer()(alone).convergence).toBe(true);
  });
});

describe('members.min', () => {
  const up = { status: 'Up', upNumber: 1 } as const;
  const joining = { status: 'Joining', upNumber: null } as const;

  it('shows nobody as up before so many are', () => {
    const view = viewer({ members: { min: 3 } });
    expect(statuses(view(stateOf(rows(up, up, joining, joining))))).toEqual(
      Array(4).fill('joining'),
    );
    expect(statuses(view(stateOf(rows(up, up, up, joining))))).toEqual([
      'up',
      'up',
      'up',
      'joining',
    ]);
  });

  it('is reached once and for all', () => {
    const view = viewer({ members: { min: 3 } });
    view(stateOf(rows(up, up, up)));
    expect(statuses(view(stateOf(rows(up).slice(0, 1))))).toEqual(['up']);
  });

  it('can be asked of a role', () => {
    const view = viewer({ members: { minPerRole: { worker: 2 } } });
    const worker = { ...up, roles: ['worker'] };
    expect(statuses(view(stateOf(rows(worker, up, up, up))))).toEqual(Array(4).fill('joining'));
    expect(statuses(view(stateOf(rows(worker, up, up, worker))))).toEqual(Array(4).fill('up'));
  });

  it('holds back who is up, not who leaves', () => {
    const view = viewer({ members: { min: 9 } });
    expect(
      statuses(view(stateOf(rows(up, { status: 'Leaving' }, { status: 'Down' }, joining)))),
    ).toEqual([...['joining', 'leaving', 'down', 'joining']]);
  });
});

it('shows the same list of members while only who has seen the state is news', () => {
  const given = { name: 'test', address: 'ws://a:7000', seeds: [], roles: [], appVersion: '1' };
  const random = { next: () => 0, uid: () => '1' };
  const node = new Node({ ...given, settings: readSettings({}) }, random);
  const state = stateOf(rows());
  const alone = viewOf(node, replicaOf(A, state));
  const agreed = viewOf(node, { ...replicaOf(A, state), seen: Seen.all(state) });
  expect([alone.convergence, agreed.convergence]).toEqual([false, true]);
  expect(agreed.members).toBe(alone.members);
  const later = viewOf(node, replicaOf(A, stateOf(rows({}, { status: 'Leaving' }))));
  expect(statuses(later)).toEqual(['up', 'leaving', 'up', 'up']);
});
