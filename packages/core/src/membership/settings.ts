/**
 * From what a user gives (`join({ settings })`, a JSON file, the command line: one tree) to settings
 * that are checked, once. Nothing else validates a setting.
 */
import { RING_HASH } from '@rollcall/convergence';
import { isWord } from './member-facts.js';
import { nearestTo } from './nearest-name.js';
import { checkPeers, PEER_SETTINGS, readPeerName } from './peer-settings.js';
import { PROFILE_DEFAULTS, PROFILES, type Profile } from './profiles.js';
import { count, type Setting } from './setting.js';
import { checkCombinations } from './setting-combinations.js';
import { type GivenSettings, SETTINGS, type Settings, type Spec } from './setting-table.js';
import { ClusterSettingsError } from './settings-error.js';

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
/** Names that have a name of the user's own in them. */
const OWN_BRANCHES = [
  `${ROLE_BRANCH}<role>`,
  ...Object.keys(PEER_SETTINGS).map((leaf) => `peers.<address>.${leaf}`),
];
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
  const peers: Record<string, Record<string, number>> = Object.create(null);
  for (const [name, raw] of named) {
    const peer = readPeerName(name);
    if (peer !== undefined) {
      const { address, leaf } = peer;
      peers[address] = { ...peers[address], [leaf]: read(name, PEER_SETTINGS[leaf], raw) };
      continue;
    }
    const role = name.startsWith(ROLE_BRANCH) ? name.slice(ROLE_BRANCH.length) : '';
    if (!isWord(role)) throw unknown(name, raw);
    minPerRole[role] = read(name, perRole, raw);
  }
  const settings = build(profile, values, minPerRole, peers);
  checkCombinations(settings);
  checkPeers(settings);
  return settings;
}

function readProfile(raw: unknown): Profile {
  const profile = PROFILES.find((each) => each === (raw === undefined ? 'lan' : raw));
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
  if ('value' in answer) return answer.value;
  const { problem, hint } = answer;
  const more = hint === undefined ? '' : `, ${hint}`;
  throw new ClusterSettingsError(name, `${name} ${problem}, not ${quote(raw)}${more}`);
}

/** No name has more parts than `members.minPerRole.<role>`, a role's own dots apart. */
const DEEPEST = 16;

const isBranch = (name: string): boolean =>
  OWN_BRANCHES.some((own) => own.startsWith(`${name}.`)) ||
  settingRows.some((row) => row.name.startsWith(`${name}.`));

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
    const isEmpty = !isLeaf && Object.keys(value).length === 0 && !isBranch(name);
    if (isLeaf || isEmpty || name.split('.').length > DEEPEST) yield [name, value];
    else yield* flatten(value, `${name}.`);
  }
}

function build(
  profile: Profile,
  values: ReadonlyMap<string, unknown>,
  minPerRole: object,
  peers: Record<string, object>,
): Settings {
  for (const own of Object.values(peers)) Object.freeze(own);
  const tree: Record<string, unknown> = { profile, peers: Object.freeze(peers) };
  for (const group of Object.keys(SETTINGS)) {
    const leaves: Record<string, unknown> = {};
    for (const leaf of Object.keys(SETTINGS[group as keyof Spec]))
      leaves[leaf] = values.get(`${group}.${leaf}`);
    if (group === 'members') leaves.minPerRole = Object.freeze(minPerRole);
    tree[group] = Object.freeze(leaves);
  }
  return Object.freeze(tree) as unknown as Settings;
}

function unknown(name: string, raw: unknown): ClusterSettingsError {
  if (isBranch(name)) {
    const inside = [...settingRows.map((row) => row.name), ...OWN_BRANCHES].filter((each) =>
      each.startsWith(`${name}.`),
    );
    const some = inside.slice(0, 2).join(' and ');
    return new ClusterSettingsError(
      name,
      `${name} is a group of settings: give some of them, such as ${some}, instead of ${quote(raw)}`,
    );
  }
  const names = [...settingRows.map((row) => row.name), 'profile', ...OWN_BRANCHES];
  return new ClusterSettingsError(
    name,
    `there is no setting ${quote(name)}; the nearest is ${nearestTo(name, names)}`,
  );
}

/** As JSON where there is any: a bigint and what refers to itself have none. */
function quote(value: unknown): string {
  try {
    return JSON.stringify(value) ?? String(value);
  } catch {
    return typeof value === 'bigint' ? `${value}n` : 'a value that is no JSON';
  }
}

/** The settings that every member must share, as sorted `name=value` pairs for the hello. */
export function agreedSettings(settings: Settings): readonly string[] {
  const tree = settings as unknown as Record<string, Record<string, unknown>>;
  const pairs = settingRows
    .filter((row) => row.setting.agreed)
    .map(({ name, setting }) => {
      const [group = '', leaf = ''] = name.split('.');
      return `${name}=${setting.show(tree[group]?.[leaf])}`;
    });
  const evidence = settings.detector.kind === 'swim' ? 'swim' : 'heartbeats';
  return [...pairs, `detector.kind=${evidence}`, `ring hash=${RING_HASH}`].sort();
}
