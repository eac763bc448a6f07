/**
 * One observer's verdicts: silence of an observed member that lasts too long, and that others asked to look
 * find no end of, turns into an accusation in this node's row; a sign of life takes it back. A member that
 * is accused stays observed.
 */
import { addressOf, type NodeKey } from '@rollcall/convergence';
import { isDamped, isFaintest, noteConvicted, noteTakenBack } from './damping.js';
import type { Message } from './message.js';
import type { Node } from './node.js';
import { observeAnew } from './observation.js';
import { beginRound, endRound, hastenRound, passOnProbed } from './probe.js';
import type { ProbeRound } from './probe-round.js';
import { publishRow } from './row.js';
import { isHeldDead, isSwim, onContactBeside } from './swim-evidence.js';
import {
  armVerdict,
  deservesVerdict,
  isCastWorth,
  isHeardAtPace,
  isLinkDead,
  roundAbout,
  roundDueMs,
  verdictDueMs,
} from './verdict-due.js';

/** Longest pause between two rounds about a verdict that stands: a dead member costs its observers a few frames a minute. */
const RECONSIDER_MAX_MS = 30_000;

/** A sign of life of an observed member: a heartbeat, or the answer to a probe. */
export function heardFrom(node: Node, key: NodeKey, nowMs: number, isHeartbeat = true): void {
  const peer = node.peer(key);
  const isInGrace = nowMs < peer.graceUntilMs;
  noteOwed(node, key, nowMs);
  if (isHeartbeat) {
    // Patience that grows with what is lost would in the end call any link good.
    const isWorthLearning = !isInGrace && nowMs >= node.learnsAgainAtMs && !isFaintest(node, key);
    node.detectors.heartbeat(key, nowMs, isWorthLearning);
  } else node.detectors.contact(key, nowMs);
  peer.excusedMs = 0;
  peer.graceUntilMs = Number.NEGATIVE_INFINITY;
  endRound(node, key, nowMs);
  peer.isReplaced = false;
  node.lost.delete(key);
  if (node.silent.delete(key)) node.haveOwnNews = true;
  if (peer.vouchedAtMs !== undefined) linkMended(node, key, nowMs);
  if (isSwim(node.settings)) onContactBeside(node, key, nowMs);
  else if (node.verdicts.has(key) && !isDamped(node, key))
    takeBack(node, key, nowMs, 'is heard again');
  // Last: a verdict that is dropped makes the gap it fell into nobody's.
  if (isHeartbeat) peer.qos?.heard(nowMs);
}

function takeBack(node: Node, key: NodeKey, nowMs: number, why: string): void {
  const { qos } = node.peer(key);
  node.verdicts.delete(key);
  // What a node without a quorum held against others was its own trouble, and counted for nobody.
  if (node.me?.row.cutOff === true) qos?.dropped(nowMs);
  else qos?.mistaken(nowMs);
  noteTakenBack(node, key, nowMs);
  publishRow(node, nowMs, `${addressOf(key)} ${why}`);
}

/**
 * A go-between that is heard at its pace and has left a question unanswered for an interval: Lifeguard's sign of own
 * trouble. One that was silent in between may have been away itself.
 */
function noteOwed(node: Node, key: NodeKey, nowMs: number): void {
  const peer = node.peer(key);
  if (peer.owesSinceMs === undefined) return;
  if (nowMs - peer.owesSinceMs < node.settings.heartbeat.interval) return;
  peer.owesSinceMs = undefined;
  if (isHeardAtPace(node, key, nowMs)) node.health.worsen();
}

/** Judges every silence now. Verdicts do not worsen for a subject whose silence this node's own pause may explain. */
export function judgeSilences(node: Node, nowMs: number): void {
  if (isSwim(node.settings)) return judgeBySwim(node, nowMs);
  const convicted: NodeKey[] = [];
  for (const key of node.observed) {
    const dueMs = verdictDueMs(node, key);
    if (node.verdicts.has(key)) {
      reconsider(node, key, dueMs, nowMs);
      continue;
    }
    const askMs = roundDueMs(node, key, dueMs);
    if (nowMs < askMs) continue;
    if (askMs < dueMs && nowMs < askAbout(node, key, askMs, dueMs, nowMs).endsAtMs) continue;
    if (nowMs < dueMs) continue;
    convict(node, key, nowMs);
    convicted.push(key);
    dropSilent(node, key);
  }
  if (convicted.length > 0)
    publishRow(node, nowMs, `nothing heard of ${convicted.map(addressOf).join(', ')}`);
  armVerdict(node, nowMs);
}

/**
 * A verdict that stands is put to others again, more and more seldom: the network may have healed in part, and
 * whether somebody reaches the member must not depend on when it was asked. One that is heard, and damped, is not asked about.
 */
function reconsider(node: Node, key: NodeKey, dueMs: number, nowMs: number): void {
  const peer = node.peer(key);
  if (nowMs >= dueMs) peer.flaps?.relapsed(nowMs);
  const { indirectProbes, probeTimeout } = node.settings.detector;
  if (indirectProbes === 0 || peer.isReplaced || nowMs < peer.askAgainAtMs) return;
  if (nowMs < roundDueMs(node, key, dueMs)) return;
  peer.askEveryMs = Math.min(2 * peer.askEveryMs, RECONSIDER_MAX_MS);
  peer.askAgainAtMs = nowMs + peer.askEveryMs;
  endRound(node, key, nowMs);
  beginRound(node, key, probeTimeout, nowMs);
}

/** Who is dead by SWIM is held unreachable, and nobody else: its member has objected. */
function judgeBySwim(node: Node, nowMs: number): void {
  node.haveSwimVerdicts = false;
  if (!node.isMember) return;
  noteSilent(node, nowMs);
  const convicted: NodeKey[] = [];
  for (const key of node.observed) {
    const isDead = isHeldDead(node, key);
    const isHeld = node.verdicts.has(key);
    if (isDead && isHeld) node.peer(key).flaps?.relapsed(nowMs);
    else if (isDead) {
      convict(node, key, nowMs);
      convicted.push(key);
      dropSilent(node, key);
    } else if (isHeld && !isDamped(node, key) && !node.peer(key).isReplaced)
      takeBack(node, key, nowMs, 'says that it lives');
  }
  if (convicted.length > 0)
    publishRow(node, nowMs, `held dead by SWIM: ${convicted.map(addressOf).join(', ')}`);
}

/**
 * SWIM takes long to hold anybody dead when it trusts itself little, as it must when nobody answers it. Whom this node
 * does not hear is lost to it all the same: its own fate goes by that, and so do the rings.
 */
function noteSilent(node: Node, nowMs: number): void {
  for (const key of node.silent) if (!node.observed.includes(key)) node.silent.delete(key);
  for (const key of [...node.observed]) {
    const atMs = node.detectors.get(key)?.unavailableAtMs() ?? Number.POSITIVE_INFINITY;
    if (nowMs < atMs || node.silent.has(key)) continue;
    node.silent.add(key);
    node.lost.add(key);
    node.haveOwnNews = true;
    dropSilent(node, key);
  }
}

/** The round about this silence, begun if there is none: for as long as there is, or as others need to look. */
function askAbout(
  node: Node,
  key: NodeKey,
  askMs: number,
  dueMs: number,
  nowMs: number,
): ProbeRound {
  const round = roundAbout(node, key, dueMs);
  if (round !== undefined) {
    hastenRound(node, round, dueMs, nowMs);
    return round;
  }
  endRound(node, key, nowMs);
  const leastMs = Math.min(node.settings.detector.probeTimeout, dueMs - askMs);
  return beginRound(node, key, Math.max(dueMs - nowMs, leastMs), nowMs);
}

/** An answer to a probe: from the member itself, from a go-between that has reached it, or from one that tried. */
export function onProbed(
  node: Node,
  from: NodeKey,
  answer: Extract<Message, { kind: 'probed' }>,
  wasCast: boolean,
  nowMs: number,
): void {
  passOnProbed(node, from, answer, wasCast, nowMs);
  const { subject, round: id, found } = answer;
  const round = node.rounds.of.get(subject);
  const goBetween = node.peers.get(from);
  if (goBetween !== undefined && subject !== from) goBetween.owesSinceMs = undefined;
  if (round?.id !== id || !node.observed.includes(subject)) return;
  round.pending.delete(from);
  if (!found) return;
  if (subject !== from) vouchFor(node, subject, from, nowMs);
  else if (wasCast) answeredBeside(node, subject, nowMs);
  else heardFrom(node, subject, nowMs, false);
}

/** The member answers where its link says nothing: that is late, or broken, or was for too long to be of use to anybody. */
function answeredBeside(node: Node, key: NodeKey, nowMs: number): void {
  if (!isCastWorth(node, key, nowMs)) return;
  const isBroken = node.peer(key).vouchedAtMs !== undefined || isLinkDead(node, key, nowMs);
  if (isBroken) vouchFor(node, key, key, nowMs);
  else heardFrom(node, key, nowMs, false);
}

/** Others reach it, or datagrams do: the link is broken, not the member. The rings lead past it, and the link is dialled anew. */
function vouchFor(node: Node, key: NodeKey, by: NodeKey, nowMs: number): void {
  const peer = node.peer(key);
  const isNew = peer.vouchedAtMs === undefined;
  const wasHeld = node.verdicts.has(key);
  peer.vouchedAtMs = nowMs;
  peer.vouchedBy = by;
  endRound(node, key, nowMs);
  if (wasHeld && !isDamped(node, key))
    takeBack(node, key, nowMs, by === key ? 'answers' : `is reached by ${addressOf(by)}`);
  // Who is damped has to be reached without a break: it is asked again in time.
  else if (wasHeld) askAgain(node, key, nowMs);
  if (isNew) {
    const how = by === key ? 'datagrams reach it' : `${addressOf(by)} reaches it`;
    const message = `the link to ${peer.address} is broken: nothing comes over it, and ${how}`;
    node.log('warn', message, { node: key, by });
    node.lost.add(key);
    observeAnew(node, nowMs);
  }
  // With the verdict it was dropped already, and the one that was dialled since may be about to work.
  if (!wasHeld && (isNew || isLinkDead(node, key, nowMs))) dropSilent(node, key);
  armVerdict(node, nowMs);
}

function linkMended(node: Node, key: NodeKey, nowMs: number): void {
  node.peer(key).vouchedAtMs = undefined;
  node.log('info', `the link to ${addressOf(key)} works again`, { node: key });
  observeAnew(node, nowMs);
}

function convict(node: Node, key: NodeKey, nowMs: number): void {
  const peer = node.peer(key);
  endRound(node, key, nowMs);
  peer.vouchedAtMs = undefined;
  askAgain(node, key, nowMs);
  node.verdicts.add(key);
  node.lost.add(key);
  peer.qos?.suspected(nowMs);
  noteConvicted(node, key, nowMs);
}

/** A verdict that stands is put to others in so much time for the first time, again. */
function askAgain(node: Node, key: NodeKey, nowMs: number): void {
  const peer = node.peer(key);
  peer.askEveryMs = Math.min(node.settings.detector.acceptablePause, RECONSIDER_MAX_MS);
  peer.askAgainAtMs = nowMs + peer.askEveryMs;
}

/** Who came and went has been steady for its hold-down. */
export function releaseSteady(node: Node, nowMs: number): void {
  for (const key of [...node.verdicts]) {
    const isHeard = node.detectors.isHeard(key) && !deservesVerdict(node, key, nowMs);
    if (isHeard && node.peers.get(key)?.flaps?.release(nowMs))
      takeBack(node, key, nowMs, 'has been heard without a break for its hold-down');
  }
}

/** Data in flight keeps a dead connection alive for long: a link dialled anew is heard as soon as the network heals. */
function dropSilent(node: Node, key: NodeKey): void {
  if (node.peer(key).linked) node.out.push({ kind: 'drop', peer: key, reason: 'silent' });
}

/** The run behind that address was replaced by another: no silence needs to pass. */
export function convictReplaced(node: Node, key: NodeKey, nowMs: number): void {
  if (!node.observed.includes(key) || node.verdicts.has(key)) return;
  convict(node, key, nowMs);
  node.peer(key).isReplaced = true;
  publishRow(node, nowMs, `another run answers at ${addressOf(key)}`);
}
