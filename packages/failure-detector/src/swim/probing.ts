/**
 * The probe: one member at a time, in the order of a shuffle that is drawn anew each round. First a
 * ping, then helpers, then an accusation. What it says about this node's own health is applied before
 * the accusation is made, so that it counts for the suspicion that it leads to.
 */
import { accuse, changeHealth } from './evidence.js';
import type { SwimMemberId, SwimPacket } from './swim-message.js';
import { type Peer, pick, type SwimNode } from './swim-node.js';

/** The ticker. A probe that is under way is not interrupted. */
export function onTick(node: SwimNode, nowMs: number): void {
  const { probeIntervalMs } = node.options;
  node.tickAtMs += probeIntervalMs;
  // After a long pause one tick is enough.
  if (node.tickAtMs <= nowMs) node.tickAtMs = nowMs + probeIntervalMs;
  if (node.probe.isUnderWay) node.missedTick = true;
  else begin(node, nowMs);
}

function begin(node: SwimNode, nowMs: number): void {
  node.missedTick = false;
  if (node.isLeaving) return;
  const peer = nextInRound(node, nowMs);
  if (peer === undefined) return;
  const { probeIntervalMs, probeTimeoutMs, tellSuspect } = node.options;
  const endMs = nowMs + probeIntervalMs * (node.score + 1);
  node.probe.begin(peer.id, nowMs + probeTimeoutMs, endMs);
  const tellsIt = tellSuspect && peer.status === 'suspect';
  const updates = tellsIt ? [peer.news] : node.rider();
  node.send('ping', peer.id, node.probe.ownSeq, node.self, updates);
}

/** Whose turn it is. A round that is through is shuffled anew, without those that are long dead. */
function nextInRound(node: SwimNode, nowMs: number): Peer | undefined {
  for (let left = node.round.length; left > 0; left--) {
    if (node.roundAt >= node.round.length) newRound(node, nowMs);
    const peer = node.peers[node.round[node.roundAt++] as SwimMemberId];
    if (peer !== undefined && peer.id !== node.self && !peer.isGone) return peer;
  }
  return undefined;
}

function newRound(node: SwimNode, nowMs: number): void {
  forgetTheDead(node, nowMs);
  const { round } = node;
  node.roundAt = 0;
  for (let last = round.length - 1; last > 0; last--) {
    const other = node.below(last + 1);
    const id = round[last] as SwimMemberId;
    round[last] = round[other] as SwimMemberId;
    round[other] = id;
  }
}

/** They cost no more probes and no room in a sync; what they were last is kept. */
function forgetTheDead(node: SwimNode, nowMs: number): void {
  const { known, peers, round, options } = node;
  let kept = 0;
  for (const id of known) {
    const peer = peers[id] as Peer;
    if (id !== node.self && peer.isGone && nowMs - peer.changedAtMs >= options.forgetDeadMs) {
      peer.isForgotten = true;
    } else known[kept++] = id;
  }
  if (kept === known.length) return;
  known.length = kept;
  round.length = 0;
  for (const id of known) round.push(id);
}

/** The direct answer is late, or the helpers' are. */
export function onProbeDue(node: SwimNode, nowMs: number): void {
  if (node.probe.askedHelpers) onFailed(node, nowMs);
  else askHelpers(node, nowMs);
}

function askHelpers(node: SwimNode, nowMs: number): void {
  const { probe, options } = node;
  const chosen = pick(node, options.helpers, isHelper, nowMs, probe.target);
  for (const helper of chosen) {
    node.send('pingReq', helper, probe.ownSeq, probe.target, node.rider());
  }
  probe.askedHelpers = true;
  probe.helpers = chosen.length;
  probe.dueMs = probe.endMs;
}

const isHelper = ({ id, status }: Peer, { self }: SwimNode, _: number, target: SwimMemberId) =>
  status === 'alive' && id !== self && id !== target;

/**
 * Helpers that said they got no answer speak against the target; those that said nothing speak against
 * this node, which may be the one that nobody hears.
 */
function onFailed(node: SwimNode, nowMs: number): void {
  const { probe, options } = node;
  const silent = options.nacks && probe.helpers > 0 ? probe.helpers - probe.nacks : 1;
  changeHealth(node, silent);
  node.probesEnded++;
  node.probesFailed++;
  const target = node.peers[probe.target] as Peer;
  probe.end();
  if (options.onFailure !== 'nothing' && !target.isGone) accuse(node, target, nowMs);
  goOn(node, nowMs);
}

/** An answer to a probe of this node, direct or by a helper, or to one it relays. */
export function onAck(node: SwimNode, packet: SwimPacket, nowMs: number): void {
  const { probe } = node;
  if (probe.isUnderWay && packet.seq === probe.ownSeq) {
    changeHealth(node, -1);
    node.probesEnded++;
    probe.end();
    goOn(node, nowMs);
    return;
  }
  const relay = node.relays.answered(packet.seq, packet.from);
  if (relay === undefined) return;
  node.send('ack', relay.requester, relay.requesterSeq, node.self, node.rider());
}

export function onNack(node: SwimNode, { seq }: SwimPacket): void {
  const { probe } = node;
  if (probe.isUnderWay && seq === probe.ownSeq && probe.nacks < probe.helpers) probe.nacks++;
}

/** A probe has ended; if its length has cost a tick, the next one begins now or at the next. */
function goOn(node: SwimNode, nowMs: number): void {
  if (node.missedTick && node.options.cadence === 'atOnce') begin(node, nowMs);
  else node.missedTick = false;
}

/** This process was away: what it did not hear while away is nobody's fault. */
export function abandonProbe(node: SwimNode): void {
  node.probe.end();
  node.missedTick = false;
}

/** Somebody asks this node to try. */
export function onPingReq(node: SwimNode, packet: SwimPacket, nowMs: number): void {
  const { from: requester, seq: requesterSeq, target } = packet;
  if (target === node.self) {
    node.send('ack', requester, requesterSeq, node.self, node.rider());
    return;
  }
  const { nackAfterMs, probeIntervalMs } = node.options;
  const seq = node.probe.nextSeq();
  const forgetAtMs = nowMs + Math.max(nackAfterMs, probeIntervalMs);
  const nackAtMs = nowMs + nackAfterMs;
  node.relays.add({ seq, requester, requesterSeq, target, nackAtMs, forgetAtMs }, nowMs);
  node.send('ping', target, seq, node.self, node.rider());
}

/** The target has not answered this node in time. */
export function onRelayDue(node: SwimNode): void {
  const relay = node.relays.takeDue();
  if (relay === undefined || !node.options.nacks) return;
  node.send('nack', relay.requester, relay.requesterSeq, node.self, node.rider());
}
