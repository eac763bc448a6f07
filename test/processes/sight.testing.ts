/** What nodes answer over HTTP, all of them asked at once, and what is to be seen in it. */
import type { LinksAnswer, MemberAnswer, MembersAnswer } from '@rollcall/management';
import type { NodeRun } from './herd.testing.js';

export interface View {
  readonly node: NodeRun;
  /** Undefined when it does not answer. */
  readonly answer: MembersAnswer | undefined;
}

/** What each node sees. */
export type Sight = readonly View[];

const ANSWER_MS = 2_000;

/** The answer of one node, undefined when there is none. */
export async function ask<T>(url: string): Promise<T | undefined> {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(ANSWER_MS) });
    return response.ok ? ((await response.json()) as T) : undefined;
  } catch {
    return undefined;
  }
}

export const lookAt = (nodes: readonly NodeRun[]): Promise<Sight> =>
  Promise.all(
    nodes.map(async (node) => {
      const { management } = node.place;
      const url = `${management}/cluster/members`;
      return { node, answer: node.ended === undefined ? await ask<MembersAnswer>(url) : undefined };
    }),
  );

export const allAnswer = (sight: Sight): boolean =>
  sight.every(({ answer }) => answer !== undefined);

/** Do they see exactly each other, all Up and reachable, and have all agreed on it. */
export function isOneCluster(sight: Sight): boolean {
  const uids = sight.map(({ answer }) => answer?.selfUid).sort();
  const isWell = ({ status, reachability }: MemberAnswer) =>
    status === 'Up' && reachability === 'reachable';
  const all = sight.every(({ answer }) => {
    const seen = answer?.members.map(({ nodeUid }) => nodeUid).sort();
    return answer?.convergence && answer.members.every(isWell) && seen?.join() === uids.join();
  });
  return all && new Set(sight.map(({ answer }) => answer?.digest)).size === 1;
}

/** How each of them sees the run `uid`; undefined where it is no member. */
export const viewsOf = (sight: Sight, uid: string): readonly (MemberAnswer | undefined)[] =>
  sight.map(({ answer }) => answer?.members.find(({ nodeUid }) => nodeUid === uid));

/** Is `uid` unreachable for all of them, and a member still. */
export const isUnreachable = (sight: Sight, uid: string): boolean =>
  viewsOf(sight, uid).every((member) => member?.reachability === 'unreachable');

/** Who is a member at what address, by a node's own answer: what must not change when nothing happens. */
export const membership = (answer: MembersAnswer | undefined): readonly string[] =>
  answer?.members.map(
    ({ node, nodeUid, status, reachability }) => `${node}#${nodeUid} ${status} ${reachability}`,
  ) ?? [];

/** The fewest heartbeats of `uid` that any of them has heard. */
export async function fewestHeard(nodes: readonly NodeRun[], uid: string): Promise<number> {
  const answers = await Promise.all(
    nodes.map(({ place }) => ask<LinksAnswer>(`${place.management}/cluster/links`)),
  );
  return Math.min(
    ...answers.map(
      (answer) => answer?.links.find(({ subjectUid }) => subjectUid === uid)?.samples ?? 0,
    ),
  );
}

export const show = (sight: Sight): string => sight.map(showView).join('\n');

function showView({ node, answer }: View): string {
  const name = node.place.address;
  if (answer === undefined) return `${name}: ${node.state}`;
  const { selfStatus, members, convergence, digest, epoch } = answer;
  const seen = members.map(
    ({ node: at, nodeUid, status, reachability, observedBy }) =>
      `${at}#${nodeUid.slice(0, 4)} ${status} ${reachability}${observedBy.length > 0 ? ` for ${observedBy}` : ''}`,
  );
  const agreed = convergence ? 'converged' : 'not converged';
  return `${name} is ${selfStatus}, epoch ${epoch}, ${digest.slice(0, 8)} ${agreed}, and sees\n  ${seen.join('\n  ') || 'nobody'}`;
}
