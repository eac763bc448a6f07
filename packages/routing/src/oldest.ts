/** The oldest member, as the one that should run what is to run once. */
import { type ClusterState, checkShapes, compareKeys, type Member } from '@rollcall/core';
import { distinctUntilChanged, map, type Observable } from 'rxjs';
import { ROLE } from './option-kinds.js';
import { owners } from './owners.js';
import type { RoutedCluster } from './routed-cluster.js';

export interface OldestOptions {
  /** Only members that offer this role; all members unless given. */
  readonly role?: string;
}

/** The member that was up first, of those with equal age the one first in address order; undefined if there is none. */
export function oldestOf(state: ClusterState, role?: string): Member | undefined {
  const [first, ...others] = owners(state, role, 'removal');
  return others.reduce((oldest, each) => (isOlder(each, oldest) ? each : oldest), first);
}

const isOlder = (a: Member, b: Member | undefined): boolean =>
  b === undefined || ((a.age ?? 0) - (b.age ?? 0) || compareKeys(a.node, b.node)) < 0;

/**
 * The oldest member of a role: today's at once, then each change of who it is. It stays the same while it is suspected, unreachable,
 * leaving or down, and changes when it is removed, which is agreed. Completes when the node stops, after undefined. It
 * says who should run something, not that nobody else still does: see `docs/ROUTING.md`, "What it does not guarantee".
 * Throws ClusterError `badSetting`.
 */
export function oldest$(
  cluster: Pick<RoutedCluster, 'guarded' | 'state$'>,
  options: OldestOptions = {},
): Observable<Member | undefined> {
  checkShapes(options, { role: ROLE }, "{ role: 'worker' }");
  const oldest$ = cluster.state$.pipe(
    map((state) => oldestOf(state, options.role)),
    distinctUntilChanged((a, b) => a?.node === b?.node),
  );
  return cluster.guarded('oldest$', oldest$);
}
