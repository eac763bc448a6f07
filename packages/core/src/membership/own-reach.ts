/** What this node can get to, by the state it holds, its own verdicts, and whom it hears. */
import { isCutOff, type NodeKey, reach } from '@rollcall/convergence';
import type { Node } from './node.js';

/** Those it observes and has heard since it does: evidence of a way, also where the rings were extended. */
const heardBy = (node: Node): ReadonlySet<NodeKey> =>
  new Set(node.observed.filter((key) => !node.verdicts.has(key) && node.detectors.isHeard(key)));

export const ownReach = (node: Node): ReadonlySet<NodeKey> =>
  reach(node.state, node.self, node.verdicts, node.rules, heardBy(node));

/** Would it be cut off without the ways past others that it has found? */
export const needsWays = (node: Node): boolean =>
  isCutOff(node.state, node.self, node.verdicts, node.rules);

export const isNodeCutOff = (node: Node): boolean =>
  isCutOff(node.state, node.self, node.verdicts, node.rules, heardBy(node));
