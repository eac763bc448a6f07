/** What this node can get to, by the state it holds, its own verdicts, and whom it hears. */
import { isCutOff, type NodeKey, reach, reachesQuorum } from '@rollcall/convergence';
import type { Node } from './node.js';

/** Those it observes and has heard since it does: evidence of a way, also where the rings were extended. */
const heardBy = (node: Node, lost: ReadonlySet<NodeKey>): ReadonlySet<NodeKey> =>
  new Set(node.observed.filter((key) => !lost.has(key) && node.detectors.isHeard(key)));

/** Whom it holds unreachable, or does not hear though SWIM has not decided yet. */
const lostTo = ({ verdicts, silent }: Node): ReadonlySet<NodeKey> =>
  silent.size === 0 ? verdicts : new Set([...verdicts, ...silent]);

export function ownReach(node: Node): ReadonlySet<NodeKey> {
  const lost = lostTo(node);
  return reach(node.state, node.self, lost, node.rules, heardBy(node, lost));
}

export function ownReachIsQuorate(node: Node): boolean {
  const lost = lostTo(node);
  return reachesQuorum(node.state, node.self, lost, node.rules, heardBy(node, lost));
}

/** Would it be cut off without the ways past others that it has found? */
export const needsWays = (node: Node): boolean =>
  isCutOff(node.state, node.self, node.verdicts, node.rules);

/**
 * Is it cut off by those it has lost, and those it is about to lose? The silences that a cut begins end one after
 * another within an interval. What is said after the first of them leaves the node with the rest of what it says,
 * perhaps when it is back, and must not look like the word of one that hears everybody else.
 */
export function isNodeCutOff(node: Node, nowMs: number): boolean {
  const lost = new Set(lostTo(node));
  if (lost.size > 0) for (const key of node.observed) if (isFading(node, key, nowMs)) lost.add(key);
  return isCutOff(node.state, node.self, lost, node.rules, heardBy(node, lost));
}

/** More than half of the silence that convicts has passed. */
function isFading(node: Node, key: NodeKey, nowMs: number): boolean {
  const detector = node.detectors.get(key);
  if (detector?.lastSignOfLifeMs === undefined) return false;
  const untilMs = detector.unavailableAtMs();
  return untilMs - nowMs < nowMs - detector.lastSignOfLifeMs;
}
