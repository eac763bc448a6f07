/**
 * Tells subscribers what changed: events first, then the state they led to, for every version of the
 * replica in a step. Nothing is told twice and no state is skipped.
 */
import { accusations, compareKeys } from '@rollcall/convergence';
import type { ClusterState, Member } from './member-view.js';
import type { Change, Node } from './node.js';
import { eventsBetween } from './replay.js';
import { viewOf } from './view.js';

export function publish(node: Node, changes: readonly Change[]): void {
  for (const { replica, why } of changes) {
    show(node, withPast(node, viewOf(node, replica, accusations(replica.state, node.rules))), why);
  }
}

/** This node starts over. What it showed stays, without convergence, until it is in a cluster again. */
export function publishLost(node: Node): void {
  node.changes = [];
  node.past = node.view.members;
  if (node.view.convergence)
    show(node, Object.freeze({ ...node.view, convergence: false }), 'starting over');
}

/**
 * Back in the same cluster, those it showed under its last uid stay beside what its acceptor knows, until
 * everybody has agreed on a state with the new uid in it, which its promotion proves too. Whoever is missing
 * from that can never come back; earlier, it may be known to others only, and would be removed and come
 * again. Such a view is nobody's state and has no digest.
 */
function withPast(node: Node, next: ClusterState): ClusterState {
  if (node.past.length === 0) return next;
  const isAgreed = next.convergence || next.members.find(isSelf(next))?.age !== undefined;
  if (isAgreed || next.clusterId !== node.view.clusterId) node.past = [];
  const isThere = new Set(next.members.map((member) => member.node));
  const missing = node.past.filter((member) => !isThere.has(member.node));
  if (missing.length === 0) return next;
  const members = [...next.members, ...missing].sort((a, b) => compareKeys(a.node, b.node));
  return Object.freeze({ ...next, members: Object.freeze(members), digest: '' });
}

function show(node: Node, next: ClusterState, why: string): void {
  const before = node.view;
  const isSame =
    (next.digest === '' ? isAlike(before, next) : before.digest === next.digest) &&
    before.convergence === next.convergence &&
    before.self === next.self;
  if (isSame) return;
  node.view = next;
  for (const event of eventsBetween(before, next, why)) node.out.push({ kind: 'emit', event });
  node.out.push({ kind: 'publish', state: next });
  const isUp = next.members.find(isSelf(next))?.status === 'up';
  if (isUp && !node.wasUp) node.out.push({ kind: 'emit', event: { type: 'selfUp', state: next } });
  node.wasUp = isUp;
}

const isAlike = (before: ClusterState, next: ClusterState): boolean =>
  before.members.length === next.members.length &&
  before.members.every((member, i) => member === next.members[i]);

const isSelf =
  ({ self }: ClusterState) =>
  ({ node }: Member): boolean =>
    node === self;
