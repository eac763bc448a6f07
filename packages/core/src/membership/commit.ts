/**
 * The one place where a node's replica changes. Each version is noted with its reason; what follows
 * from it (transitions, events, gossip) is drawn at the end of the step by `conclude.ts`.
 */
import { assertInvariants, type Replica } from '@rollcall/convergence';
import type { Node } from './node.js';

/** Takes `next` as this node's replica; nothing happens if it is the same object. */
export function commit(node: Node, next: Replica, why: string): void {
  if (next === node.replica) return;
  if (node.replica !== undefined && next.self === node.replica.self)
    assertInvariants(node.replica, next);
  node.replica = next;
  node.changes.push({ replica: next, why });
}
