/**
 * From one state to the next by events: `eventsBetween` tells the steps, `replay` takes one. Replaying
 * the events over a snapshot gives the state they led to, whatever the snapshot's moment. Who observes
 * an unreachable member changes without an event; an event carries it as of its own moment.
 */
import { compareKeys } from '@rollcall/convergence';
import type { ClusterEvent, MemberEvent, MemberEventType } from './cluster-event.js';
import type { ClusterState, Member, MemberStatus } from './member-view.js';

const TOLD_BY: Readonly<Record<MemberStatus, MemberEventType>> = {
  joining: 'memberJoined',
  weaklyUp: 'memberWeaklyUp',
  up: 'memberUp',
  leaving: 'memberLeft',
  exiting: 'memberExited',
  down: 'memberDowned',
  removed: 'memberRemoved',
};

type Step =
  | Omit<MemberEvent, 'state' | 'why'>
  | { readonly type: 'convergenceReached' | 'convergenceLost' };

/** The state after an event, from the state before it: members and convergence follow from the event alone. */
export function replay(state: ClusterState, event: ClusterEvent): ClusterState {
  const after = step(state, event as Step);
  const { digest, epoch, clusterId, self } = event.state;
  return Object.freeze({ ...after, digest, epoch, clusterId, self });
}

function step(state: ClusterState, event: Step): ClusterState {
  if (event.type === 'convergenceReached') return Object.freeze({ ...state, convergence: true });
  if (event.type === 'convergenceLost') return Object.freeze({ ...state, convergence: false });
  if (!('member' in event)) return state;
  return Object.freeze({
    ...state,
    members: Object.freeze(withMember(state.members, event.member)),
  });
}

function withMember(members: readonly Member[], member: Member): Member[] {
  const place = placeOf(members, member);
  const isThere = members[place]?.node === member.node;
  const put = member.status === 'removed' ? [] : [member];
  return members.toSpliced(place, isThere ? 1 : 0, ...put);
}

/** Where the member stands, or would, in address order. */
function placeOf(members: readonly Member[], { node }: Member): number {
  let low = 0;
  let high = members.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (compareKeys((members[middle] as Member).node, node) < 0) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** What happened between two states, in the order in which it is told; the last event's state is `next`. */
export function eventsBetween(
  before: ClusterState,
  next: ClusterState,
  why: string,
): ClusterEvent[] {
  const steps = [...memberSteps(before, next), ...convergenceSteps(before, next)];
  let state = Object.freeze({ ...next, members: before.members, convergence: before.convergence });
  return steps.map((each, i) => {
    state = i === steps.length - 1 ? next : step(state, each);
    return Object.freeze('member' in each ? { ...each, why, state } : { ...each, state });
  });
}

function* memberSteps(
  before: ClusterState,
  next: ClusterState,
): Iterable<Omit<MemberEvent, 'state' | 'why'>> {
  if (before.members === next.members) return;
  const staying = new Set(next.members.map((member) => member.node));
  for (const previous of before.members) {
    if (staying.has(previous.node)) continue;
    const member: Member = Object.freeze({ ...previous, status: 'removed' });
    yield { type: 'memberRemoved', member, previous };
  }
  const old = new Map(before.members.map((member) => [member.node, member]));
  for (const member of next.members) {
    const previous = old.get(member.node);
    if (previous !== member) yield* changes(previous, member);
  }
}

function* changes(
  previous: Member | undefined,
  member: Member,
): Iterable<Omit<MemberEvent, 'state' | 'why'>> {
  let last = previous;
  if (previous?.status !== member.status) {
    // A member that was up for a moment between two states was up: its subscribers are told.
    const passedUp =
      member.age !== undefined &&
      previous?.age === undefined &&
      !['joining', 'up'].includes(member.status);
    if (passedUp) {
      const up: Member = Object.freeze({ ...member, status: 'up' });
      yield { type: 'memberUp', member: up, previous: last };
      last = up;
    }
    yield { type: TOLD_BY[member.status], member, previous: last };
    last = member;
  }
  if ((previous?.reachability ?? 'reachable') !== member.reachability)
    yield { type: reachabilityTold(member), member, previous: last };
}

const reachabilityTold = (member: Member): MemberEventType =>
  member.reachability === 'reachable'
    ? 'memberReachable'
    : member.reachability === 'suspected'
      ? 'memberSuspected'
      : 'memberUnreachable';

function* convergenceSteps(before: ClusterState, next: ClusterState): Iterable<Step> {
  if (before.convergence === next.convergence) return;
  yield { type: next.convergence ? 'convergenceReached' : 'convergenceLost' };
}
