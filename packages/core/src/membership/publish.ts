/**
 * Tells subscribers what changed: events first, then the state they led to, for every version of the
 * replica in a step. Nothing is told twice and no state is skipped.
 */
import type { ClusterState } from './member-view.js';
import type { Change, Node } from './node.js';
import { me, withPast } from './past.js';
import { eventsBetween } from './replay.js';
import { viewOf } from './view.js';

export function publish(node: Node, changes: readonly Change[]): void {
  for (const { replica, why } of changes) {
    show(node, withPast(node, viewOf(node, replica)), why);
  }
}

/** This node starts over. What it showed stays, without convergence, until it is in a cluster again. */
export function publishLost(node: Node): void {
  node.changes = [];
  node.past = node.view.members;
  if (node.view.convergence)
    show(node, Object.freeze({ ...node.view, convergence: false }), 'starting over');
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
  const isUp = me(next)?.status === 'up';
  if (isUp && !node.wasUp) node.out.push({ kind: 'emit', event: { type: 'selfUp', state: next } });
  node.wasUp = isUp;
}

const isAlike = (before: ClusterState, next: ClusterState): boolean =>
  before.members.length === next.members.length &&
  before.members.every((member, i) => member === next.members[i]);
