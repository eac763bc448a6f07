/**
 * The dumb twin: the same rules over plain objects, written for the eye, with everything worked out
 * from scratch each time. Where the shipped code is fast (buckets, running sums, one-pass rings,
 * lists that are kept) it must agree with this.
 */
import {
  compareAge,
  compareKeys,
  configurationId,
  isCounted,
  isLive,
  type Member,
  murmur32,
  murmur128,
  RANK,
  type Rules,
  type State,
} from './index.js';

export interface Plain {
  readonly clusterId: string;
  readonly epoch: number;
  readonly removed: readonly string[];
  readonly members: Readonly<Record<string, Member>>;
}

export const plainOf = ({ clusterId, epoch, removed, members }: State): Plain => ({
  clusterId,
  epoch,
  removed: [...removed],
  members: Object.fromEntries(members.map((member) => [member.key, { ...member }])),
});

const keys = (s: Plain) => Object.keys(s.members).sort(compareKeys);
const at = (s: Plain, key: string) => s.members[key] as Member;
const live = (s: Plain) => keys(s).filter((key) => isLive(at(s, key).status));

/** Rows name members only, and never their observer. */
function tidy(s: Plain): Plain {
  const members = Object.fromEntries(
    keys(s).map((key) => {
      const { row, ...rest } = at(s, key);
      const unreachable = row.unreachable.filter((other) => other !== key && s.members[other]);
      return [key, { ...rest, row: { ...row, unreachable: unreachable.sort(compareKeys) } }];
    }),
  );
  return { ...s, removed: [...new Set(s.removed)].sort(compareKeys), members };
}

export function plainMerge(a: Plain, b: Plain): Plain {
  const gone = new Set([...a.removed, ...b.removed]);
  const members: Record<string, Member> = {};
  for (const key of new Set([...keys(a), ...keys(b)])) {
    const [x, y] = [a.members[key], b.members[key]];
    if (gone.has(key)) continue;
    if (!x || !y) members[key] = (x ?? y) as Member;
    else {
      const numbers = [x.upNumber, y.upNumber].filter((number) => number !== null);
      members[key] = {
        ...x,
        status: RANK[x.status] > RANK[y.status] ? x.status : y.status,
        upNumber: numbers.length === 0 ? null : Math.min(...numbers),
        row: x.row.version > y.row.version ? x.row : y.row,
      };
    }
  }
  const removed = a.epoch === b.epoch ? [...gone] : (a.epoch > b.epoch ? a : b).removed;
  return tidy({ clusterId: a.clusterId, epoch: Math.max(a.epoch, b.epoch), removed, members });
}

/** The sum of the hashes of all parts, lane by lane. */
export function plainDigest(s: Plain): string {
  const texts = [
    ['clusterId', s.clusterId],
    ['epoch', s.epoch],
  ].concat(s.removed.map((key) => ['removed', key]));
  const entries = keys(s).map((key) => {
    const { status, upNumber, row, roles, appVersion } = at(s, key);
    const flags = (row.unwell ? 1 : 0) + (row.cutOff ? 2 : 0);
    const fields = [RANK[status], upNumber, row.version, row.unreachable, flags];
    const leases = row.leases?.length ? [row.leases] : [];
    return ['member', key, ...fields, roles, appVersion, ...leases];
  });
  const lanes = [0n, 0n, 0n, 0n];
  for (const part of [...texts, ...entries]) {
    murmur128(JSON.stringify(part), 0).forEach((lane, i) => {
      lanes[i] = BigInt.asUintN(32, (lanes[i] as bigint) + BigInt(lane));
    });
  }
  return lanes.map((lane) => lane.toString(16).padStart(8, '0')).join('');
}

export const plainRing = (s: Plain, ring: number): string[] =>
  live(s).sort((a, b) => murmur32(a, ring) - murmur32(b, ring) || compareKeys(a, b));

/** Walks each ring both ways, past everybody accused. */
export function plainNeighbours(
  s: Plain,
  key: string,
  rings: number,
  accused: Set<string>,
): string[] {
  const others = live(s).filter((other) => other !== key);
  if (others.length <= 2 * rings) return others;
  const found = new Set<string>();
  for (let ring = 0; ring < rings; ring += 1) {
    const order = plainRing({ ...s, members: { ...s.members, [key]: voter(key) } }, ring);
    const start = order.indexOf(key);
    for (const step of [1, order.length - 1]) {
      let place = start;
      do {
        place = (place + step) % order.length;
        if (place !== start) found.add(order[place] as string);
      } while (place !== start && accused.has(order[place] as string));
    }
  }
  return [...found].sort(compareKeys);
}

const voter = (key: string): Member => ({
  key,
  status: 'Up',
  upNumber: 1,
  row: { version: 0, unreachable: [], unwell: false, cutOff: false },
  roles: [],
  appVersion: '',
});

export interface PlainAccusations {
  readonly pairs: readonly (readonly [string, string])[];
  readonly suspected: Readonly<Record<string, readonly string[]>>;
}

/** W(x), and whether those that are unwell are in it. */
function plainVoices(s: Plain, subject: string, rules: Rules): [voices: string[], isAny: boolean] {
  const base = plainNeighbours(s, subject, rules.rings, new Set());
  const here = base.filter((key) => !at(s, key).row.cutOff);
  const well = here.filter((key) => !at(s, key).row.unwell);
  const isAny = well.length < Math.min(rules.observers, base.length);
  return [isAny ? here : well, isAny];
}

const plainEnough = (voices: readonly string[], rules: Rules): number =>
  Math.max(1, Math.min(rules.observers, voices.length));

export const plainNeed = (s: Plain, subject: string, rules: Rules): number =>
  plainEnough(plainVoices(s, subject, rules)[0], rules);

export function plainAccusations(s: Plain, rules: Rules): PlainAccusations {
  const pairs: [string, string][] = [];
  const suspected: Record<string, readonly string[]> = {};
  for (const subject of live(s)) {
    const [voices, isAny] = plainVoices(s, subject, rules);
    const by = live(s).filter((observer) => {
      const { unreachable, unwell, cutOff } = at(s, observer).row;
      return unreachable.includes(subject) && !cutOff && (isAny || !unwell);
    });
    const isOut = by.some((key) => plainIsOut(s, subject, key, by, rules));
    if (by.length >= plainEnough(voices, rules) || isOut)
      pairs.push(...by.map((key): [string, string] => [key, subject]));
    else if (by.length > 0) suspected[subject] = by;
  }
  const accused = new Set(pairs.map(([, subject]) => subject));
  for (const [subject, by] of Object.entries(suspected))
    if (by.every((key) => accused.has(key))) delete suspected[subject];
  pairs.sort((a, b) => compareKeys(a[0], b[0]) || compareKeys(a[1], b[1]));
  return { pairs, suspected };
}

/** Whether the part that this observer is in could go on, has no way to the subject, and names it enough. */
function plainIsOut(
  s: Plain,
  subject: string,
  observer: string,
  by: readonly string[],
  rules: Rules,
): boolean {
  const part = new Set(plainReach(s, observer, new Set(), rules));
  const voices = plainVoices(s, subject, rules)[0].filter((key) => part.has(key));
  const isEnough = by.filter((key) => part.has(key)).length >= plainEnough(voices, rules);
  return !part.has(subject) && isEnough && plainCanGoOn(s, part, rules);
}

/** `heard`: whom `self` hears; without it, it counts its ways past others as everybody does. */
export function plainReach(
  s: Plain,
  self: string,
  own: ReadonlySet<string>,
  rules: Rules,
  heard: readonly string[] | null = null,
): string[] {
  const holds = (a: string, b: string) =>
    at(s, a).row.unreachable.includes(b) || (a === self && own.has(b));
  const named = new Set(live(s).filter((b) => live(s).some((a) => a !== b && holds(a, b))));
  const waysPast = (a: string): readonly string[] => {
    if (a === self && heard !== null) return heard;
    if (named.has(a)) return [];
    return plainNeighbours(s, a, rules.rings, named).filter((b) => !named.has(b));
  };
  const found = new Set([self]);
  for (let size = 0; size !== found.size; ) {
    size = found.size;
    for (const a of [...found]) {
      for (const b of [...plainNeighbours(s, a, rules.rings, new Set()), ...waysPast(a)]) {
        if (at(s, b) !== undefined && !holds(a, b) && !holds(b, a)) found.add(b);
      }
    }
  }
  return [...found].sort(compareKeys);
}

function plainWins(
  s: Plain,
  stayers: ReadonlySet<string>,
  config: string[],
  rules: Rules,
): boolean {
  const k = config.filter((key) => stayers.has(key)).length;
  const n = config.length;
  const oldest = config.map((key) => at(s, key)).sort(compareAge)[0]?.key ?? '';
  const tied = rules.tieOldest ? oldest : (config[0] ?? '');
  const id = configurationId(config.map((key) => at(s, key)));
  const holds = (key: string) => stayers.has(key) && at(s, key).row.leases?.includes(id);
  const answers = {
    'lease-majority': () => 2 * k > n || (2 * k === n && config.some(holds)),
    manual: () => 2 * k > n || (2 * k === n && stayers.has(tied)),
    'keep-majority': () => 2 * k > n || (2 * k === n && stayers.has(tied)),
    'static-quorum': () => k >= rules.quorum || k === n,
    'keep-oldest': () => {
      if (!rules.downIfAlone) return stayers.has(oldest);
      return stayers.has(oldest) ? k >= 2 || n === 1 : n >= 3 && k === n - 1;
    },
    'down-all': () => k === n,
  };
  return n > 0 && answers[rules.strategy]();
}

function plainConfigs(s: Plain, rules: Rules): string[][] {
  const now = keys(s).filter((key) => {
    const member = at(s, key);
    return isCounted(member) && (rules.role === null || member.roles.includes(rules.role));
  });
  const before = now.filter((key) => (at(s, key).upNumber as number) < s.epoch);
  return before.length === 0 ? [now] : [now, before];
}

export const plainQuorate = (s: Plain, stayers: ReadonlySet<string>, rules: Rules): boolean =>
  plainConfigs(s, rules).every((config) => plainWins(s, stayers, config, rules));

/** Quorate, or a half that needs no more than the word of the lease. */
function plainCanGoOn(s: Plain, stayers: ReadonlySet<string>, rules: Rules): boolean {
  const isTie = (config: string[]) =>
    rules.strategy === 'lease-majority' &&
    config.length > 0 &&
    2 * config.filter((key) => stayers.has(key)).length === config.length;
  return plainConfigs(s, rules).every(
    (config) => plainWins(s, stayers, config, rules) || isTie(config),
  );
}

export function plainFire(s: Plain, rules: Rules): Plain | null {
  const epoch = s.epoch + 1;
  const removed = keys(s).filter((key) => !isLive(at(s, key).status));
  const votes = (member: Member) => rules.role === null || member.roles.includes(rules.role);
  const members: Record<string, Member> = {};
  let isEffective = removed.length > 0;
  let counted = live(s).filter((key) => isCounted(at(s, key)) && votes(at(s, key))).length;
  for (const key of live(s)) {
    const member = at(s, key);
    members[key] = member;
    if (member.status === 'Joining' || member.status === 'WeaklyUp') {
      const isFull = rules.strategy === 'static-quorum' && counted >= 2 * rules.quorum - 1;
      if (isFull && votes(member)) continue;
      if (votes(member)) counted += 1;
      members[key] = { ...member, status: 'Up', upNumber: epoch };
      isEffective = true;
    } else if (member.status === 'Leaving') {
      members[key] = { ...member, status: 'Exiting' };
      isEffective = true;
    } else if (member.upNumber === s.epoch) isEffective = true;
  }
  return isEffective ? tidy({ ...s, epoch, removed, members }) : null;
}
