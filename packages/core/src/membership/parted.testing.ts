/** A cluster that was formed and then cut in two, with short times: for tests of who stays. */
import { type Given, VirtualCluster } from './virtual-cluster.testing.js';
import type { VirtualNode } from './virtual-node.testing.js';

const QUICK = { stableAfter: '5s', unstableAfter: '3s' };

/** One node for each letter, all up. */
export function formed(names: string, downing: Record<string, unknown> = {}, given: Given = {}) {
  const cluster = new VirtualCluster({ downing: { ...QUICK, ...downing } });
  const nodes = cluster.formed(names, given);
  cluster.run(15_000);
  const node = (name: string) => nodes.find((each) => each.name === name) as VirtualNode;
  return { cluster, nodes, node, pick: (some: string) => [...some].map(node) };
}

/** Two sides that hear nothing of each other, for long. */
export function parted(one: string, other: string, downing: Record<string, unknown> = {}) {
  const formation = formed([...(one + other)].sort().join(''), downing);
  formation.cluster.split(formation.pick(one), formation.pick(other));
  formation.cluster.run(40_000);
  const running = formation.nodes.filter(({ isRunning }) => isRunning).map(({ name }) => name);
  return { ...formation, running: running.join('') };
}

/** Those that still run, by name. */
export const runningOf = (nodes: readonly VirtualNode[]): string =>
  nodes
    .filter(({ isRunning }) => isRunning)
    .map(({ name }) => name)
    .join('');
