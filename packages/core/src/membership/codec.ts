/**
 * Messages to bytes and back. Everything that arrives is checked against its schema here; what does
 * not fit is a reason, never a throw and never a partial message. A reader ignores fields appended
 * by a later version.
 */
import {
  type Digest,
  type Member,
  type Status as MemberStatus,
  type NodeKey,
  type Patch,
  RANK,
} from '@rollcall/convergence';
import { BadFrame, Reader, Writer } from './bytes.js';
import { REFUSAL_CODES, type Refusal } from './hello.js';
import { isAddress, isUniqueAddress, isWord, KEY_BYTES_MAX, ROLES_MAX } from './member-facts.js';
import type { Message, SeenBits, Standing, Status } from './message.js';

/** The first byte of a frame. Numbers are never reused. */
export const KINDS = [
  'heartbeat',
  'status',
  'patch',
  'buckets',
  'seedAsk',
  'seedAnswer',
  'join',
  'welcome',
  'introduce',
  'joinRetry',
  'joinRefused',
  'notMember',
  'exitNoted',
] as const satisfies readonly Message['kind'][];

const ALL_SEEN = 1;
const WANT = 2;
const STATUS_OF_RANK = new Map(
  (Object.keys(RANK) as MemberStatus[]).map((status) => [RANK[status], status]),
);
const DIGEST_BYTES = 16;
const BUCKET_BYTES = 4;

export function encode(message: Message): Uint8Array {
  const writer = new Writer().byte(KINDS.indexOf(message.kind));
  writeBody(writer, message);
  return writer.bytes();
}

/** The message, or why the bytes are none. */
export function decode(
  bytes: Uint8Array,
): Message | { readonly kind: 'bad'; readonly reason: string } {
  try {
    const reader = new Reader(bytes);
    const kind = KINDS[reader.byte()];
    if (kind === undefined) return { kind: 'bad', reason: `has the unknown kind ${bytes[0]}` };
    return readBody(kind, reader);
  } catch (error) {
    if (error instanceof BadFrame) return { kind: 'bad', reason: error.message };
    throw error;
  }
}

function writeBody(w: Writer, m: Message): void {
  switch (m.kind) {
    case 'heartbeat':
      writeStatus(w.varint(m.seq).varint(m.echo), m.status, m.observes);
      return;
    case 'status':
      writeStatus(w, m.status, m.want);
      return;
    case 'patch':
      writeSeen(writePatch(w, m.patch), m.seen);
      return;
    case 'buckets':
      writeStatus(w, m.status, false);
      w.varint(m.buckets.length);
      for (const bucket of m.buckets) w.hex(bucket);
      return;
    case 'seedAsk':
    case 'seedAnswer':
      writeStanding(w, m.standing);
      return;
    case 'join':
      w.list(m.roles, (each, role) => each.text(role)).text(m.appVersion);
      return;
    case 'welcome':
    case 'introduce':
      writePatch(w.hex(m.token), m.patch);
      return;
    case 'joinRetry':
      w.varint(m.afterMs)
        .byte(m.freshUid ? 1 : 0)
        .list(m.ask, (each, address) => each.text(address));
      return;
    case 'joinRefused':
      w.byte(REFUSAL_CODES.indexOf(m.refusal.code)).text(m.refusal.message).text(m.refusal.by);
      return;
    case 'notMember':
      w.byte(m.removed ? 1 : 0).varint(m.epoch);
      return;
    case 'exitNoted':
      return;
    default:
      m satisfies never;
  }
}

function readBody(kind: Message['kind'], r: Reader): Message {
  switch (kind) {
    case 'heartbeat': {
      const [seq, echo] = [r.varint(), r.varint()];
      const { status, want: observes } = readStatus(r);
      return { kind, seq, echo, observes, status };
    }
    case 'status':
      return { kind, ...readStatus(r) };
    case 'patch':
      return { kind, patch: readPatch(r), seen: readSeen(r) };
    case 'buckets': {
      const { status } = readStatus(r);
      return { kind, status, buckets: readBuckets(r) };
    }
    case 'seedAsk':
    case 'seedAnswer':
      return { kind, standing: readStanding(r) };
    case 'join':
      return { kind, roles: readRoles(r), appVersion: readWord(r, 'application version') };
    case 'welcome':
    case 'introduce':
      return { kind, token: r.hex(TOKEN_BYTES), patch: readPatch(r) };
    case 'joinRetry':
      return {
        kind,
        afterMs: r.varint(),
        freshUid: r.byte() === 1,
        ask: readFew(r, 64, readAddress),
      };
    case 'joinRefused':
      return { kind, refusal: readRefusal(r) };
    case 'notMember':
      return { kind, removed: r.byte() === 1, epoch: r.varint() };
    case 'exitNoted':
      return { kind };
  }
}

const TOKEN_BYTES = 8;

function writeStatus(w: Writer, status: Status, want: boolean): void {
  const all = status.seen === 'all';
  w.byte((all ? ALL_SEEN : 0) | (want ? WANT : 0))
    .varint(status.epoch)
    .hex(status.digest);
  if (status.seen !== 'all') w.sized(status.seen);
}

function readStatus(r: Reader): { status: Status; want: boolean } {
  const flags = r.byte();
  const epoch = r.varint();
  const digest = readDigest(r);
  const seen: SeenBits = (flags & ALL_SEEN) !== 0 ? 'all' : r.sized().slice();
  return { status: { epoch, digest, seen }, want: (flags & WANT) !== 0 };
}

function writeSeen(w: Writer, seen: SeenBits): void {
  if (seen === 'all') w.byte(ALL_SEEN);
  else w.byte(0).sized(seen);
}

const readSeen = (r: Reader): SeenBits => ((r.byte() & ALL_SEEN) !== 0 ? 'all' : r.sized().slice());

const readDigest = (r: Reader): Digest => r.hex(DIGEST_BYTES) as Digest;

function readBuckets(r: Reader): string[] {
  const count = r.varint();
  if (count > 1_024) throw new BadFrame('has too many buckets');
  return Array.from({ length: count }, () => r.hex(BUCKET_BYTES));
}

function writePatch(w: Writer, patch: Patch): Writer {
  if (patch.base === null) w.byte(0);
  else w.byte(1).hex(patch.base);
  w.hex(patch.digest).text(patch.clusterId).varint(patch.epoch);
  w.list(patch.removed, (each, key) => each.text(key));
  w.list(patch.put, writeMember);
  w.list(patch.drop, (each, key) => each.text(key));
  return w.list(patch.buckets, (each, bucket) =>
    each.varint(bucket.index).list(bucket.members, writeMember),
  );
}

function readPatch(r: Reader): Patch {
  return {
    base: r.byte() === 0 ? null : readDigest(r),
    digest: readDigest(r),
    clusterId: readKey(r),
    epoch: r.varint(),
    removed: r.list(readKey),
    put: r.list(readMember),
    drop: r.list(readKey),
    buckets: r.list((each) => ({ index: each.varint(), members: each.list(readMember) })),
  };
}

/** Today's configuration, and the one before a promotion that is not committed. */
const LEASES_MAX = 2;
const UNWELL = 1;
const CUT_OFF = 2;

function writeMember(w: Writer, member: Member): void {
  const { row } = member;
  w.text(member.key)
    .byte(RANK[member.status])
    .varint(member.upNumber === null ? 0 : member.upNumber + 1);
  w.varint(row.version).byte((row.unwell ? UNWELL : 0) | (row.cutOff ? CUT_OFF : 0));
  w.list(row.unreachable, (each, key) => each.text(key));
  w.list(member.roles, (each, role) => each.text(role)).text(member.appVersion);
  const { leases = [] } = row;
  if (leases.length > 0) w.list(leases, (each, id) => each.hex(id));
}

function readMember(r: Reader): Member {
  const key = readKey(r);
  const status = STATUS_OF_RANK.get(r.byte());
  if (status === undefined) throw new BadFrame('has a member of unknown status');
  const upNumber = r.varint();
  const version = r.varint();
  const flags = r.byte();
  const unreachable = r.list(readKey);
  const roles = readRoles(r);
  const appVersion = readWord(r, 'application version');
  const leases = r.isAtEnd ? [] : readFew(r, LEASES_MAX, readDigest);
  const row = {
    version,
    unreachable,
    unwell: (flags & UNWELL) !== 0,
    cutOff: (flags & CUT_OFF) !== 0,
  };
  return {
    key,
    status,
    upNumber: upNumber === 0 ? null : upNumber - 1,
    row: leases.length > 0 ? { ...row, leases } : row,
    roles,
    appVersion,
  };
}

function readWord(r: Reader, what: string): string {
  const text = r.text(64);
  if (text !== '' && !isWord(text)) throw new BadFrame(`has a ${what} that is no word`);
  return text;
}

const readRoles = (r: Reader): string[] => readFew(r, ROLES_MAX, (each) => readWord(each, 'role'));

function readFew<T>(r: Reader, most: number, read: (reader: Reader) => T): T[] {
  const items = r.list(read);
  if (items.length > most) throw new BadFrame(`has a list of more than ${most} items`);
  return items;
}

function readAddress(r: Reader): string {
  const text = r.text(KEY_BYTES_MAX);
  if (!isAddress(text)) throw new BadFrame('has an address that is none');
  return text;
}

function readKey(r: Reader): NodeKey {
  const text = r.text(KEY_BYTES_MAX);
  if (!isUniqueAddress(text)) throw new BadFrame('has a unique address that is none');
  return text as NodeKey;
}

function writeStanding(w: Writer, standing: Standing): void {
  w.text(standing.clusterId ?? '').byte((standing.first ? 1 : 0) | (standing.loner ? 2 : 0));
  w.varint(standing.size).list(standing.acceptors, (each, key) => each.text(key));
}

function readStanding(r: Reader): Standing {
  const clusterId = r.text(KEY_BYTES_MAX);
  if (clusterId !== '' && !isUniqueAddress(clusterId))
    throw new BadFrame('has a cluster id that is none');
  const flags = r.byte();
  return {
    clusterId: clusterId === '' ? undefined : (clusterId as NodeKey),
    first: (flags & 1) !== 0,
    loner: (flags & 2) !== 0,
    size: r.varint(),
    acceptors: readFew(r, 64, readKey),
  };
}

function readRefusal(r: Reader): Refusal {
  const code = REFUSAL_CODES[r.byte()];
  if (code === undefined) throw new BadFrame('has an unknown refusal');
  return { code, message: r.text(), by: readAddress(r) };
}
