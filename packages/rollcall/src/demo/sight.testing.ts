/** What nodes could answer, without nodes. */
import type { LinkAnswer, MemberAnswer, MembersAnswer } from '@rollcall/management';
import type { Place } from './place.js';
import type { Sight } from './sight.js';

export const place = (number: number): Place => ({
  number,
  address: `ws://127.0.0.1:735${number}`,
  management: `http://127.0.0.1:835${number}`,
});

export const memberAnswer = (
  number: number,
  changes: Partial<MemberAnswer> = {},
): MemberAnswer => ({
  node: place(number).address,
  nodeUid: `uid${number}`,
  status: 'Up',
  roles: [],
  appVersion: '0.0.0',
  reachability: 'reachable',
  observedBy: [],
  age: number,
  ...changes,
});

export const answer = (
  number: number,
  members: readonly MemberAnswer[],
  changes: Partial<MembersAnswer> = {},
): MembersAnswer => ({
  selfNode: place(number).address,
  selfUid: `uid${number}`,
  selfStatus: 'Up',
  selfHealthScore: 0,
  members,
  unreachable: [],
  degraded: [],
  leader: null,
  oldest: null,
  oldestPerRole: {},
  convergence: true,
  digest: 'aaaaaaaabbbbbbbb',
  epoch: 1,
  ...changes,
});

export const link = (observer: number, subject: number, phi: number): LinkAnswer => ({
  observer: place(observer).address,
  subject: place(subject).address,
  subjectUid: `uid${subject}`,
  connected: true,
  reachable: true,
  broken: false,
  heldForMs: null,
  phi,
  silenceMs: 0,
  meanMs: 1_000,
  deviationMs: 100,
  samples: 12,
  qos: {
    detectionTimeMs: 4_500,
    mistakeRecurrenceMs: null,
    mistakeDurationMs: null,
    queryAccuracy: 1,
    mistakes: 0,
    mistakeMs: 0,
    observedMs: 12_000,
    setAside: 0,
  },
});

export const sightOf = (
  answers: readonly MembersAnswer[],
  links: readonly LinkAnswer[] = [],
): Sight => ({
  atMs: 0,
  answers: new Map(answers.map((each) => [each.selfNode, each])),
  links,
  threshold: 8,
});
