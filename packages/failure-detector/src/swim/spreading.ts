/**
 * How news gets about beside riding on probes: gossip rounds while there is any, a comparison of
 * everything with one member now and then, and calls to the dead, who may be alive beyond a split.
 */
import { accept, newsOf } from './evidence.js';
import type { SwimMemberId, SwimPacket, SwimUpdate } from './swim-message.js';
import { type Peer, pick, type SwimNode } from './swim-node.js';

/** A few members get what waits; each packet counts as one transmission. */
export function onGossipRound(node: SwimNode, nowMs: number): void {
  const { gossipFanout, gossipIntervalMs } = node.options;
  for (const id of pick(node, gossipFanout, hearsGossip, nowMs, node.self)) {
    const updates = node.cargo();
    if (updates.length === 0) break;
    node.send('gossip', id, 0, node.self, updates);
  }
  node.gossipAtMs += gossipIntervalMs;
  if (node.gossipAtMs <= nowMs) node.gossipAtMs = nowMs + gossipIntervalMs;
  if (node.queue.size === 0) node.gossipAtMs = Number.POSITIVE_INFINITY;
}

/** The dead too, for a while: who is held dead wrongly must hear of it to object. */
function hearsGossip(peer: Peer, node: SwimNode, nowMs: number, self: SwimMemberId): boolean {
  if (peer.id === self || peer.status === 'left') return false;
  return peer.status !== 'dead' || nowMs - peer.changedAtMs < node.options.gossipToDeadMs;
}

/** Everything that is held, compared with one random member; rarer in a large cluster. */
export function onSyncDue(node: SwimNode, nowMs: number): void {
  node.syncAtMs = nowMs + syncIntervalMs(node.options.syncIntervalMs, node.known.length);
  for (const id of pick(node, 1, isAlive, nowMs, node.self)) {
    node.send('sync', id, 0, node.self, everything(node));
  }
}

const isAlive = ({ id, status }: Peer, _: SwimNode, __: number, self: SwimMemberId) =>
  status === 'alive' && id !== self;

function syncIntervalMs(baseMs: number, members: number): number {
  return members <= 32 ? baseMs : baseMs * (Math.ceil(Math.log2(members) - 5) + 1);
}

export function onSync(node: SwimNode, { from }: SwimPacket): void {
  node.send('syncReply', from, 0, node.self, everything(node));
}

function everything(node: SwimNode): readonly SwimUpdate[] {
  return node.known.map((id) => (node.peers[id] as Peer).news);
}

/**
 * Accusations that come by sync are this node's own suspicions from here on: they add no accuser, and the
 * dead are suspects first, with time to object.
 */
export function acceptSynced(node: SwimNode, update: SwimUpdate, nowMs: number): void {
  const { status, subject } = update;
  if (status === 'alive' || status === 'left') return accept(node, update, nowMs);
  if (subject === node.self) return accept(node, update, nowMs);
  const peer = node.peers[subject];
  if (peer?.status === 'suspect' && peer.incarnation === update.incarnation) return;
  const { self: from, isUnwell: unwell } = node;
  accept(
    node,
    { status: 'suspect', subject, incarnation: update.incarnation, from, unwell },
    nowMs,
  );
}

/** One that is held dead has spoken: it hears what is held, and can object with a higher incarnation. */
export function answerTheDead(node: SwimNode, from: SwimMemberId, nowMs: number): void {
  const peer = node.peers[from];
  if (peer?.status !== 'dead' || nowMs - peer.toldAtMs < node.options.probeIntervalMs) return;
  peer.toldAtMs = nowMs;
  node.send('gossip', from, 0, node.self, [peer.news]);
}

/**
 * Whoever says bad things of this node hears what it says of itself. It may have missed an objection of
 * long ago, or be beyond the reach of gossip.
 */
export function answerAccusers(node: SwimNode, packet: SwimPacket, nowMs: number): void {
  const isAbout = ({ subject, status }: SwimUpdate) => subject === node.self && status !== 'alive';
  const peer = node.peers[packet.from];
  if (node.isLeaving || peer === undefined || !packet.updates.some(isAbout)) return;
  if (nowMs - peer.objectedAtMs < node.options.probeIntervalMs) return;
  peer.objectedAtMs = nowMs;
  node.send('gossip', peer.id, 0, node.self, [(node.peers[node.self] as Peer).news]);
}

/** Calls one of the dead, forgotten or not: if it answers, the two sides of a split find each other again. */
export function onRecallDue(node: SwimNode, nowMs: number): void {
  node.recallAtMs = nowMs + node.options.recallDeadMs;
  const dead = node.peers.filter((peer) => peer?.status === 'dead');
  const peer = dead[node.below(dead.length)];
  if (peer !== undefined) node.send('gossip', peer.id, 0, node.self, [peer.news]);
}

/** This node goes: said once at its own incarnation, and above whatever is said of it. */
export function onLeave(node: SwimNode, nowMs: number): void {
  if (node.isLeaving) return;
  node.isLeaving = true;
  const self = node.peers[node.self] as Peer;
  node.hold(self, newsOf(node, self, 'left'), nowMs);
}
