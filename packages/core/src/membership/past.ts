/**
 * What a node that starts over shows of its past. Back in the same cluster its new acceptor may be behind
 * what it knew under its last uid: shown at once, members would be removed and come again, or go back from
 * up to joining. So those it knew better stay as they were beside what the acceptor knows, until everybody
 * has agreed on a state with the new uid in it. Whoever is missing from that can never come back.
 */
import { compareKeys } from '@rollcall/convergence';
import type { ClusterState, Member, MemberStatus } from './member-view.js';
import type { Node } from './node.js';

/** Such a view is nobody's state: it has no digest. */
export function withPast(node: Node, next: ClusterState): ClusterState {
  if (node.past.length === 0) return next;
  // Its promotion proves an agreement that it may not have seen itself.
  const isAgreed = next.convergence || me(next)?.age !== undefined;
  if (isAgreed || next.clusterId !== node.view.clusterId) {
    node.past = [];
    return next;
  }
  const members = new Map(next.members.map((member) => [member.node, member]));
  for (const past of node.past) {
    const now = members.get(past.node);
    if (now === undefined || isFurther(past, now)) members.set(past.node, past);
  }
  // What is shown now stays at least that: a member that is seen to exit may be gone from the next state.
  node.past = node.past.map((past) => members.get(past.node) ?? past);
  if (
    members.size === next.members.length &&
    next.members.every((each) => members.get(each.node) === each)
  )
    return next;
  const sorted = [...members.values()].sort((a, b) => compareKeys(a.node, b.node));
  return Object.freeze({ ...next, members: Object.freeze(sorted), digest: '' });
}

const LADDER: readonly MemberStatus[] = ['joining', 'weaklyUp', 'up', 'leaving', 'exiting'];

/** A Down mark is an intention that may have been lost with whoever set it; a promotion was agreed on. */
function isFurther(past: Member, now: Member): boolean {
  if (past.status === 'down') return past.age !== undefined && now.age === undefined;
  return LADDER.indexOf(past.status) > LADDER.indexOf(now.status) && now.status !== 'down';
}

export const me = ({ members, self }: ClusterState): Member | undefined =>
  members.find(({ node }) => node === self);
