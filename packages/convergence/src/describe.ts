/**
 * Why nothing moves, in words (PROTOCOL "Convergence"): computed from the same functions that
 * decide it, so that the explanation cannot disagree with the fact. Empty when the cluster has
 * converged.
 */
import { accusations } from './accusations.js';
import type { NodeKey } from './node-key.js';
import { electorateIsQuorate, isEnrolled, missingForQuorum, type Rules } from './quorum.js';
import type { Seen } from './seen.js';
import type { State } from './state.js';

/**
 * - `notSeen`: voters not known to hold this state.
 * - `unreachable`: a voter that is accused.
 * - `notQuorate`: the voters that are here do not win the configuration.
 * - `noVoters`: nobody is counted; such a cluster can never decide anything.
 * - `leaving`: a member that is shutting down and has not said that it is done.
 * - `quorumFull`: static-quorum counts no more than 2Q - 1; who waits for a place.
 */
export type BlockerKind =
  | 'notSeen'
  | 'unreachable'
  | 'notQuorate'
  | 'noVoters'
  | 'leaving'
  | 'quorumFull';

export interface Blocker {
  readonly kind: BlockerKind;
  /** Who is in the way, in key order. */
  readonly nodes: readonly NodeKey[];
  /** Who says so, where somebody does. */
  readonly by: readonly NodeKey[];
  readonly text: string;
  readonly resolve: string;
}

export const blockers = (
  state: State,
  seen: Seen,
  self: NodeKey,
  rules: Rules,
): readonly Blocker[] => [
  ...unreachable(state, rules),
  ...notSeen(state, seen, self, rules),
  ...notQuorate(state, rules),
  ...leaving(state, self),
  ...quorumFull(state, rules),
];

const none: readonly NodeKey[] = Object.freeze([]);

/** A few names and how many more: a sentence about a thousand members is no help. */
function list(keys: readonly NodeKey[]): string {
  const shown = keys.slice(0, 5).join(', ');
  return keys.length > 5 ? `${shown} and ${keys.length - 5} more` : shown;
}

function unreachable(state: State, rules: Rules): Blocker[] {
  const { accused, observersOf } = accusations(state, rules);
  return [...accused].map((subject) => ({
    kind: 'unreachable' as const,
    nodes: [subject],
    by: observersOf(subject),
    text: `${subject} is unreachable for ${list(observersOf(subject))}.`,
    resolve:
      rules.strategy === 'manual'
        ? 'It is heard again, or an operator downs it.'
        : 'It is heard again, or downing removes it once the view is stable.',
  }));
}

/** The accused are named already, and cannot be waited for. */
function notSeen(state: State, seen: Seen, self: NodeKey, rules: Rules): Blocker[] {
  const { accused } = accusations(state, rules);
  const isWaited = (key: NodeKey, i: number) => !seen.has(i) && !accused.has(key);
  const nodes = state.electorateKeys.filter(isWaited);
  if (nodes.length === 0) return [];
  const text = `${list(nodes)} not known to have seen the current state.`;
  return [
    { kind: 'notSeen', nodes, by: [self], text, resolve: 'Gossip reaches them and returns.' },
  ];
}

function notQuorate(state: State, rules: Rules): Blocker[] {
  if (electorateIsQuorate(state, rules)) return [];
  if (!state.counted.some((member) => isEnrolled(member, rules))) {
    const text =
      rules.role === null
        ? 'No member was ever up, so nobody can decide.'
        : `No member with role ${rules.role} was ever up, so nobody can decide.`;
    const resolve = 'Stop these nodes and found the cluster anew.';
    return [{ kind: 'noVoters', nodes: none, by: none, text, resolve }];
  }
  const nodes = missingForQuorum(state, new Set(state.electorateKeys), rules);
  const text = `Without ${list(nodes)} the remaining voters are no quorum.`;
  const resolve = 'Bring them back under their old uid, or stop the survivors and found anew.';
  return [{ kind: 'notQuorate', nodes, by: none, text, resolve }];
}

function leaving(state: State, self: NodeKey): Blocker[] {
  return state.members
    .filter(({ status }) => status === 'Exiting')
    .map(({ key }) => ({
      kind: 'leaving' as const,
      nodes: [key],
      by: none,
      text: `${key} is exiting and has not said that it is done.`,
      resolve:
        key === self
          ? 'Its own shutdown tasks end, or leave.timeout passes.'
          : 'Its shutdown tasks end; if it died, it is seen unreachable and downed.',
    }));
}

function quorumFull(state: State, rules: Rules): Blocker[] {
  if (rules.strategy !== 'static-quorum') return [];
  const limit = 2 * rules.quorum - 1;
  const voters = state.electorate.filter((member) => isEnrolled(member, rules)).length;
  const votes = (roles: readonly string[]) => rules.role === null || roles.includes(rules.role);
  const nodes = state.electorate
    .filter(({ status, roles }) => (status === 'Joining' || status === 'WeaklyUp') && votes(roles))
    .map(({ key }) => key);
  if (voters < limit || nodes.length === 0) return [];
  const text = `${list(nodes)} cannot go up: a quorum of ${rules.quorum} allows ${limit} voters.`;
  return [{ kind: 'quorumFull', nodes, by: none, text, resolve: 'A voter leaves.' }];
}
