/**
 * One observer's verdicts: silence of an observed member that lasts too long turns into an accusation
 * in this node's row, a sign of life takes it back. Whom to observe follows from the rings; a member
 * that is accused stays observed.
 */
import {
  addressOf,
  compareKeys,
  isAnybodyNamed,
  type NodeKey,
  neighbours,
  setRow,
} from '@rollcall/convergence';
import { QosMeter } from '@rollcall/failure-detector';
import { commit } from './commit.js';
import type { Node } from './node.js';
import { isNodeCutOff, needsWays } from './own-reach.js';

/** How many this node may have lost and still look past them on its own account. */
const LOST_MAX = 64;

/**
 * Brings the observed set in line with the state; the rings lead past those that are accused, and past
 * those that this node has lost, accused or not: nobody need agree that it has to look further. New ones
 * are expected to speak within `detector.firstReply`.
 */
export function observe(node: Node, nowMs: number): void {
  const { state } = node;
  const accused = new Set(node.accusations.accused);
  accused.delete(node.self);
  const electorate = state.electorateKeys;
  for (const key of node.lost) if (!node.isLiveHere(key)) node.lost.delete(key);
  // One that hears nobody would come by everybody in turn.
  if (node.lost.size <= LOST_MAX) for (const key of node.lost) accused.add(key);
  const isInNeed = isAnybodyNamed(state) && needsWays(node);
  const about = `${isInNeed} ${[...accused, ...node.verdicts].join(' ')}`;
  if (node.observedFor?.electorate === electorate && node.observedFor.about === about) return;
  node.observedFor = { electorate, about };
  const targets = new Set(neighbours(state, node.self, node.rules.rings, accused));
  for (const key of node.verdicts) {
    if (node.isLiveHere(key)) targets.add(key);
    else node.verdicts.delete(key);
  }
  if (isInNeed) keepWays(node, targets);
  for (const key of node.observed) {
    if (targets.has(key)) continue;
    forget(node, key);
    node.peer(key).qos = undefined;
  }
  for (const key of targets) {
    if (node.peer(key).observedSinceMs !== undefined) continue;
    node.peer(key).observedSinceMs = nowMs;
    node.peer(key).qos = new QosMeter(nowMs);
    node.guests.delete(key);
    node.detectors.expect(key, nowMs, node.settings.detector.firstReply);
  }
  node.observed = [...targets];
  node.haveNeedsChanged = true;
  armVerdict(node, nowMs);
}

/**
 * A way past others that is heard stays while this node would be cut off without it. Whom the others accuse,
 * and so where its rings lead, depends on its own flag: given up at once the way would come and go with it.
 */
function keepWays(node: Node, targets: Set<NodeKey>): void {
  const most = targets.size + LOST_MAX;
  for (const key of node.observed) {
    if (targets.size >= most) return;
    if (node.detectors.isHeard(key) && node.isLiveHere(key)) targets.add(key);
  }
}

function forget(node: Node, key: NodeKey): void {
  node.peer(key).observedSinceMs = undefined;
  node.detectors.remove(key);
}

/** A sign of life of an observed member. */
export function heardFrom(node: Node, key: NodeKey, nowMs: number): void {
  const peer = node.peer(key);
  const isInGrace = nowMs < peer.graceUntilMs;
  node.detectors.heartbeat(key, nowMs, !isInGrace);
  peer.excusedMs = 0;
  peer.graceUntilMs = Number.NEGATIVE_INFINITY;
  node.lost.delete(key);
  const wasHeld = node.verdicts.delete(key);
  // What a node without a quorum held against others was its own trouble, and counted for nobody.
  if (wasHeld && node.me?.row.cutOff === true) peer.qos?.dropped(nowMs);
  else if (wasHeld) peer.qos?.mistaken(nowMs);
  peer.qos?.heard(nowMs);
  if (wasHeld) publishRow(node, nowMs, `${addressOf(key)} is heard again`);
}

/** Judges every silence now. Verdicts do not worsen for a subject whose silence this node's own pause may explain. */
export function judgeSilences(node: Node, nowMs: number): void {
  const convicted: NodeKey[] = [];
  for (const key of node.observed) {
    if (node.verdicts.has(key) || node.detectors.isAvailable(key, nowMs)) continue;
    if (nowMs < node.peer(key).graceUntilMs) continue;
    convict(node, key, nowMs);
    convicted.push(key);
    dropSilent(node, key);
  }
  if (convicted.length > 0)
    publishRow(node, nowMs, `nothing heard of ${convicted.map(addressOf).join(', ')}`);
  armVerdict(node, nowMs);
}

function convict(node: Node, key: NodeKey, nowMs: number): void {
  node.verdicts.add(key);
  node.lost.add(key);
  node.peer(key).qos?.suspected(nowMs);
}

/** Data in flight keeps a dead connection alive for long: a link dialled anew is heard as soon as the network heals. */
function dropSilent(node: Node, key: NodeKey): void {
  if (node.peer(key).linked) node.out.push({ kind: 'drop', peer: key, reason: 'silent' });
}

/** The run behind that address was replaced by another: no silence needs to pass. */
export function convictReplaced(node: Node, key: NodeKey, nowMs: number): void {
  if (!node.observed.includes(key) || node.verdicts.has(key)) return;
  convict(node, key, nowMs);
  publishRow(node, nowMs, `another run answers at ${addressOf(key)}`);
}

/** When this node convicts a member that it does not hear until then; Infinity while it expects nothing of it. */
export function verdictDueMs(node: Node, key: NodeKey): number {
  const atMs = node.detectors.get(key)?.unavailableAtMs() ?? Number.POSITIVE_INFINITY;
  return Math.max(atMs, node.peers.get(key)?.graceUntilMs ?? Number.NEGATIVE_INFINITY);
}

function armVerdict(node: Node, nowMs: number): void {
  let dueMs = Number.POSITIVE_INFINITY;
  for (const key of node.observed) {
    if (node.verdicts.has(key)) continue;
    dueMs = Math.min(dueMs, verdictDueMs(node, key));
  }
  // A late timer finds a later due time and arms anew, so a heartbeat costs no timer.
  if (dueMs < Number.POSITIVE_INFINITY) node.armBy('verdict', nowMs, Math.max(dueMs, nowMs + 1));
}

/**
 * Writes this node's row: its verdicts and its flags. A node that sees no quorum says `cutOff`, so
 * that nothing it holds against others counts; on contact it drops all of it and earns accusations
 * anew from fresh silence.
 */
export function publishRow(node: Node, nowMs: number, why: string): void {
  if (node.replica === undefined || !node.isMember) return;
  const wasCutOff = node.me?.row.cutOff ?? false;
  const isCut = isNodeCutOff(node);
  if (wasCutOff && !isCut) startAfresh(node, nowMs);
  const unreachable = [...node.verdicts].sort(compareKeys);
  const unwell = nowMs < node.unwellUntilMs;
  commit(node, setRow(node.replica, { unreachable, unwell, cutOff: isCut }), why);
}

function startAfresh(node: Node, nowMs: number): void {
  for (const key of node.verdicts) {
    forget(node, key);
    node.peer(key).qos?.dropped(nowMs);
    node.peer(key).observedSinceMs = nowMs;
    node.detectors.expect(key, nowMs, node.settings.detector.firstReply);
  }
  node.verdicts.clear();
  node.observedFor = undefined;
}
