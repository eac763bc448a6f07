/**
 * The replicated state as users see it: status words without protocol detail, reachability beside
 * them. Members that did not change stay the same objects.
 */
import {
  type Accusations,
  accusations,
  addressOf,
  converged,
  isLive,
  type NodeKey,
  type Replica,
  type Member as Row,
  uidOf,
} from '@rollcall/convergence';
import type { ClusterState, Member, MemberStatus, Reachability } from './member-view.js';
import type { Node } from './node.js';
import type { ViewCache } from './view-cache.js';

const SHOWN: Readonly<Record<Row['status'], MemberStatus>> = {
  Joining: 'joining',
  WeaklyUp: 'weaklyUp',
  Up: 'up',
  Leaving: 'leaving',
  Exiting: 'exiting',
  Exited: 'exiting',
  Down: 'down',
};

const nobody: readonly NodeKey[] = Object.freeze([]);

export function viewOf(node: Node, replica: Replica): ClusterState {
  const { state } = replica;
  return Object.freeze({
    self: replica.self,
    members: membersOf(node, replica),
    convergence: converged(state, replica.seen, node.rules),
    digest: state.digest,
    epoch: state.epoch,
    clusterId: state.clusterId,
  });
}

function membersOf(node: Node, { state, self }: Replica): readonly Member[] {
  const cache = node.viewCache;
  if (cache.latest?.state === state && cache.latest.self === self) return cache.latest.members;
  node.isPastMinimum ||= isMinimumReached(node, state.members);
  const accused = accusations(state, node.rules);
  const me = state.get(self);
  const lost = new Set(me?.row.cutOff ? me.row.unreachable : nobody);
  const seenAs = (row: Row): Seen => {
    // Nobody accuses one that is on its way out; what was last said of it still holds.
    if (!isLive(row.status)) return cache.shown.get(row.key) ?? plain;
    return lost.has(row.key) ? lostTo(self) : reachabilityOf(row.key, accused);
  };
  const members = Object.freeze(state.members.map((row) => shown(node, cache, row, seenAs(row))));
  if (cache.shown.size > state.size) {
    for (const key of cache.shown.keys()) if (!state.has(key)) cache.shown.delete(key);
  }
  cache.latest = { state, self, members };
  return members;
}

interface Seen {
  readonly reachability: Reachability;
  readonly observedBy: readonly NodeKey[];
}

const plain: Seen = { reachability: 'reachable', observedBy: nobody };

/** What a node that is cut off holds convicts nobody, but it is true for itself and for those who ask it. */
const lostTo = (self: NodeKey): Seen => ({ reachability: 'unreachable', observedBy: [self] });

function shown(node: Node, cache: ViewCache, row: Row, { reachability, observedBy }: Seen): Member {
  const age = row.upNumber ?? undefined;
  const status = row.status === 'Up' && !node.isPastMinimum ? 'joining' : SHOWN[row.status];
  const before = cache.shown.get(row.key);
  const isSame =
    before?.status === status &&
    before.age === age &&
    before.reachability === reachability &&
    sameKeys(before.observedBy, observedBy);
  if (isSame) return before;
  const member = Object.freeze({
    node: row.key,
    address: addressOf(row.key),
    uid: uidOf(row.key),
    roles: Object.freeze([...row.roles]),
    appVersion: row.appVersion,
    status,
    age,
    reachability,
    observedBy,
  });
  cache.shown.set(row.key, member);
  return member;
}

const sameKeys = (a: readonly NodeKey[], b: readonly NodeKey[]): boolean =>
  a.length === b.length && a.every((key, i) => key === b[i]);

function reachabilityOf(key: NodeKey, accused: Accusations): Seen {
  if (accused.accused.has(key))
    return { reachability: 'unreachable', observedBy: accused.observersOf(key) };
  const suspecting = accused.suspected.get(key);
  return suspecting === undefined
    ? { reachability: 'reachable', observedBy: nobody }
    : { reachability: 'suspected', observedBy: suspecting };
}

/** `members.min` and `members.minPerRole` hold back the publication of up, once. */
function isMinimumReached(node: Node, rows: readonly Row[]): boolean {
  const { min, minPerRole } = node.settings.members;
  const up = rows.filter((row) => row.status === 'Up');
  const withRole = (role: string) => up.filter((row) => row.roles.includes(role)).length;
  return (
    up.length >= min && Object.entries(minPerRole).every(([role, least]) => withRole(role) >= least)
  );
}
