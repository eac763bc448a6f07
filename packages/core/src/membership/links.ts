/**
 * Which links a node wants: to those it observes, to those it hopes to join by, to those its user
 * writes to, to those it looks for on behalf of others, and for a moment to one far member. The transport is told the difference.
 */
import { addressOf } from '@rollcall/convergence';
import type { Node } from './node.js';

/** Brings the wanted links in line with what the sub-protocols need now. */
export function adjustLinks(node: Node): void {
  node.haveNeedsChanged = false;
  const needed = new Set<string>();
  if (node.isMember) for (const key of node.observed) needed.add(addressOf(key));
  for (const address of node.attempt?.addresses ?? []) needed.add(address);
  for (const address of node.seedLinks) needed.add(address);
  for (const key of node.correspondents.keys()) needed.add(addressOf(key));
  for (const key of node.relays.keys()) needed.add(addressOf(key));
  if (node.far !== undefined) needed.add(node.far);
  needed.delete(node.options.address);
  for (const address of node.wanted) {
    if (needed.has(address)) continue;
    node.wanted.delete(address);
    node.out.push({ kind: 'unlink', address });
  }
  for (const address of needed) {
    if (node.wanted.has(address)) continue;
    node.wanted.add(address);
    node.out.push({ kind: 'link', address });
  }
}
