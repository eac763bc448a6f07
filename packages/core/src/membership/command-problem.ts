/** Why a command was not carried out; nothing was changed. */
import { addressOf, type DowningStrategy, type NodeKey } from '@rollcall/convergence';

export interface CommandProblem {
  readonly code: 'unknownMember' | 'wouldLoseQuorum' | 'notMember' | 'notUp';
  readonly message: string;
  readonly data: Readonly<Record<string, unknown>>;
}

export const notMember: CommandProblem = {
  code: 'notMember',
  message: 'this node is not a member of a cluster now',
  data: {},
};

export const unknownMember = (node: NodeKey): CommandProblem => ({
  code: 'unknownMember',
  message: `no member ${node} is known here`,
  data: { node },
});

const FOUND_ANEW = 'stop those that are left and found the cluster anew';

/** `missing` are the voters that a quorum lacks without `node`: itself may be among them, or be the only one. */
export function wouldLoseQuorum(
  node: NodeKey,
  missing: readonly NodeKey[],
  strategy: DowningStrategy,
): CommandProblem {
  const others = missing.filter((key) => key !== node).map(addressOf);
  const waysOut =
    others.length === 0
      ? ['let it leave while it answers', 'bring it back if it does not', FOUND_ANEW]
      : [`bring ${others.join(', ')} back under their old uid`, FOUND_ANEW];
  const isAmong = others.length < missing.length;
  const lacks = [...others, ...(isAmong ? ['the member itself'] : [])].join(', ') || 'every voter';
  return {
    code: 'wouldLoseQuorum',
    message: `downing ${addressOf(node)} would leave no quorum (${strategy}): missing ${lacks}; ${waysOut.join(', or ')}`,
    data: { node, missing, waysOut },
  };
}
