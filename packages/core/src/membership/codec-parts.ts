/**
 * What messages are made of, to bytes and back: statuses, states and their differences, standings. Whatever a
 * reader finds that cannot be is a BadFrame, which `codec.ts` turns into a reason.
 */
import {
  type Digest,
  type Member,
  type Status as MemberStatus,
  type NodeKey,
  type Patch,
  RANK,
} from '@rollcall/convergence';
import { BadFrame, type Reader, type Writer } from './bytes.js';
import { REFUSAL_CODES, type Refusal } from './hello.js';
import { isAddress, isUniqueAddress, isWord, KEY_BYTES_MAX, ROLES_MAX } from './member-facts.js';
import type { SeenBits, Standing, Status } from './message.js';

const ALL_SEEN = 1;
const WANT = 2;
const STATUS_OF_RANK = new Map(
  (Object.keys(RANK) as MemberStatus[]).map((status) => [RANK[status], status]),
);
const DIGEST_BYTES = 16;
const BUCKET_BYTES = 4;

export const TOKEN_BYTES = 8;

export function writeStatus(w: Writer, status: Status, want: boolean): void {
  const all = status.seen === 'all';
  w.byte((all ? ALL_SEEN : 0) | (want ? WANT : 0))
    .varint(status.epoch)
    .hex(status.digest);
  if (status.seen !== 'all') w.sized(status.seen);
}

export function readStatus(r: Reader): { status: Status; want: boolean } {
  const flags = r.byte();
  const epoch = r.varint();
  const digest = readDigest(r);
  const seen: SeenBits = (flags & ALL_SEEN) !== 0 ? 'all' : r.sized().slice();
  return { status: { epoch, digest, seen }, want: (flags & WANT) !== 0 };
}

export function writeSeen(w: Writer, seen: SeenBits): void {
  if (seen === 'all') w.byte(ALL_SEEN);
  else w.byte(0).sized(seen);
}

export const readSeen = (r: Reader): SeenBits =>
  (r.byte() & ALL_SEEN) !== 0 ? 'all' : r.sized().slice();

const readDigest = (r: Reader): Digest => r.hex(DIGEST_BYTES) as Digest;

export function readBuckets(r: Reader): string[] {
  const count = r.varint();
  if (count > 1_024) throw new BadFrame('has too many buckets');
  return Array.from({ length: count }, () => r.hex(BUCKET_BYTES));
}

export function writePatch(w: Writer, patch: Patch): Writer {
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

export function readPatch(r: Reader): Patch {
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
  const leases = r.isAtEnd ? [] : r.list(readDigest, LEASES_MAX);
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

export function readWord(r: Reader, what: string): string {
  const text = r.text(64);
  if (text !== '' && !isWord(text)) throw new BadFrame(`has a ${what} that is no word`);
  return text;
}

export const readRoles = (r: Reader): string[] =>
  r.list((each) => readWord(each, 'role'), ROLES_MAX);

export function readAddress(r: Reader): string {
  const text = r.text(KEY_BYTES_MAX);
  if (!isAddress(text)) throw new BadFrame('has an address that is none');
  return text;
}

export function readKey(r: Reader): NodeKey {
  const text = r.text(KEY_BYTES_MAX);
  if (!isUniqueAddress(text)) throw new BadFrame('has a unique address that is none');
  return text as NodeKey;
}

export function writeStanding(w: Writer, standing: Standing): void {
  w.text(standing.clusterId ?? '').byte((standing.first ? 1 : 0) | (standing.loner ? 2 : 0));
  w.varint(standing.size).list(standing.acceptors, (each, key) => each.text(key));
}

export function readStanding(r: Reader): Standing {
  const clusterId = r.text(KEY_BYTES_MAX);
  if (clusterId !== '' && !isUniqueAddress(clusterId))
    throw new BadFrame('has a cluster id that is none');
  const flags = r.byte();
  return {
    clusterId: clusterId === '' ? undefined : (clusterId as NodeKey),
    first: (flags & 1) !== 0,
    loner: (flags & 2) !== 0,
    size: r.varint(),
    acceptors: r.list(readKey, 64),
  };
}

export function readRefusal(r: Reader): Refusal {
  const code = REFUSAL_CODES[r.byte()];
  if (code === undefined) throw new BadFrame('has an unknown refusal');
  return { code, message: r.text(), by: readAddress(r) };
}
