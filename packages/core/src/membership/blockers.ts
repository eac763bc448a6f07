/** Why nothing moves: outside a cluster what was tried, inside one what convergence waits for. */
import { blockers } from '@rollcall/convergence';
import { tried } from './join-report.js';
import type { Blocker } from './member-view.js';
import type { Node } from './node.js';

export function blockersOf(node: Node): readonly Blocker[] {
  const { replica, attempt } = node;
  if (replica === undefined || attempt !== undefined) {
    const text = `this node is in no cluster yet: ${attempt === undefined ? 'it has not begun to join' : tried(node, attempt).join('; ')}`;
    return [
      {
        kind: 'notMember',
        nodes: [node.self],
        by: [],
        text,
        resolve: 'start the seeds, or correct the seed list',
      },
    ];
  }
  return blockers(replica.state, replica.seen, replica.self, node.rules);
}
