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
    const next = viewOf(node, replica, accusations(replica.state, node.rules));
    if (isTooEarly(node, next)) continue;
    node.isShowingLast = false;
    show(node, next, why);
  }
}

/**
 * This node starts over. What it showed stays, without convergence, until it is known who is gone. In the
 * same cluster that is when everybody has agreed on a state with the new uid in it: whoever lacks a member
 * of old by then can never bring it back, while a single acceptor may merely not have heard of it yet.
 */
export function publishLost(node: Node): void {
  node.changes = [];
  node.isShowingLast = node.view.members.length > 0;
  if (node.view.convergence)
    show(node, Object.freeze({ ...node.view, convergence: false }), 'starting over');
}

const isTooEarly = (node: Node, next: ClusterState): boolean =>
  node.isShowingLast && !next.convergence && next.clusterId === node.view.clusterId;

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
