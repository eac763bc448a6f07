/** SWIM's packets, to bytes and back. */
import {
  SWIM_INCARNATION_MAX,
  SWIM_MEMBERS_MAX,
  type SwimPacketKind,
  type SwimStatus,
} from '@rollcall/failure-detector';
import { BadFrame, type Reader, type Writer } from './bytes.js';
import { readKey } from './codec-parts.js';
import type { Message, SwimNews } from './message.js';

type SwimSaid = Extract<Message, { kind: 'swim' }>;

/** Numbers are never reused. */
const PACKETS = [
  'ping',
  'pingReq',
  'ack',
  'nack',
  'gossip',
  'sync',
  'syncReply',
] as const satisfies readonly SwimPacketKind[];
const STATUSES = ['alive', 'suspect', 'dead', 'left'] as const satisfies readonly SwimStatus[];
const UNWELL = 4;
const OWN_WORD = 8;

export function writeSwim(w: Writer, { packet, seq, target, updates }: SwimSaid): void {
  w.byte(PACKETS.indexOf(packet))
    .varint(seq)
    .text(target ?? '');
  w.list(updates, (each, { status, subject, incarnation, from, unwell }) => {
    const isOwnWord = from === subject;
    const flags = (unwell ? UNWELL : 0) | (isOwnWord ? OWN_WORD : 0);
    each
      .byte(STATUSES.indexOf(status) | flags)
      .varint(incarnation)
      .text(subject);
    if (!isOwnWord) each.text(from);
  });
}

export function readSwim(r: Reader): SwimSaid {
  const packet = PACKETS[r.byte()];
  if (packet === undefined) throw new BadFrame('has an unknown packet of SWIM');
  const seq = r.varint();
  const isAboutAnother = packet === 'pingReq';
  const target = isAboutAnother ? readKey(r) : readNothing(r);
  return { kind: 'swim', packet, seq, target, updates: r.list(readNews, SWIM_MEMBERS_MAX) };
}

function readNothing(r: Reader): undefined {
  if (r.text() !== '') throw new BadFrame('has a target where there is none');
}

function readNews(r: Reader): SwimNews {
  const flags = r.byte();
  const status = STATUSES[flags & 3];
  const incarnation = r.varint();
  if (incarnation > SWIM_INCARNATION_MAX)
    throw new BadFrame('has an incarnation that nobody can have');
  const subject = readKey(r);
  const from = (flags & OWN_WORD) === 0 ? readKey(r) : subject;
  if (status === undefined) throw new BadFrame('has news of an unknown status');
  return { status, subject, incarnation, from, unwell: (flags & UNWELL) !== 0 };
}
