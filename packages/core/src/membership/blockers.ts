/** Why nothing moves: outside a cluster what was tried, inside one what convergence waits for. */
import { blockers, missingForQuorum, ties } from '@rollcall/convergence';
import { tried } from './join-report.js';
import type { Blocker } from './member-view.js';
import { type Node, named } from './node.js';
import { ownReach } from './own-reach.js';

export function blockersOf(node: Node): readonly Blocker[] {
  const { replica, attempt } = node;
  if (replica === undefined || attempt !== undefined) {
    const what =
      attempt === undefined ? 'it has not begun to join' : tried(node, attempt).join('; ');
    const text = `This node is in no cluster yet: ${what}.`;
    return [
      {
        kind: 'notMember',
        nodes: [node.self],
        by: [],
        text,
        resolve: 'Start the seeds, or correct the seed list.',
      },
    ];
  }
  return [...lostQuorum(node), ...blockers(replica.state, replica.seen, replica.self, node.rules)];
}

/** What a node that is cut off knows is no accusation, so the agreed state does not say it. */
function lostQuorum(node: Node): readonly Blocker[] {
  if (node.notQuorateSinceMs === undefined) return [];
  const reached = ownReach(node);
  const isHalf = ties(node.state, reached, node.rules).length > 0;
  if (node.me?.row.cutOff !== true && !isHalf) return [];
  const missing = missingForQuorum(node.state, reached, node.rules);
  const isManual = node.settings.downing.strategy === 'manual';
  const otherwise = isManual
    ? 'Until then nothing is agreed on.'
    : 'Otherwise this node stops itself.';
  return [
    {
      kind: 'notQuorate',
      nodes: missing,
      by: [node.self],
      text: isHalf
        ? `This node reaches one half (${node.rules.strategy}), and the lease has not granted it the tie: it does not reach ${named(missing)}.`
        : `This node reaches no quorum (${node.rules.strategy}): it does not reach ${named(missing)}.`,
      resolve: `Bring them back, or heal the network between. ${otherwise}`,
    },
  ];
}
