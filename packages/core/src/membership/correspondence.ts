/**
 * Links for messages of users: a member that is written to is linked while that goes on. Neighbours
 * are linked anyway; with anybody else the link goes when it has been idle.
 */
import type { NodeKey } from '@rollcall/convergence';
import type { Node } from './node.js';

/** This node writes to that member now. Past the limit the one written to longest ago gives way. */
export function onWrite(node: Node, to: NodeKey, nowMs: number): void {
  if (!node.isMember || !node.isLiveHere(to)) return;
  const { correspondents } = node;
  if (!correspondents.delete(to)) node.haveNeedsChanged = true;
  correspondents.set(to, nowMs);
  if (correspondents.size <= node.settings.limits.correspondents) return;
  const [oldest] = correspondents.keys();
  if (oldest !== undefined) correspondents.delete(oldest);
}

/** Whoever has not been written to for so long, or is no live member, needs no link for it. */
export function forgetCorrespondents(node: Node, nowMs: number): void {
  const sinceMs = nowMs - node.settings.limits.idleLink;
  for (const [key, writtenMs] of node.correspondents) {
    if (writtenMs >= sinceMs && node.isLiveHere(key)) continue;
    node.correspondents.delete(key);
    node.haveNeedsChanged = true;
  }
}
