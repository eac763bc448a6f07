/** Five members that have known each other for a while, and whom nobody removes: what tests of probes begin with. */
import { VirtualCluster } from './virtual-cluster.testing.js';
import type { VirtualNode } from './virtual-node.testing.js';

/** Their board while nothing is wrong. */
export const ALL = 'a up, b up, c up, d up, e up';

export function five(settings: Record<string, unknown> = {}) {
  const cluster = new VirtualCluster({ downing: { strategy: 'manual' }, ...settings });
  const nodes = cluster.formed('abcde');
  cluster.run(15_000);
  const [a, b] = nodes as [VirtualNode, VirtualNode];
  const linkOf = (of: VirtualNode, to: VirtualNode) =>
    of.machine.links(cluster.nowMs).find(({ subject }) => subject === to.key);
  const saidOfLinks = (of: VirtualNode) =>
    of.logs.map(({ message }) => message).filter((text) => /^the link to/.test(text));
  return { cluster, nodes, a, b, linkOf, saidOfLinks };
}
