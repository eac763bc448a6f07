/**
 * The read model: what leaves the process about a cluster, in the shapes of Akka and Pekko
 * Management with more fields beside them. Nodes are shown by address (`ws://host:port`); the uid
 * has its own field.
 */
import { addressOf, type ClusterState, type Member, type Reachability } from '@rollcall/core';
import type { ManagedCluster } from './managed-cluster.js';
import { type StatusWord, statusWord } from './status-word.js';

export interface MemberAnswer {
  readonly node: string;
  readonly nodeUid: string;
  readonly status: StatusWord;
  readonly roles: readonly string[];
  readonly appVersion: string;
  readonly reachability: Reachability;
  /** Addresses of those who say that it cannot be reached; also when they are too few. */
  readonly observedBy: readonly string[];
  /** Place in the age order, 0 for the oldest; null for a member that was never up. */
  readonly age: number | null;
}

export interface MembersAnswer {
  readonly selfNode: string;
  readonly selfUid: string;
  /** `Joining` before this node is let in, `Removed` after its run has ended: also when it is not listed. */
  readonly selfStatus: StatusWord;
  /** Local health of this node: 0 is well. */
  readonly selfHealthScore: number;
  readonly members: readonly MemberAnswer[];
  readonly unreachable: readonly {
    readonly node: string;
    readonly observedBy: readonly string[];
  }[];
  /** Those whose requests fail too often, as this node's own program reports. */
  readonly degraded: readonly string[];
  /** There is none; the field is here for those who look for it. */
  readonly leader: null;
  /** The oldest member that is Up. */
  readonly oldest: string | null;
  readonly oldestPerRole: Readonly<Record<string, string>>;
  readonly convergence: boolean;
  readonly digest: string;
  readonly epoch: number;
}

export interface BlockersAnswer {
  readonly selfNode: string;
  readonly convergence: boolean;
  readonly blockers: readonly {
    readonly kind: string;
    readonly nodes: readonly string[];
    readonly by: readonly string[];
    readonly text: string;
    readonly resolve: string;
  }[];
}

export function membersAnswer(cluster: ManagedCluster): MembersAnswer {
  const { self, state, health } = cluster;
  const places = placesOf(state);
  const up = state.members.filter((each) => each.status === 'up').sort(olderFirst);
  return {
    selfNode: self.address,
    selfUid: self.uid,
    selfStatus: statusWord(self.status),
    selfHealthScore: health.score,
    members: state.members.map((member) => memberAnswer(member, state, places)),
    unreachable: state.members
      .filter((each) => each.reachability === 'unreachable')
      .map((each) => ({ node: each.address, observedBy: each.observedBy.map(addressOf) })),
    degraded: [...health.degraded].map(addressOf).sort(),
    leader: null,
    oldest: up[0]?.address ?? null,
    oldestPerRole: oldestPerRole(up),
    convergence: state.convergence,
    digest: state.digest,
    epoch: state.epoch,
  };
}

export function memberAnswer(
  member: Member,
  state: ClusterState,
  places = placesOf(state),
): MemberAnswer {
  return {
    node: member.address,
    nodeUid: member.uid,
    status: statusWord(member.status),
    roles: member.roles,
    appVersion: member.appVersion,
    reachability: member.reachability,
    observedBy: member.observedBy.map(addressOf),
    age: places.get(member.node) ?? null,
  };
}

export function blockersAnswer(cluster: ManagedCluster): BlockersAnswer {
  return {
    selfNode: cluster.self.address,
    convergence: cluster.state.convergence,
    blockers: cluster.blockers.map(({ kind, nodes, by, text, resolve }) => ({
      kind,
      nodes: nodes.map(addressOf),
      by: by.map(addressOf),
      text,
      resolve,
    })),
  };
}

/**
 * The member that a path names: by address (`ws://host:port`), without the scheme (`host:port`), or
 * by unique address, which alone tells two runs at one address apart. Of two runs the later in the
 * order of statuses yields: an address means the run that is still here.
 */
export function findMember(members: readonly Member[], name: string): Member | undefined {
  const exact = members.find((each) => each.node === name);
  if (exact !== undefined) return exact;
  const wanted = name
    .replace(/^wss?:\/\//i, '')
    .replace(/\/$/, '')
    .toLowerCase();
  const runs = members.filter((each) => each.address.replace(/^wss?:\/\//, '') === wanted);
  return runs.find((each) => each.status !== 'down' && each.status !== 'exiting') ?? runs[0];
}

/** Members are in address order, which decides between those that were promoted together. */
function placesOf({ members }: ClusterState): ReadonlyMap<string, number> {
  const aged = members.filter((member) => member.age !== undefined).sort(olderFirst);
  return new Map(aged.map((member, place) => [member.node, place]));
}

const olderFirst = (a: Member, b: Member): number =>
  (a.age ?? Number.POSITIVE_INFINITY) - (b.age ?? Number.POSITIVE_INFINITY);

function oldestPerRole(oldestFirst: readonly Member[]): Record<string, string> {
  const oldest = new Map<string, string>();
  for (const { roles, address } of oldestFirst) {
    for (const role of roles) if (!oldest.has(role)) oldest.set(role, address);
  }
  return Object.fromEntries([...oldest].sort(([a], [b]) => (a < b ? -1 : 1)));
}
