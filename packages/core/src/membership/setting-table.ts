/**
 * Every limit and interval of a node, with its default, range and meaning: the one table that the
 * command line, the documents and the checks read.
 */
import { LIMITS } from './limit-table.js';
import type { Profile } from './profiles.js';
import { choice, count, decimal, duration, type Setting, toggle, word } from './setting.js';

const agreed = { agreed: true } as const;

/** The tree itself; `members.minPerRole.<role>` and `peers.<address>` are the branches with names of the user's own. */
export const SETTINGS = {
  heartbeat: {
    interval: duration(1_000, [20, 60_000], 'time between two heartbeats on a link'),
    rings: count(5, [1, 10], 'rings of neighbours; at most twice as many links a node', agreed),
  },
  detector: {
    kind: choice(
      ['phi-normal', 'phi-exponential', 'deadline', 'swim'],
      'how silence becomes suspicion; if one member uses swim, all must',
    ),
    profile: choice(['lan', 'wan', 'local'], 'swim: which of memberlist’s sets of numbers'),
    variant: choice(
      ['full', 'swim', 'lifeguard', 'grace', 'health', 'both'],
      'swim: which parts are on; full is all of them, swim the bare protocol',
    ),
    threshold: decimal(
      8,
      [0.1, 100],
      'phi at which a neighbour counts as unavailable (phi 8: one mistake in 10^8)',
    ),
    acceptablePause: duration(
      3_000,
      [0, 600_000],
      'silence beyond the usual gap that suspects nobody',
    ),
    minStdDeviation: duration(
      100,
      [1, 60_000],
      'floor of the deviation, so that punctual links are not hair-triggered',
    ),
    maxSamples: count(1_000, [10, 100_000], 'gaps remembered per link'),
    firstReply: duration(
      1_000,
      [10, 60_000],
      'a neighbour not heard this long after the first dial starts to be suspected',
    ),
    indirectProbes: count(
      3,
      [0, 16],
      'go-betweens asked to look for a silent neighbour before it is held unreachable; 0: nobody is asked, nor is it',
    ),
    probeTimeout: duration(
      500,
      [10, 60_000],
      'how long before a verdict go-betweens look, at most half of the silence; the neighbour itself is asked throughout that half',
    ),
    probeRepeat: duration(150, [10, 60_000], 'a probe not answered is sent again after this'),
  },
  localHealth: {
    scoreMax: count(
      7,
      [0, 7],
      'highest score of local health; each step tolerates one acceptablePause more of silence; 0: no score',
    ),
    cleanIntervals: count(
      10,
      [1, 1_000],
      'heartbeat intervals without a sign of own trouble that lower the score by one',
    ),
  },
  damping: {
    turns: count(
      3,
      [2, 1_000],
      'a neighbour whose verdict turns this often stays unreachable for the hold-down',
    ),
    within: duration(60_000, [0, 86_400_000], 'the turns that count lie this close together'),
    holdDown: duration(
      30_000,
      [0, 86_400_000],
      'how long a damped neighbour must be heard without a break; doubles each time; 0: no damping',
    ),
    holdDownMax: duration(600_000, [0, 86_400_000], 'longest hold-down that doubling leads to'),
  },
  pause: {
    after: duration(
      500,
      [10, 60_000],
      'a tick this late (or half an interval, if longer) means this process did not run',
    ),
    graceFactor: decimal(
      2,
      [0, 10],
      'grace after a pause: at most this many pauses, and in one silence this many acceptablePauses',
    ),
  },
  outcomes: {
    window: duration(30_000, [10, 86_400_000], 'how long the reported outcome of a request counts'),
    least: count(10, [1, 1_000_000], 'with fewer outcomes nothing is concluded'),
    failureShare: decimal(
      0.5,
      [0.01, 1],
      'share of failures at which a member is degraded; it recovers at half of that',
    ),
  },
  agreement: {
    observers: count(
      2,
      [1, 10],
      'q: observers that must say so before a member is unreachable',
      agreed,
    ),
  },
  downing: {
    strategy: choice(
      ['keep-majority', 'lease-majority', 'static-quorum', 'keep-oldest', 'down-all', 'manual'],
      'who stays when members cannot be reached',
      agreed,
    ),
    stableAfter: duration(
      20_000,
      [100, 3_600_000],
      'unreachable members are downed when nothing has changed this long',
      agreed,
    ),
    unstableAfter: duration(
      15_000,
      [100, 3_600_000],
      'after stableAfter, how much longer a node without a quorum keeps running; 3/4 of stableAfter unless given',
      agreed,
    ),
    quorum: count(0, [0, 10_000], 'static-quorum: members that must stay', agreed),
    downIfAlone: toggle(
      true,
      'keep-oldest: when the oldest is on its own it goes, and the others stay',
      agreed,
    ),
    role: word('only members with this role are counted', agreed),
  },
  join: {
    seedTimeout: duration(
      5_000,
      [50, 600_000],
      'the first seed founds a cluster when no other seed answered this long',
    ),
    retryAfter: duration(
      3_000,
      [50, 600_000],
      'an attempt to join that got no answer is made anew after this',
    ),
    giveUpAfter: duration(60_000, [100, 86_400_000], 'a node that nobody let in stops after this'),
    batchWindow: duration(
      250,
      [0, 60_000],
      'joiners that arrive this close together are let in together',
    ),
    batchMax: duration(
      2_000,
      [0, 60_000],
      'longest that a joiner is held back for a change that is under way',
    ),
    recheckSeeds: duration(
      10_000,
      [100, 3_600_000],
      'how often a node that misses members asks its seeds whether a split has healed',
    ),
  },
  gossip: {
    batchWindow: duration(5, [0, 1_000], 'changes this close together are told in one frame'),
    farInterval: duration(
      10_000,
      [100, 3_600_000],
      'how often one random member beyond the neighbours is asked for its digest',
    ),
  },
  leave: {
    timeout: duration(
      10_000,
      [100, 600_000],
      'a leave that cannot be agreed on is forced after this',
    ),
    linger: duration(
      5_000,
      [0, 600_000],
      'longest that a node that has left waits to hear that it was removed',
    ),
  },
  members: {
    min: count(1, [1, 10_000], 'nobody is published as up before this many are'),
  },
  messages: {
    askTimeout: duration(5_000, [1, 86_400_000], 'an ask not answered by then fails'),
    linkTimeout: duration(
      5_000,
      [10, 600_000],
      'a message to a member without a link waits so long for one',
    ),
  },
  limits: LIMITS,
} as const;

export type Spec = typeof SETTINGS;
type ValueOf<S> = S extends Setting<infer T> ? T : never;

type Branches = {
  readonly [G in keyof Spec]: { readonly [K in keyof Spec[G]]: ValueOf<Spec[G][K]> };
};

/** How one member is judged, where that differs from `detector`; durations in milliseconds. */
export interface PeerSettings {
  readonly threshold?: number;
  readonly acceptablePause?: number;
  readonly minStdDeviation?: number;
}

/** Checked, frozen, durations in milliseconds. */
export type Settings = Omit<Branches, 'members'> & {
  readonly profile: Profile;
  /** By address. */
  readonly peers: Readonly<Record<string, PeerSettings>>;
  readonly members: Branches['members'] & { readonly minPerRole: Readonly<Record<string, number>> };
};

/** What a user may give: any part of the tree, durations as numbers of ms or text such as `5s`. */
export type GivenSettings = {
  readonly profile?: Profile;
  readonly [group: string]: unknown;
};
