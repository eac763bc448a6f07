/**
 * Tells subscribers what changed: events first, then the state they led to, for every version of the
 * replica in a step. Nothing is told twice and no state is skipped.
 */
import { accusations } from '@rollcall/convergence';
import type { ClusterState } from './member-view.js';
import type { Change, Node } from './node.js';
import { eventsBetween } from './replay.js';
import { viewOf } from './view.js';

export function publish(node: Node, changes: readonly Change[]): void {
  for (const { replica, why } of changes) {
    show(node, viewOf(node, replica, accusations(replica.state, node.rules)), why);
  }
}

/**
 * This node starts over. What it showed stays, without convergence, until it is in a cluster again: only
 * then is it known who is gone, and each member is removed once.
 */
export function publishLost(node: Node): void {
  node.changes = [];
  if (node.view.convergence)
    show(node, Object.freeze({ ...node.view, convergence: false }), 'starting over');
}

function show(node: Node, next: ClusterState, why: string): void {
  const before = node.view;
  const isSame =
    before.digest === next.digest &&
    before.convergence === next.convergence &&
    before.self === next.self;
  if (isSame) return;
  node.view = next;
  for (const event of eventsBetween(before, next, why)) node.out.push({ kind: 'emit', event });
  node.out.push({ kind: 'publish', state: next });
  const isUp = next.members.some((member) => member.node === next.self && member.status === 'up');
  if (isUp && !node.wasUp) node.out.push({ kind: 'emit', event: { type: 'selfUp', state: next } });
  node.wasUp = isUp;
}
