/**
 * Heartbeats: one frame to each observed member per interval, and what an arriving one means. It
 * feeds the sender's detector (unless the sender no longer hears us) and carries its digest.
 */
import type { NodeKey } from '@rollcall/convergence';
import { accepts } from './acceptance.js';
import { noteBeat } from './damping.js';
import { onStatus, statusOf } from './gossip.js';
import type { Message } from './message.js';
import type { Node } from './node.js';
import { reviewOutcomes } from './outcomes.js';
import { noteInterval } from './own-health.js';
import { settleFlags } from './row.js';
import { heardFrom, judgeSilences, releaseSteady } from './verdict.js';

type Heartbeat = Extract<Message, { kind: 'heartbeat' }>;

/** One interval has passed. */
export function onTick(node: Node, nowMs: number): void {
  if (!node.isMember) return;
  noteInterval(node, nowMs - node.tickDueMs);
  settleFlags(node, nowMs);
  judgeSilences(node, nowMs);
  releaseSteady(node, nowMs);
  reviewOutcomes(node, nowMs);
  forgetStrangers(node);
  const status = statusOf(node);
  const observed = new Set(node.observed);
  for (const key of listeners(node, nowMs)) {
    const peer = node.peer(key);
    const [seq, echo, observes] = [peer.sending(nowMs), peer.seqIn, observed.has(key)];
    node.send(key, { kind: 'heartbeat', seq, echo, observes, status }, 'heartbeat');
  }
  armTick(node, nowMs, node.settings.heartbeat.interval);
}

/** The next heartbeats are due `afterMs` from now. */
export function armTick(node: Node, nowMs: number, afterMs: number): void {
  node.tickDueMs = nowMs + afterMs;
  node.arm('tick', nowMs, afterMs);
}

/** Notes are kept on members and on those that are linked. */
function forgetStrangers(node: Node): void {
  for (const peer of node.peers.values()) {
    if (!peer.linked && !node.state.has(peer.key)) node.peers.delete(peer.key);
  }
}

/** Two heartbeats of a guest may be lost before it is taken for gone. */
const GUEST_INTERVALS = 3;

/** Those this node observes, and guests: members that observe it though it does not observe them, while they keep coming. */
function* listeners(node: Node, nowMs: number): Iterable<NodeKey> {
  yield* node.observed;
  const staleMs = GUEST_INTERVALS * node.settings.heartbeat.interval;
  for (const [guest, heardMs] of node.guests) {
    if (nowMs - heardMs > staleMs || !node.isLiveHere(guest)) node.guests.delete(guest);
    else yield guest;
  }
}

/**
 * Does it observe this node, though this node does not observe it? Their states may differ, or it holds this
 * node unreachable, or keeps a way past others. It has to say so: two that answer whoever comes would
 * answer each other for ever.
 */
const isGuest = (node: Node, from: NodeKey, { observes }: Heartbeat): boolean =>
  observes && (node.guests.has(from) || node.guests.size < node.settings.limits.guestLinks);

export function onHeartbeat(node: Node, from: NodeKey, beat: Heartbeat, nowMs: number): void {
  if (!accepts(node, from, null, beat.status.epoch, nowMs)) return;
  const peer = node.peer(from);
  const lost = peer.lostBefore(beat.seq);
  const isSign = peer.acceptBeat(beat.seq, beat.echo, nowMs, node.settings.heartbeat.interval);
  if (node.observed.includes(from)) {
    noteBeat(node, from, lost, isSign, nowMs);
    if (isSign) heardFrom(node, from, nowMs);
  } else if (isGuest(node, from, beat)) {
    node.guests.set(from, nowMs);
  }
  onStatus(node, from, beat.status, false, nowMs);
}
