/** Where a node stands, told to whoever looks for a cluster or for a lost part of one. */
import { acceptors } from './admission.js';
import type { Standing } from './message.js';
import type { Node } from './node.js';

export function standing(node: Node): Standing {
  const first = isFirstSeed(node);
  if (!node.isMember) return { clusterId: undefined, first, loner: false, size: 0, acceptors: [] };
  const { clusterId, size } = node.state;
  return { clusterId, first, loner: isLoner(node), size, acceptors: acceptors(node) };
}

/** It founded and never had a second member, so nothing was agreed with anybody that could be lost. */
export const isLoner = (node: Node): boolean => node.founded && node.sizeMax <= 1;

/** Does this node list itself first, be it under another name that led back to it? */
export function isFirstSeed(node: Node): boolean {
  const addresses = node.attempt?.seeds?.[0]?.addresses ?? [node.options.seeds[0]];
  return addresses.some((address) => address !== undefined && isMine(node, address));
}

/** With `downing.role` only members with that role make a quorum: a founder without it could agree on nothing. */
export const hasCountedRole = ({ rules, options }: Node): boolean =>
  rules.role === null || options.roles.includes(rules.role);

/** Its own address, or another name of it. */
export const isMine = (node: Node, address: string): boolean =>
  address === node.options.address || node.attempt?.reached.get(address) === node.self;
