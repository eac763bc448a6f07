import { compareKeys, type NodeKey } from '@rollcall/convergence';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ClusterEvent } from './cluster-event.js';
import { shown } from './event-audit.testing.js';
import type { ClusterState, Member, MemberStatus, Reachability } from './member-view.js';
import { eventsBetween, replay } from './replay.js';

const keys = ['a', 'b', 'c', 'd', 'e', 'f'].map((name): NodeKey => `ws://${name}:1#1`);
const [A, B] = keys as [NodeKey, NodeKey];
const SELF = 'ws://self:1#1';

const member = (node: NodeKey, status: MemberStatus, change: Partial<Member> = {}): Member =>
  Object.freeze({
    node,
    address: node.slice(0, -2),
    uid: '1',
    roles: [],
    appVersion: '1',
    status,
    age: status === 'joining' || status === 'weaklyUp' ? undefined : 1,
    reachability: 'reachable',
    observedBy: [],
    ...change,
  });
const state = (members: readonly Member[], change: Partial<ClusterState> = {}): ClusterState => ({
  self: SELF,
  members: [...members].sort((a, b) => compareKeys(a.node, b.node)),
  convergence: false,
  digest: 'd',
  epoch: 1,
  clusterId: SELF,
  ...change,
});

const anyMember = fc
  .record({
    status: fc.constantFrom<MemberStatus>(
      'joining',
      'weaklyUp',
      'up',
      'leaving',
      'exiting',
      'down',
    ),
    reachability: fc.constantFrom<Reachability>('reachable', 'suspected', 'unreachable'),
    age: fc.option(fc.nat(9), { nil: undefined }),
    observedBy: fc.subarray(keys),
  })
  .map(
    ({ status, ...rest }) =>
      (node: NodeKey) =>
        member(node, status, rest),
  );
const anyState: fc.Arbitrary<ClusterState> = fc
  .record({
    members: fc.array(fc.option(anyMember), { minLength: keys.length, maxLength: keys.length }),
    convergence: fc.boolean(),
    epoch: fc.nat(9),
  })
  .map(({ members, ...rest }) =>
    state(
      members.flatMap((make, i) => (make === null ? [] : [make(keys[i] ?? '')])),
      rest,
    ),
  );

const types = (events: readonly ClusterEvent[]) => events.map(({ type }) => type);

describe('the events between two states', () => {
  it('replayed over the first give the last', () => {
    fc.assert(
      fc.property(anyState, anyState, (before, next) => {
        const last = eventsBetween(before, next, 'why').reduce(replay, before);
        expect(shown(last)).toEqual(shown(next));
        if (last !== before) expect(last).toMatchObject({ digest: next.digest, epoch: next.epoch });
      }),
    );
  });

  it('each carry the state after it, and the last one the last state', () => {
    fc.assert(
      fc.property(anyState, anyState, (before, next) => {
        const events = eventsBetween(before, next, 'why');
        let now = before;
        for (const event of events) {
          now = replay(now, event);
          expect(shown(event.state)).toEqual(shown(now));
        }
        if (events.length > 0) expect(events.at(-1)?.state).toBe(next);
      }),
    );
  });

  it('remove each member that went, once, and nobody else', () => {
    fc.assert(
      fc.property(fc.array(anyState, { minLength: 2, maxLength: 6 }), (states) => {
        for (const [i, next] of states.slice(1).entries()) {
          const before = states[i] as ClusterState;
          const removed = eventsBetween(before, next, 'why').flatMap((event) =>
            event.type === 'memberRemoved' ? [event.member.node] : [],
          );
          const held = new Set(next.members.map(({ node }) => node));
          const gone = before.members.filter(({ node }) => !held.has(node));
          expect(removed).toEqual(gone.map(({ node }) => node));
        }
      }),
    );
  });

  it('are none when nothing that is told has changed', () => {
    fc.assert(
      fc.property(anyState, (some) => {
        expect(eventsBetween(some, { ...some, epoch: 99, digest: 'x' }, 'why')).toEqual([]);
      }),
    );
  });

  it('are told in order: members, then convergence', () => {
    const before = state([member(A, 'up'), member(B, 'up')], { convergence: true });
    const next = state([member(A, 'leaving'), member(B, 'up', { reachability: 'unreachable' })]);
    expect(types(eventsBetween(before, next, 'why'))).toEqual([
      'memberLeft',
      'memberUnreachable',
      'convergenceLost',
    ]);
  });
});

describe('one member', () => {
  const between = (before: Member | undefined, next: Member | undefined) =>
    eventsBetween(state(before ? [before] : []), state(next ? [next] : []), 'told by somebody');

  it.each([
    ['joining', 'memberJoined'],
    ['weaklyUp', 'memberWeaklyUp'],
    ['up', 'memberUp'],
  ] as const)('that appears as %s is told by %s', (status, type) => {
    const [event] = between(undefined, member(A, status));
    expect(event).toMatchObject({ type, previous: undefined, why: 'told by somebody' });
  });

  it.each(['leaving', 'exiting', 'down'] as const)(
    'that was up between two states is told so first, then as %s',
    (status) => {
      const joined = member(A, 'joining');
      const events = between(joined, member(A, status));
      expect(types(events)).toEqual([
        'memberUp',
        `member${{ leaving: 'Left', exiting: 'Exited', down: 'Downed' }[status]}`,
      ]);
      expect(events[0]).toMatchObject({ member: { status: 'up' }, previous: joined });
      expect(events[1]).toMatchObject({ previous: { status: 'up' } });
      expect(types(between(undefined, member(A, status)))).toHaveLength(2);
    },
  );

  it('that went down without ever being up was not up', () => {
    const events = between(member(A, 'joining'), member(A, 'down', { age: undefined }));
    expect(types(events)).toEqual(['memberDowned']);
  });

  it('that is removed is shown as removed, with what it was before', () => {
    const last = member(A, 'down', { reachability: 'unreachable' });
    const [event, ...more] = between(last, undefined);
    expect(more).toEqual([]);
    expect(event).toMatchObject({
      type: 'memberRemoved',
      member: { status: 'removed' },
      previous: last,
    });
  });

  it.each([
    ['reachable', 'suspected', 'memberSuspected'],
    ['suspected', 'unreachable', 'memberUnreachable'],
    ['reachable', 'unreachable', 'memberUnreachable'],
    ['unreachable', 'suspected', 'memberSuspected'],
    ['unreachable', 'reachable', 'memberReachable'],
  ] as const)('that was %s and is %s is told by %s', (from, to, type) => {
    const events = between(
      member(A, 'up', { reachability: from }),
      member(A, 'up', { reachability: to }),
    );
    expect(types(events)).toEqual([type]);
  });

  it('about which only the observers changed is not told of', () => {
    const seen = (observedBy: readonly NodeKey[]) =>
      member(A, 'up', { reachability: 'unreachable', observedBy });
    expect(between(seen([B]), seen([B, SELF]))).toEqual([]);
  });
});

describe('replay', () => {
  it('leaves members alone at events that are about no member', () => {
    const before = state([member(A, 'up')]);
    const event = {
      type: 'localPauseDetected',
      pauseMs: 5,
      state: state([], { epoch: 7 }),
    } as const;
    expect(replay(before, event)).toMatchObject({ members: before.members, epoch: 7 });
  });

  it('begins from any snapshot that the events were told after', () => {
    fc.assert(
      fc.property(fc.array(anyState, { minLength: 2, maxLength: 5 }), fc.nat(), (states, pick) => {
        const start = pick % states.length;
        const pairs = states
          .slice(start + 1)
          .map((next, i) => [states[start + i] as ClusterState, next] as const);
        const events = pairs.flatMap(([before, next]) => eventsBetween(before, next, ''));
        const last = events.reduce(replay, states[start] as ClusterState);
        expect(shown(last)).toEqual(shown(states.at(-1) as ClusterState));
      }),
    );
  });
});
