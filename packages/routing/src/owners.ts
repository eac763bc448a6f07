/**
 * Which members may own keys: a function of the state alone, so that nodes with the same state say the same.
 *
 * The rule is the configuration, the members that a quorum is counted among (PROTOCOL "Quorum"): whoever was agreed to be up and is not removed yet,
 * whether leaving, exiting, down, suspected or out of reach. Only a fire changes it, that is an agreement of all who are
 * there, so no suspicion moves a key, and neither does a decision that is not carried out yet.
 */
import type { ClusterState, Member, MemberStatus } from '@rollcall/core';

/**
 * When a key leaves its owner. `removal`: when the owner is removed, which is agreed. The other two move keys of an owner that may
 * well run and work on, and that different nodes see differently for a while: for caches, and for what two may do at once.
 */
export type MoveOn = 'removal' | 'unreachable' | 'suspicion';

const CONFIGURED: readonly MemberStatus[] = ['up', 'leaving', 'exiting', 'down'];

/** Members that own keys, in address order. */
export function owners(
  { members }: ClusterState,
  role: string | undefined,
  moveOn: MoveOn,
): readonly Member[] {
  return members.filter(
    (member) =>
      // One that went down before it was ever up has no age, and never counted.
      member.age !== undefined &&
      CONFIGURED.includes(member.status) &&
      (role === undefined || member.roles.includes(role)) &&
      isKept(member, moveOn),
  );
}

/** Those that will still own keys when everybody who is on the way out has gone, of their own will or marked down. */
export const remaining = (members: readonly Member[]): readonly Member[] =>
  members.filter(({ status }) => status === 'up');

function isKept({ reachability }: Member, moveOn: MoveOn): boolean {
  if (reachability === 'unreachable') return moveOn === 'removal';
  return reachability === 'reachable' || moveOn !== 'suspicion';
}
