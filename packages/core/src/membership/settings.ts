/**
 * Every limit and interval of a node: one tree, the same in `join({ settings })`, in a JSON file and
 * on the command line. `readSettings` checks all of it once; nothing else validates a setting.
 */
import { RING_HASH } from '@rollcall/convergence';
import { choice, count, decimal, duration, type Setting, showDuration, word } from './setting.js';
import { ClusterSettingsError } from './settings-error.js';

const agreed = { agreed: true } as const;

/** The tree itself; `members.minPerRole.<role>` is the one branch with names of the user's own. */
export const SETTINGS = {
  heartbeat: {
    interval: duration(1_000, [20, 60_000], 'time between two heartbeats on a link'),
    rings: count(5, [1, 10], 'rings of neighbours; at most twice as many links a node', agreed),
  },
  detector: {
    kind: choice(['phi-normal', 'phi-exponential', 'deadline'], 'how silence becomes suspicion'),
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
      ['keep-majority', 'static-quorum', 'keep-oldest', 'down-all', 'manual'],
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
      5_000,
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
  limits: {
    members: count(5_000, [1, 50_000], 'members in a cluster; a joiner beyond it is refused'),
    joins: count(
      64,
      [1, 10_000],
      'joiners that one node serves at once; others are told to ask elsewhere',
    ),
    guestLinks: count(
      10,
      [0, 1_000],
      'members that are not neighbours and are answered all the same',
    ),
    history: count(
      64,
      [4, 1_024],
      'past states kept so that a peer can be sent the difference only',
    ),
    peers: count(4_096, [16, 65_536], 'unique addresses that a node keeps notes on'),
    frameBytes: count(1_048_576, [1_024, 67_108_864], 'largest control frame'),
    messageBytes: count(4_194_304, [1_024, 268_435_456], 'largest user message'),
    controlOutbox: count(256, [8, 65_536], 'control frames queued per link'),
    controlBuffered: count(
      1_048_576,
      [1_024, 268_435_456],
      'bytes handed to a control socket and not yet sent before frames queue',
    ),
    userOutbox: count(256, [1, 65_536], 'user messages queued per link'),
    userBuffered: count(
      4_194_304,
      [1_024, 268_435_456],
      'bytes handed to a user socket and not yet sent before messages queue',
    ),
    framesPerSecond: count(
      5_000,
      [10, 1_000_000],
      'frames per second from one peer; beyond it the link is closed',
    ),
    handshake: duration(
      3_000,
      [50, 60_000],
      'a connection that has not proved itself by then is closed',
    ),
    pendingConnections: count(128, [1, 65_536], 'connections that have not yet proved themselves'),
    connectionsPerAddress: count(64, [1, 65_536], 'connections from one remote IP'),
    idleLink: duration(15_000, [100, 3_600_000], 'a link nobody wants is closed after this'),
    reconnectMin: duration(100, [1, 60_000], 'first pause before a lost link is dialled again'),
    reconnectMax: duration(3_000, [10, 600_000], 'longest pause between two dials'),
    flush: duration(500, [0, 60_000], 'longest that stopping waits for queued frames'),
  },
} as const;

type Spec = typeof SETTINGS;
type ValueOf<S> = S extends Setting<infer T> ? T : never;

/** Where a node runs; it chooses defaults and nothing else. */
export const PROFILES = ['lan', 'wan', 'local'] as const;
export type Profile = (typeof PROFILES)[number];

type Branches = {
  readonly [G in keyof Spec]: { readonly [K in keyof Spec[G]]: ValueOf<Spec[G][K]> };
};

/** Checked, frozen, durations in milliseconds. */
export type Settings = Omit<Branches, 'members'> & {
  readonly profile: Profile;
  readonly members: Branches['members'] & { readonly minPerRole: Readonly<Record<string, number>> };
};

/** What a user may give: any part of the tree, durations as numbers of ms or text such as `5s`. */
export type GivenSettings = {
  readonly profile?: Profile;
  readonly [group: string]: unknown;
};

const PROFILE_DEFAULTS: Readonly<Record<Profile, Readonly<Record<string, unknown>>>> = {
  lan: {},
  wan: {
    'detector.acceptablePause': 6_000,
    'detector.threshold': 12,
    'join.seedTimeout': 10_000,
    'downing.stableAfter': 30_000,
    'limits.handshake': 10_000,
  },
  local: {
    'heartbeat.interval': 500,
    'detector.acceptablePause': 1_500,
    'downing.stableAfter': 5_000,
  },
};

/** One row for each setting, in the order of the tree: for `--print-settings` and for docs. */
export interface SettingRow {
  readonly name: string;
  readonly setting: Setting<unknown>;
}

export const settingRows: readonly SettingRow[] = Object.entries(SETTINGS).flatMap(
  ([group, leaves]) =>
    Object.entries(leaves).map(([leaf, setting]) => ({
      name: `${group}.${leaf}`,
      setting: setting as Setting<unknown>,
    })),
);

const ROLE_BRANCH = 'members.minPerRole.';
const perRole = count(
  1,
  [0, 10_000],
  'nobody is published as up before this many with the role are',
);

/**
 * Reads a tree (nested, or flat with dotted names) into checked settings.
 * Throws ClusterSettingsError, which names the setting, for an unknown name, a value out of range, or
 * a combination that cannot work; nothing is read partially.
 */
export function readSettings(given: GivenSettings = {}): Settings {
  const named = new Map(flatten(given, ''));
  const profile = readProfile(named.get('profile'));
  named.delete('profile');
  const values = new Map<string, unknown>();
  for (const { name, setting } of settingRows) {
    const raw = named.has(name) ? named.get(name) : PROFILE_DEFAULTS[profile][name];
    values.set(name, raw === undefined ? setting.default : read(name, setting, raw));
    if (name !== 'downing.unstableAfter') named.delete(name);
  }
  if (!named.has('downing.unstableAfter')) {
    values.set(
      'downing.unstableAfter',
      Math.round(0.75 * Number(values.get('downing.stableAfter'))),
    );
  }
  named.delete('downing.unstableAfter');
  const minPerRole: Record<string, number> = Object.create(null);
  for (const [name, raw] of named) {
    if (!name.startsWith(ROLE_BRANCH)) throw unknown(name);
    minPerRole[name.slice(ROLE_BRANCH.length)] = read(name, perRole, raw);
  }
  const settings = build(profile, values, minPerRole);
  checkCombinations(settings);
  return settings;
}

function readProfile(raw: unknown): Profile {
  const profile = PROFILES.find((each) => each === (raw ?? 'lan'));
  if (profile === undefined) {
    throw new ClusterSettingsError(
      'profile',
      `profile takes one of ${PROFILES.join(', ')}, not ${quote(raw)}`,
    );
  }
  return profile;
}

function read<T>(name: string, setting: Setting<T>, raw: unknown): T {
  const answer = setting.read(raw);
  if ('problem' in answer)
    throw new ClusterSettingsError(name, `${name} ${answer.problem}, not ${quote(raw)}`);
  return answer.value;
}

function* flatten(tree: unknown, prefix: string): Generator<[string, unknown]> {
  if (tree === null || typeof tree !== 'object' || Array.isArray(tree)) {
    const name = prefix.slice(0, -1);
    throw new ClusterSettingsError(
      name,
      `${name || 'settings'} must be an object of settings, not ${quote(tree)}`,
    );
  }
  for (const [key, value] of Object.entries(tree)) {
    if (value === undefined) continue;
    const name = prefix + key;
    const isLeaf =
      value === null || typeof value !== 'object' || settingRows.some((row) => row.name === name);
    if (isLeaf) yield [name, value];
    else yield* flatten(value, `${name}.`);
  }
}

function build(
  profile: Profile,
  values: ReadonlyMap<string, unknown>,
  minPerRole: object,
): Settings {
  const tree: Record<string, unknown> = { profile };
  for (const group of Object.keys(SETTINGS)) {
    const leaves: Record<string, unknown> = {};
    for (const leaf of Object.keys(SETTINGS[group as keyof Spec]))
      leaves[leaf] = values.get(`${group}.${leaf}`);
    if (group === 'members') leaves['minPerRole'] = Object.freeze(minPerRole);
    tree[group] = Object.freeze(leaves);
  }
  return Object.freeze(tree) as unknown as Settings;
}

function checkCombinations(s: Settings): void {
  if (s.downing.strategy === 'static-quorum' && s.downing.quorum === 0) {
    throw new ClusterSettingsError(
      'downing.quorum',
      'downing.quorum must be given with downing.strategy=static-quorum',
    );
  }
  if (s.detector.acceptablePause < s.heartbeat.interval) {
    throw new ClusterSettingsError(
      'detector.acceptablePause',
      `detector.acceptablePause (${showDuration(s.detector.acceptablePause)}) is shorter than heartbeat.interval ` +
        `(${showDuration(s.heartbeat.interval)}): one lost heartbeat would convict a healthy member`,
    );
  }
  if (s.limits.reconnectMax < s.limits.reconnectMin) {
    throw new ClusterSettingsError(
      'limits.reconnectMax',
      'limits.reconnectMax is below limits.reconnectMin',
    );
  }
}

function unknown(name: string): ClusterSettingsError {
  const names = [...settingRows.map((row) => row.name), 'profile', `${ROLE_BRANCH}<role>`];
  const nearest = names.reduce((best, each) =>
    distance(each, name) < distance(best, name) ? each : best,
  );
  return new ClusterSettingsError(
    name,
    `there is no setting ${quote(name)}; the nearest is ${nearest}`,
  );
}

/** Levenshtein distance, for "did you mean". */
function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const swap = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(swap, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[b.length] ?? 0;
}

const quote = (value: unknown): string => JSON.stringify(value) ?? String(value);

/** The settings that every member must share, as sorted `name=value` pairs for the hello. */
export function agreedSettings(settings: Settings): readonly string[] {
  const tree = settings as unknown as Record<string, Record<string, unknown>>;
  const pairs = settingRows
    .filter((row) => row.setting.agreed)
    .map(({ name, setting }) => {
      const [group = '', leaf = ''] = name.split('.');
      return `${name}=${setting.show(tree[group]?.[leaf])}`;
    });
  return [...pairs, `ring hash=${RING_HASH}`].sort();
}
