/**
 * Who is a routee: a function of the state, of whom this node avoids, and of the options. The better ones come first as
 * a whole: nobody of a lesser kind is a routee while there is one of a better kind.
 */
import type { ClusterState, Member, MemberStatus, NodeKey } from '@rollcall/core';
import type { CheckedRouterOptions } from './router-options.js';

type Wanted = Pick<
  CheckedRouterOptions,
  'role' | 'preferLocal' | 'includeWeaklyUp' | 'drainLeaving' | 'whenNone'
>;

/**
 * 1. reachable and calm; 2. reachable, though this node avoids it; 3. reachable and leaving, under `drainLeaving`;
 * 4. unreachable, under `useUnreachable` only. Members that join, exit or are down are never routees.
 */
export function eligible(
  { members, self }: ClusterState,
  avoid: ReadonlySet<NodeKey>,
  { role, preferLocal, includeWeaklyUp, drainLeaving, whenNone }: Wanted,
): readonly Member[] {
  const offering = members.filter(({ roles }) => role === undefined || roles.includes(role));
  const of = (...statuses: readonly MemberStatus[]) =>
    offering.filter(({ status }) => statuses.includes(status));
  const stay = of('up', ...weakly(includeWeaklyUp), ...(drainLeaving ? [] : LEAVING));
  const drained = drainLeaving ? of(...LEAVING) : [];
  const reachable = stay.filter(isReachable);
  const kinds = [
    reachable.filter(({ node }) => !avoid.has(node)),
    reachable,
    drained.filter(isReachable),
    whenNone === 'useUnreachable' ? [...stay, ...drained] : [],
  ];
  const best = kinds.find((kind) => kind.length > 0) ?? [];
  const local = preferLocal ? best.filter(({ node }) => node === self) : [];
  return local.length > 0 ? local : best;
}

const LEAVING: readonly MemberStatus[] = ['leaving'];
const weakly = (isIncluded: boolean): readonly MemberStatus[] => (isIncluded ? ['weaklyUp'] : []);
const isReachable = ({ reachability }: Member): boolean => reachability !== 'unreachable';
