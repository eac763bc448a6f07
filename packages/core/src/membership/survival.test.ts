import {
  beginLeave,
  bucketDigests,
  declareExited,
  diff,
  f,
  markDown,
  type NodeKey,
  replicaOf,
  Seen,
  type State,
  setRow,
} from '@rollcall/convergence';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { Directive } from './directive.js';
import { shown } from './event-audit.testing.js';
import type { TimerKind } from './input.js';
import type { ClusterState } from './member-view.js';
import type { Message } from './message.js';
import { anyMessage } from './messages.testing.js';
import { replay } from './replay.js';
import { outside, Stage, stateOf, statusOf, upMember } from './stage.testing.js';

const [A, B, C] = ['a', 'b', 'c'].map((name): NodeKey => `ws://${name}:7000#00000000000000a1`) as [
  NodeKey,
  NodeKey,
  NodeKey,
];
const STRANGERS: readonly NodeKey[] = ['ws://x:7000#1', 'ws://a:7000#2', 'ws://m:7000#2'];
const TIMERS: readonly TimerKind[] = [
  'tick',
  'verdict',
  'flush',
  'join',
  'admit',
  'downing',
  'leave',
  'repair',
];

/** A machine in some state of its life, and states that others may hold. */
interface Scene {
  readonly stage: Stage;
  readonly states: State[];
}

const there = stateOf([upMember(A), upMember(B), upMember(C)]);
const scenes: Record<string, () => Scene> = {
  'before it begins': () => ({ stage: new Stage({}, ['ws://a:7000']), states: [there] }),
  'that looks for a cluster': () => {
    const stage = new Stage({}, ['ws://m:7000', 'ws://a:7000']);
    stage.step({ kind: 'start' });
    return { stage, states: [there] };
  },
  'that has asked': () => ({
    stage: new Stage({}, ['ws://a:7000']).asks(A, there),
    states: [there],
  }),
  'that has introduced itself': () => {
    const stage = new Stage({}, ['ws://a:7000']).asks(A, there);
    stage.hears(A, { kind: 'welcome', token: '00000000000000aa', patch: diff(null, there) });
    return { stage, states: [there] };
  },
  'that is alone': () => ({ stage: new Stage().founds(), states: [there] }),
  'that is a member': () => {
    const stage = new Stage({ limits: { joins: 4 } }, ['ws://a:7000']);
    return { stage, states: [stage.enters(there, A)] };
  },
  'that leaves': () => {
    const stage = new Stage({}, ['ws://a:7000']);
    const states = [stage.enters(there, A)];
    stage.step({ kind: 'leave' });
    return { stage, states };
  },
  'that has exited': () => {
    const stage = new Stage({ leave: { timeout: '100ms' } }, ['ws://a:7000']);
    const states = [stage.enters(there, A)];
    stage.step({ kind: 'leave' });
    stage.passes(100);
    return { stage, states };
  },
};

interface Step {
  readonly kind: 'noise' | 'gossip' | 'time' | 'stale' | 'link' | 'world' | 'command';
  readonly message: Message;
  readonly who: number;
  readonly what: number;
  readonly ms: number;
}
const anyStep: fc.Arbitrary<Step> = fc.record({
  kind: fc.constantFrom(
    'noise',
    'gossip',
    'gossip',
    'gossip',
    'time',
    'stale',
    'link',
    'world',
    'command',
  ),
  message: anyMessage,
  who: fc.nat(6),
  what: fc.nat(999),
  ms: fc.oneof(fc.nat(50), fc.nat(2_000), fc.nat(40_000)),
});

const picked = <T>(items: readonly T[], number: number): T => items[number % items.length] as T;
const people = ({ stage }: Scene) => [A, B, C, stage.self, ...STRANGERS];

/** A state that follows from one of those others hold: what members do, in any order, on any branch. */
function nextState({ states, stage }: Scene, { who, what }: Step): State {
  const before = picked(states, what);
  const by = picked([A, B, C, stage.self], who);
  const replica = replicaOf(by, before);
  const changes = [
    () => markDown(replica, picked([A, B, C], what)).state,
    () => beginLeave(replica, by).state,
    () => declareExited(replica).state,
    () =>
      setRow(replica, {
        unreachable: [picked([A, B, C], what)],
        unwell: what % 2 === 0,
        cutOff: what % 5 === 0,
      }).state,
    () => f(before, stage.rules) ?? before,
    () => before,
  ];
  return picked(changes, Math.floor(what / 7))();
}

/** Something that a member, or somebody who was one, may well say about such a state. */
function gossip(scene: Scene, step: Step): Message {
  const state = nextState(scene, step);
  scene.states.push(state);
  const base = step.what % 3 === 0 ? null : picked(scene.states, step.what);
  const by = picked(people(scene), step.who);
  const seen = step.what % 2 === 0 ? Seen.all(state) : Seen.only(state, by);
  const bits = seen.isAll ? ('all' as const) : seen.bytes;
  const status = statusOf(state, seen);
  const standing = { ...outside, clusterId: state.clusterId, size: state.size, acceptors: [A, B] };
  const messages: readonly Message[] = [
    { kind: 'heartbeat', seq: step.what, echo: step.what % 9, observes: true, status },
    { kind: 'status', status, want: step.what % 4 === 0 },
    { kind: 'patch', patch: diff(base, state), seen: bits },
    { kind: 'patch', patch: diff(base, state), seen: bits },
    { kind: 'buckets', status, buckets: bucketDigests(state) },
    { kind: 'seedAsk', standing },
    { kind: 'seedAnswer', standing },
    { kind: 'join', roles: [], appVersion: '1' },
    { kind: 'welcome', token: '00000000000000aa', patch: diff(null, state) },
    { kind: 'introduce', token: lastToken(scene), patch: diff(base, state) },
    { kind: 'joinRetry', afterMs: step.ms, freshUid: step.what % 2 === 0, ask: ['ws://a:7000'] },
    { kind: 'exitNoted' },
  ];
  return picked(messages, step.who + step.what);
}

const lastToken = ({ stage }: Scene): string =>
  stage.sent('welcome')[0]?.token ?? '0000000000000001';

function perform(scene: Scene, step: Step): readonly Directive[] {
  const { stage } = scene;
  const who = picked(people(scene), step.who);
  switch (step.kind) {
    case 'noise':
      return stage.hears(who, step.message);
    case 'gossip':
      return stage.hears(who, gossip(scene, step));
    case 'time':
      return step.what % 3 === 0 ? late(stage, step.ms) : stage.passes(step.ms);
    case 'stale':
      return stage.step({
        kind: 'timer',
        timer: { kind: picked(TIMERS, step.what), dueMs: stage.nowMs - step.ms },
      });
    case 'link':
      if (step.what % 3 === 0) return stage.step({ kind: 'linkDown', peer: who });
      return stage.links(who, step.what % 2 === 0 ? who.slice(0, who.indexOf('#')) : undefined);
    case 'world':
      if (step.what % 2 === 0) return stage.resolves('ws://a:7000', 'ws://m:7000');
      return stage.step({
        kind: 'probed',
        address: 'ws://a:7000',
        found: step.what % 4 === 1 ? undefined : who,
      });
    case 'command':
      if (step.what % 40 === 0) return stage.step({ kind: 'leave' });
      if (step.what % 40 === 1)
        return stage.step({ kind: 'askToLeave', subject: who, ticket: step.what });
      return stage.step({ kind: 'down', subject: who, ticket: step.what });
  }
}

/** The process did not run for a while. */
function late(stage: Stage, ms: number): readonly Directive[] {
  stage.nowMs += ms;
  return stage.passes(0);
}

/** What must hold however others behave; returns what subscribers have been shown by now. */
function check(before: ClusterState, out: readonly Directive[], wanted: Set<string>): ClusterState {
  let now = before;
  expect(out.length).toBeLessThan(2_000);
  for (const each of out) {
    if (each.kind === 'emit') now = replay(now, each.event);
    if (each.kind === 'link') wanted.add(each.address);
    if (each.kind === 'unlink') wanted.delete(each.address);
    if (each.kind === 'arm') expect(Number.isFinite(each.afterMs) && each.afterMs >= 0).toBe(true);
    if (each.kind !== 'publish') continue;
    expect(shown(now)).toEqual(shown(each.state));
    if (each.state.clusterId === before.clusterId)
      expect(each.state.epoch).toBeGreaterThanOrEqual(before.epoch);
    now = each.state;
  }
  expect(wanted.size).toBeLessThanOrEqual(80);
  return now;
}

it.each(Object.keys(scenes))(
  'a node %s survives whatever it is told, by whomever, in whatever order',
  (name) => {
    fc.assert(
      fc.property(fc.array(anyStep, { maxLength: 40 }), (steps) => {
        const scene = scenes[name]?.() as Scene;
        const wanted = new Set<string>();
        let now = scene.stage.machine.state;
        let hasEnded = false;
        for (const step of steps) {
          const out = perform(scene, step);
          if (hasEnded) expect(out).toEqual([]);
          now = check(now, out, wanted);
          hasEnded ||= out.some((each) => each.kind === 'stop');
        }
      }),
      { numRuns: 120 },
    );
  },
);
