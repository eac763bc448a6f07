/**
 * Events as they leave the process. Their names are Akka's where Akka has one (`MemberUp`,
 * `UnreachableMember`), else ours with a capital; `?type=` takes these, Akka's groups, or our own words.
 */
import { addressOf, type ClusterEvent } from '@rollcall/core';
import { type MemberAnswer, memberAnswer } from './cluster-view.js';
import { statusWord } from './status-word.js';

type EventType = ClusterEvent['type'];

const NAMES = {
  memberJoined: 'MemberJoined',
  memberWeaklyUp: 'MemberWeaklyUp',
  memberUp: 'MemberUp',
  memberLeft: 'MemberLeft',
  memberExited: 'MemberExited',
  memberDowned: 'MemberDowned',
  memberRemoved: 'MemberRemoved',
  memberSuspected: 'SuspectedMember',
  memberUnreachable: 'UnreachableMember',
  memberReachable: 'ReachableMember',
  convergenceReached: 'ConvergenceReached',
  convergenceLost: 'ConvergenceLost',
  selfUp: 'SelfUp',
  selfRemoved: 'SelfRemoved',
  joinRefused: 'JoinRefused',
  joinStalled: 'JoinStalled',
  islandDetected: 'IslandDetected',
  localPauseDetected: 'LocalPauseDetected',
  downingDecided: 'DowningDecided',
} as const satisfies Record<EventType, string>;

const ALL = Object.keys(NAMES) as EventType[];
const REACHABILITY: readonly EventType[] = [
  'memberSuspected',
  'memberUnreachable',
  'memberReachable',
];

/** Akka's supertypes: asking for one gives all of it. */
const GROUPS: ReadonlyMap<string, readonly EventType[]> = new Map([
  ['ClusterDomainEvent', ALL],
  ['MemberEvent', ALL.filter((each) => each.startsWith('member') && !REACHABILITY.includes(each))],
  ['ReachabilityEvent', REACHABILITY],
]);

/** The types that a `?type=` filter means (several by commas); a string is the first word that means nothing. */
export function eventTypes(words: readonly string[]): ReadonlySet<EventType> | string {
  const wanted = new Set<EventType>();
  for (const word of words.flatMap((each) => each.split(',')).map((each) => each.trim())) {
    const key = word.toLowerCase();
    const one = ALL.find((each) => key === each.toLowerCase() || key === NAMES[each].toLowerCase());
    const group = [...GROUPS].find(([name]) => key === name.toLowerCase());
    const meant = one === undefined ? group?.[1] : [one];
    if (meant === undefined) return word;
    for (const each of meant) wanted.add(each);
  }
  return words.length === 0 ? new Set(ALL) : wanted;
}

/** All that `?type=` takes, as a reader of the answers knows it. */
export const eventNames = (): {
  readonly types: readonly string[];
  readonly groups: readonly string[];
} => ({
  types: Object.values(NAMES),
  groups: [...GROUPS.keys()],
});

export interface EventAnswer {
  readonly type: string;
  /** Whom it is about, where it is about one member. */
  readonly member?: MemberAnswer;
  readonly why?: string;
  readonly convergence: boolean;
  readonly digest: string;
  readonly [fact: string]: unknown;
}

export function eventAnswer(event: ClusterEvent): EventAnswer {
  const { convergence, digest } = event.state;
  return { type: NAMES[event.type], ...factsOf(event), convergence, digest };
}

function factsOf(event: ClusterEvent): object {
  switch (event.type) {
    case 'convergenceReached':
    case 'convergenceLost':
    case 'selfUp':
      return {};
    case 'selfRemoved':
      return { reason: event.reason, why: event.why };
    case 'joinRefused':
      return { refusal: event.refusal };
    case 'joinStalled':
      return { tried: event.tried };
    case 'islandDetected':
      return {
        via: addressOf(event.via),
        theirs: event.theirs.map(addressOf),
        ours: event.ours.map(addressOf),
      };
    case 'localPauseDetected':
      return { pauseMs: event.pauseMs };
    case 'downingDecided':
      return { stay: event.stay.map(addressOf), go: event.go.map(addressOf), why: event.why };
    default:
      return {
        member: memberAnswer(event.member, event.state),
        previousStatus: event.previous === undefined ? null : statusWord(event.previous.status),
        why: event.why,
      };
  }
}
