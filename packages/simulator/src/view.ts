/**
 * Questions to a simulation, asked of every node that runs: what a script waits for, and what a
 * report shows. They look at states only, as a user of each node would.
 */
import type { ClusterState, Member, NodeKey } from '@rollcall/core';
import { shortKey } from './node-name.js';
import type { NodeRun } from './node-run.js';

/** Members that are listed one by one; more are counted. */
const LISTED_MAX = 12;

/** What `observer` holds of `subject`; undefined when it does not know it. */
export const memberAt = (observer: NodeRun, subject: NodeKey): Member | undefined =>
  observer.state?.members.find((member) => member.node === subject);

/** Do these nodes see exactly each other, all up and reachable? */
export function isFormed(runs: readonly NodeRun[]): boolean {
  const keys = new Set(runs.map((run) => run.key));
  return runs.every((run) => {
    const members = run.isRunning ? run.state?.members : undefined;
    if (members?.length !== runs.length) return false;
    return members.every(
      ({ node, status, reachability }) =>
        status === 'up' && reachability === 'reachable' && keys.has(node),
    );
  });
}

/** Do these nodes hold one and the same state, and know that they do? */
export function isAgreed(runs: readonly NodeRun[]): boolean {
  const digest = runs[0]?.state?.digest;
  return runs.every((run) => run.state?.digest === digest && run.state?.convergence === true);
}

/** Do all of these nodes hold the subject unreachable? */
export const isUnreachableAt = (runs: readonly NodeRun[], subject: NodeKey): boolean =>
  runs.every((run) => memberAt(run, subject)?.reachability === 'unreachable');

/** Does none of these nodes know the subject (any more)? */
export const isGoneAt = (runs: readonly NodeRun[], subject: NodeKey): boolean =>
  runs.every((run) => memberAt(run, subject) === undefined);

/** One node's view in a line. */
export function describe(run: NodeRun): string {
  const { name, phase, state, ending, failure } = run;
  const reason = ending?.message ?? failure?.message;
  if (!run.isRunning || state === undefined)
    return `${name} ${phase}${reason ? `: ${reason}` : ''}`;
  const agreed = state.convergence ? 'agreed' : 'not agreed';
  const head = `${name} epoch ${state.epoch} digest ${state.digest.slice(0, 8)} ${agreed}`;
  return `${head}: ${membersText(state)}`;
}

function membersText({ members }: ClusterState): string {
  if (members.length === 0) return 'in no cluster';
  const isPlain = (member: Member) => member.status === 'up' && member.reachability === 'reachable';
  const shown = members.length <= LISTED_MAX ? members : members.filter((m) => !isPlain(m));
  const rest = members.length - shown.length;
  return [...shown.map(memberText), ...(rest > 0 ? [`${rest} more up`] : [])].join(', ');
}

function memberText({ node, status, reachability, observedBy }: Member): string {
  const by = observedBy.length > 0 ? ` by ${observedBy.map(shortKey).join(' and ')}` : '';
  return `${shortKey(node)} ${status}${reachability === 'reachable' ? '' : ` (${reachability}${by})`}`;
}
