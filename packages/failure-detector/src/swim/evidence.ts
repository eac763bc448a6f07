/**
 * What a piece of news means. What is held about a member only grows: first by incarnation, then from
 * alive over suspect and dead to left. So news may come twice, late and in any order, and nothing that
 * was overtaken comes back. Only what changed something is passed on.
 */
import { Suspicion } from './suspicion.js';
import type { SwimMemberId, SwimStatus, SwimUpdate } from './swim-message.js';
import { type Peer, SWIM_INCARNATION_MAX, SWIM_MEMBERS_MAX, type SwimNode } from './swim-node.js';

/** Takes in one update from a packet. */
export function accept(node: SwimNode, update: SwimUpdate, nowMs: number): void {
  const peer = node.peers[update.subject];
  if (peer === undefined) {
    meet(node, update, nowMs);
    return;
  }
  if (peer.news === update || update.incarnation < peer.incarnation) return;
  if (peer.id === node.self) aboutSelf(node, peer, update, nowMs);
  else if (update.incarnation > peer.incarnation) takeUp(node, peer, update, nowMs);
  else if (update.status === 'suspect') suspectAgain(node, peer, update, nowMs);
  else if (isWorse(update.status, peer.status)) takeUp(node, peer, update, nowMs);
}

/** Only who is alive is worth meeting; others' bad news about strangers says nothing. */
function meet(node: SwimNode, update: SwimUpdate, nowMs: number): void {
  const { subject, status, incarnation, from } = update;
  if (status !== 'alive' || !isMemberId(subject)) return;
  node.add(update, nowMs);
  node.out.push({ kind: 'verdict', member: subject, status, incarnation, from });
  node.spread(update, nowMs);
}

/**
 * Its owner tells this node that somebody exists, perhaps without knowing more. With the first of them
 * there is somebody to tell that this node exists; the rest is for each to say of itself.
 */
export function introduce(
  node: SwimNode,
  subject: SwimMemberId,
  incarnation: number,
  nowMs: number,
): void {
  if (node.peers[subject] !== undefined || !isMemberId(subject)) return;
  if (node.known.length === 1) node.spread((node.peers[node.self] as Peer).news, nowMs);
  const from = node.self;
  node.add({ status: 'alive', subject, incarnation, from, unwell: false }, nowMs);
  node.out.push({ kind: 'verdict', member: subject, status: 'alive', incarnation, from });
}

const isMemberId = (id: SwimMemberId): boolean =>
  Number.isInteger(id) && id >= 0 && id < SWIM_MEMBERS_MAX;

/** At one incarnation. */
function isWorse(status: SwimStatus, than: SwimStatus): boolean {
  if (status === 'left') return than !== 'left';
  return status === 'dead' && (than === 'alive' || than === 'suspect');
}

/** It is news, of a higher incarnation or worse. */
function takeUp(node: SwimNode, peer: Peer, update: SwimUpdate, nowMs: number): void {
  if (peer.isForgotten && (update.status === 'alive' || update.status === 'suspect')) {
    peer.isForgotten = false;
    node.remember(peer.id);
  }
  acquit(node, peer);
  if (update.status === 'suspect') suspect(node, peer, update, nowMs);
  else node.hold(peer, update, nowMs);
}

/** Ends a suspicion, whichever way. */
function acquit(node: SwimNode, peer: Peer): void {
  if (peer.suspicion === undefined) return;
  peer.suspicion = undefined;
  node.suspicions.delete(peer.id);
}

function suspect(node: SwimNode, peer: Peer, update: SwimUpdate, nowMs: number): void {
  peer.suspicion = new Suspicion(node.options, node.known.length, update.from, nowMs);
  node.suspicions.set(peer.id, peer.suspicion.deadlineMs(node.scale));
  node.hold(peer, update, nowMs);
}

/** Suspected at the very incarnation that is held: the first to say so, one more, or too late. */
function suspectAgain(node: SwimNode, peer: Peer, update: SwimUpdate, nowMs: number): void {
  const { suspicion } = peer;
  if (peer.status === 'alive') suspect(node, peer, update, nowMs);
  if (suspicion === undefined) return;
  if (node.options.weighAccusers && update.unwell) return;
  if (!suspicion.confirm(update.from)) return;
  const { graceMs } = node.options;
  if (graceMs > 0) suspicion.grant(graceMs, node.scale, nowMs);
  node.suspicions.set(peer.id, suspicion.deadlineMs(node.scale));
  node.hold(peer, update, nowMs);
}

/** Whatever is said of this node at its own incarnation or above is contradicted by a higher one. */
function aboutSelf(node: SwimNode, self: Peer, update: SwimUpdate, nowMs: number): void {
  const isOwnWord = update.status === 'alive' && update.incarnation === self.incarnation;
  if (node.isLeaving || isOwnWord) return;
  const incarnation = Math.min(update.incarnation + 1, SWIM_INCARNATION_MAX);
  changeHealth(node, 1);
  const from = node.self;
  node.hold(self, { status: 'alive', subject: from, incarnation, from, unwell: false }, nowMs);
}

/** A probe of this node's own has failed. */
export function accuse(node: SwimNode, peer: Peer, nowMs: number): void {
  const status = node.options.onFailure === 'death' ? 'dead' : 'suspect';
  accept(node, newsOf(node, peer, status), nowMs);
}

/**
 * A suspect's time seems to be up. Patience is asked for again, because health may have become worse since.
 * When it becomes better no deadline moves forward: a node that has just come back would convict at
 * once those who are about to object.
 */
export function onPatienceDue(node: SwimNode, peer: Peer, nowMs: number): void {
  const deadlineMs = (peer.suspicion as Suspicion).deadlineMs(node.scale);
  if (deadlineMs > nowMs) {
    node.suspicions.set(peer.id, deadlineMs);
    return;
  }
  acquit(node, peer);
  node.hold(peer, newsOf(node, peer, 'dead'), nowMs);
}

/** What this node itself says of a member at the incarnation it holds. */
export function newsOf(node: SwimNode, peer: Peer, status: SwimStatus): SwimUpdate {
  const { id: subject, incarnation } = peer;
  return { status, subject, incarnation, from: node.self, unwell: node.isUnwell };
}

/** Lifeguard's score. */
export function changeHealth(node: SwimNode, by: number): void {
  node.score = Math.min(Math.max(node.score + by, 0), node.options.healthMax);
}
