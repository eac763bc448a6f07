/** Why a command was not carried out; nothing was changed. */
import type { NodeKey } from '@rollcall/convergence';

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
