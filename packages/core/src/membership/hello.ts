/**
 * What two nodes say before anything else, and the one rule for who may speak to whom. Transports
 * carry a hello both ways and ask `checkHello`; the rule is here because it is about membership.
 */
import { addressOf, type NodeKey } from '@rollcall/convergence';

/** The first thing said on a link, by both ends. */
export interface Hello {
  /** Cluster name. Links between clusters of different names are refused. */
  readonly cluster: string;
  /** Protocol versions spoken, inclusive. */
  readonly protocol: { readonly min: number; readonly max: number };
  /** The sender's unique address. */
  readonly self: NodeKey;
  /**
   * The settings that must be the same at every member, as sorted `name=value` pairs. Sent in
   * full rather than as a digest so that a refusal can name the setting at both ends.
   */
  readonly settings: readonly string[];
}

/** Numbered on the wire by their place: new ones go at the end. */
export const REFUSAL_CODES = [
  'clusterName',
  'protocol',
  'secret',
  'settings',
  'addressInUse',
  'limit',
  'origin',
  'badFrame',
] as const;

export type RefusalCode = (typeof REFUSAL_CODES)[number];

/** Why a peer will not have us (or we it). */
export interface Refusal {
  readonly code: RefusalCode;
  /** One sentence that names what differs, with both values where there are two. */
  readonly message: string;
  /** The address of the node that refused. */
  readonly by: string;
}

/** The protocol versions that this code speaks. */
export const PROTOCOL = { min: 1, max: 1 } as const;

/**
 * May `mine` and `theirs` speak? Undefined when they may. Symmetric: both ends come to the same
 * answer, each in its own words, and a refusal changes nothing at either. A transport with a secret
 * asks in two parts, so that settings are compared only with somebody who has proved it.
 */
export const checkHello = (mine: Hello, theirs: Hello): Refusal | undefined =>
  checkCluster(mine, theirs) ?? checkSettings(mine, theirs);

/** Is it a node of the same cluster that speaks the same protocol? */
export function checkCluster(mine: Hello, theirs: Hello): Refusal | undefined {
  const by = addressOf(theirs.self);
  if (mine.cluster !== theirs.cluster) {
    const message = `${by} is in a cluster named '${theirs.cluster}', not '${mine.cluster}'`;
    return { code: 'clusterName', message, by };
  }
  if (mine.protocol.max < theirs.protocol.min || theirs.protocol.max < mine.protocol.min) {
    const range = (p: Hello['protocol']) => (p.min === p.max ? `${p.min}` : `${p.min} to ${p.max}`);
    const spoken = `${by} speaks protocol ${range(theirs.protocol)}`;
    return { code: 'protocol', message: `${spoken}, this node ${range(mine.protocol)}`, by };
  }
  return undefined;
}

/** Does it run by the same settings, where they have to be the same? */
export function checkSettings(mine: Hello, theirs: Hello): Refusal | undefined {
  const by = addressOf(theirs.self);
  const differing = differences(mine.settings, theirs.settings);
  if (differing.length === 0) return undefined;
  const here = addressOf(mine.self);
  const list = differing.map(
    (each) => `${each.name} is ${each.theirs} at ${by} and ${each.mine} at ${here}`,
  );
  return { code: 'settings', message: `${by} has other settings: ${list.join('; ')}`, by };
}

function differences(mine: readonly string[], theirs: readonly string[]) {
  const there = new Map(theirs.map(splitPair));
  const here = new Map(mine.map(splitPair));
  return [...new Set([...here.keys(), ...there.keys()])]
    .filter((name) => here.get(name) !== there.get(name))
    .sort()
    .map((name) => ({
      name,
      mine: here.get(name) ?? 'absent',
      theirs: there.get(name) ?? 'absent',
    }));
}

const splitPair = (pair: string): [string, string] => {
  const at = pair.indexOf('=');
  return [pair.slice(0, at), pair.slice(at + 1)];
};
