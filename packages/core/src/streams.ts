/**
 * What subscribers get, derived from the states a node publishes: today's answer at once, then each
 * change. A network fault never errors a stream; only the node's end completes it.
 */
import type { NodeKey } from '@rollcall/convergence';
import { type GroupedObservable, Observable } from 'rxjs';
import type { Clock } from './clock.js';
import type { ClusterState, Member, MemberView } from './membership/member-view.js';

/** The member of that unique address, or of that address (its live run rather than one that is down). */
export function findMember(state: ClusterState, node: NodeKey | string): Member | undefined {
  const exact = state.members.find((member) => member.node === node);
  if (exact !== undefined) return exact;
  const there = state.members.filter((member) => member.address === node);
  return there.find((member) => member.status !== 'down') ?? there[0];
}

/** A member as it is shown, and a mark that changes when something else than the member does. */
export interface View {
  of(member: Member): MemberView;
  mark(member: Member): boolean;
}

/**
 * One stream per member; a new one when a member appears. Each is a stream of its own, so it goes on
 * when whoever took it from here has stopped listening for more.
 */
export function memberStreams(
  state$: Observable<ClusterState>,
  view: View,
  guarded: (stream: Observable<MemberView>) => Observable<MemberView> = (stream) => stream,
): Observable<GroupedObservable<NodeKey, MemberView>> {
  return new Observable((subscriber) => {
    let known = new Set<NodeKey>();
    return state$.subscribe({
      next: (state) => {
        const fresh = state.members.filter((member) => !known.has(member.node));
        known = new Set(state.members.map((member) => member.node));
        for (const { node } of fresh) {
          const views$ = guarded(memberStream(state$, node, view));
          subscriber.next(Object.assign(views$, { key: node }));
        }
      },
      complete: () => subscriber.complete(),
    });
  });
}

/** One member's views; completes when it is removed, at once if it is unknown. */
export function memberStream(
  state$: Observable<ClusterState>,
  node: NodeKey | string,
  view: View,
): Observable<MemberView> {
  return new Observable((subscriber) => {
    let key: NodeKey | undefined;
    let last: Member | undefined;
    let lastMark: boolean | undefined;
    return state$.subscribe({
      next: (state) => {
        const member = findMember(state, key ?? node);
        if (member === undefined) return subscriber.complete();
        key = member.node;
        const mark = view.mark(member);
        if (member !== last || mark !== lastMark) subscriber.next(view.of(member));
        last = member;
        lastMark = mark;
      },
      complete: () => subscriber.complete(),
    });
  });
}

/** Those held unreachable, and those of `observed` that are suspect. */
export function avoided(
  { members }: ClusterState,
  observed: readonly NodeKey[],
  isSuspect: (node: NodeKey) => boolean,
): ReadonlySet<NodeKey> {
  const lost = members.filter(({ reachability }) => reachability === 'unreachable');
  return new Set([...lost.map(({ node }) => node), ...observed.filter(isSuspect)]);
}

export const sameKeys = (a: ReadonlySet<NodeKey>, b: ReadonlySet<NodeKey>): boolean =>
  a.size === b.size && [...a].every((key) => b.has(key));

/** Ticks by the clock port, at once and then every `everyMs`, while somebody listens. */
export function ticks(clock: Clock, everyMs: number): Observable<void> {
  return new Observable((subscriber) => {
    let cancel = () => {};
    const tick = () => {
      if (subscriber.closed) return;
      subscriber.next();
      if (!subscriber.closed) cancel = clock.schedule(everyMs, tick);
    };
    tick();
    return () => cancel();
  });
}
