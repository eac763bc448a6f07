/** Where a node stands, told to whoever looks for a cluster or for a lost part of one. */
import { acceptors } from './admission.js';
import type { Standing } from './message.js';
import type { Node } from './node.js';

export function standing(node: Node): Standing {
  const first = firstSeedAddresses(node).includes(node.options.address);
  if (!node.isMember) return { clusterId: undefined, first, loner: false, size: 0, acceptors: [] };
  const { clusterId, size } = node.state;
  return { clusterId, first, loner: isLoner(node), size, acceptors: acceptors(node) };
}

/** It founded and never had a second member, so nothing was agreed with anybody that could be lost. */
export const isLoner = (node: Node): boolean => node.founded && node.sizeMax <= 1;

/** What the first-listed seed stands for, as far as it is resolved. */
export const firstSeedAddresses = (node: Node): readonly string[] =>
  node.attempt?.seeds?.[0]?.addresses ?? [node.options.seeds[0] ?? ''];
