/**
 * Messages to bytes and back. Everything that arrives is checked against its schema here; what does
 * not fit is a reason, never a throw and never a partial message. A reader ignores fields appended
 * by a later version.
 */
import { BadFrame, Reader, Writer } from './bytes.js';
import {
  readAddress,
  readBuckets,
  readKey,
  readPatch,
  readRefusal,
  readRoles,
  readSeen,
  readStanding,
  readStatus,
  readWord,
  TOKEN_BYTES,
  writePatch,
  writeSeen,
  writeStanding,
  writeStatus,
} from './codec-parts.js';
import { REFUSAL_CODES } from './hello.js';
import type { Message } from './message.js';
import { readSwim, writeSwim } from './swim-codec.js';

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
  'probe',
  'probeFor',
  'probed',
  'swim',
] as const satisfies readonly Message['kind'][];

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
    case 'probe':
      w.varint(m.round);
      return;
    case 'probeFor':
      w.varint(m.round).varint(m.withinMs).text(m.subject);
      return;
    case 'probed':
      w.varint(m.round)
        .byte(m.found ? 1 : 0)
        .text(m.subject);
      return;
    case 'swim':
      writeSwim(w, m);
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
        ask: r.list(readAddress, 64),
      };
    case 'joinRefused':
      return { kind, refusal: readRefusal(r) };
    case 'notMember':
      return { kind, removed: r.byte() === 1, epoch: r.varint() };
    case 'exitNoted':
      return { kind };
    case 'probe':
      return { kind, round: r.varint() };
    case 'probeFor':
      return { kind, round: r.varint(), withinMs: r.varint(), subject: readKey(r) };
    case 'probed':
      return { kind, round: r.varint(), found: r.byte() === 1, subject: readKey(r) };
    case 'swim':
      return readSwim(r);
  }
}
