/** What can be seen from outside: the demo asks every node what it sees, several times a second. */
import type { LinkAnswer, LinksAnswer, MemberAnswer, MembersAnswer } from '@rollcall/management';
import { exhaustMap, type Observable, share, timer } from 'rxjs';
import { systemClock } from '../system-clock.js';
import type { Place } from './place.js';

export interface Sight {
  readonly atMs: number;
  /** What each node answers, by its address; those that do not answer are missing. */
  readonly answers: ReadonlyMap<string, MembersAnswer>;
  /** All links that anybody observes. */
  readonly links: readonly LinkAnswer[];
  /** The phi that means unavailable. */
  readonly threshold: number;
}

const LOOK_EVERY_MS = 100;
const ANSWER_MS = 1_000;

/** One look after the other while somebody watches, no faster than they are answered. */
export const sights = (places: readonly Place[]): Observable<Sight> =>
  timer(0, LOOK_EVERY_MS).pipe(
    exhaustMap(() => look(places)),
    share(),
  );

async function look(places: readonly Place[]): Promise<Sight> {
  const answers = new Map<string, MembersAnswer>();
  const links: LinkAnswer[] = [];
  let threshold = 0;
  const lookAt = async ({ address, management }: Place) => {
    const [members, observed] = await Promise.all([
      ask<MembersAnswer>(`${management}/cluster/members`),
      ask<LinksAnswer>(`${management}/cluster/links`),
    ]);
    if (members === undefined || observed === undefined) return;
    answers.set(address, members);
    links.push(...observed.links);
    threshold = observed.detector.threshold;
  };
  await Promise.all(places.map(lookAt));
  return { atMs: systemClock.nowMs(), answers, links, threshold };
}

async function ask<T>(url: string): Promise<T | undefined> {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(ANSWER_MS) });
    return response.ok ? ((await response.json()) as T) : undefined;
  } catch {
    return undefined;
  }
}

/** How each of these nodes sees the run `uid`; undefined where it does not know it. */
export const views = (
  { answers }: Sight,
  observers: readonly Place[],
  uid: string | undefined,
): readonly (MemberAnswer | undefined)[] =>
  observers.map(({ address }) =>
    answers.get(address)?.members.find((each) => each.nodeUid === uid),
  );

/** The uid of the run that answers at a place. */
export const uidAt = ({ answers }: Sight, { address }: Place): string | undefined =>
  answers.get(address)?.selfUid;

/** Do all of these answer. */
export const allAnswer = ({ answers }: Sight, places: readonly Place[]): boolean =>
  places.every(({ address }) => answers.has(address));

/** Do all of these see exactly each other, all Up and reachable, and agree on it. */
export function areOneCluster(sight: Sight, places: readonly Place[]): boolean {
  const uids = places.map((place) => uidAt(sight, place)).sort();
  const digests = new Set<string>();
  const isOne = places.every(({ address }) => {
    const answer = sight.answers.get(address);
    if (answer === undefined || !answer.convergence) return false;
    digests.add(answer.digest);
    const seen = answer.members.map(({ nodeUid }) => nodeUid).sort();
    const isWell = ({ status, reachability }: MemberAnswer) =>
      status === 'Up' && reachability === 'reachable';
    return seen.join() === uids.join() && answer.members.every(isWell);
  });
  return isOne && digests.size === 1;
}
