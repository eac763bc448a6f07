/**
 * Probes: before a silence becomes a verdict the member is asked, and then others are asked to look. After SWIM (Das, Gupta and
 * Motivala, DSN 2002), with the answer "I tried" of Lifeguard (Dadgar et al., DSN 2018). This file asks and
 * helps; what an answer means for a verdict is decided in verdict.ts.
 *
 *     A --probe(r)--------------------------> S     on the link itself, in case S is only late
 *     A --probeFor(S, r)--> H --probe(r')---> S     first `detector.indirectProbes` go-betweens H, then all
 *     A <--probed(S, r)---- H <--probed(r')-- S     one answer is enough
 *     A <--probed(no, r)--- H                       or that it tried
 *
 * Every leg goes over the link once, and is repeated each `detector.probeRepeat` beside it: docs/decisions/0021.
 */
import type { NodeKey } from '@rollcall/convergence';
import type { Message } from './message.js';
import type { Node } from './node.js';
import type { ProbeRound, Relay } from './probe-round.js';
import { isCastWorth, isHeardAtPace } from './verdict-due.js';

type ProbeFor = Extract<Message, { kind: 'probeFor' }>;
type Probed = Extract<Message, { kind: 'probed' }>;

/** What may go beside the links. */
export const isProbing = ({ kind }: Message): boolean =>
  kind === 'probe' || kind === 'probeFor' || kind === 'probed';

/** How often the member is asked, at most, before others are. */
const ALONE_MAX = 32;

/** A go-between says that it tried so much before the asker's time is over: its word has to travel. */
const TRIED_SHARE = 0.8;

/** Asks about a silent member for `withinMs`: itself all of the time, others in the last `detector.probeTimeout` of it. */
export function beginRound(
  node: Node,
  subject: NodeKey,
  withinMs: number,
  nowMs: number,
): ProbeRound {
  const round: ProbeRound = {
    id: ++node.rounds.count,
    startedMs: nowMs,
    asksAtMs: nowMs + Math.max(0, withinMs - node.settings.detector.probeTimeout),
    endsAtMs: nowMs + withinMs,
    pending: new Set(),
    asked: 'nobody',
    repeatAtMs: nowMs,
  };
  node.rounds.of.set(subject, round);
  sayRound(node, subject, round, nowMs);
  armProbes(node, nowMs);
  return round;
}

/** The verdict is due sooner than when the round began, as this node trusts itself again: others are asked now, if they were not. */
export function hastenRound(node: Node, round: ProbeRound, dueMs: number, nowMs: number): void {
  const { probeTimeout } = node.settings.detector;
  if (round.endsAtMs <= dueMs) return;
  const asksAtMs =
    round.asked === 'nobody' ? Math.max(nowMs, dueMs - probeTimeout) : round.asksAtMs;
  const endsAtMs = Math.max(dueMs, asksAtMs + probeTimeout);
  if (endsAtMs >= round.endsAtMs) return;
  round.asksAtMs = asksAtMs;
  round.endsAtMs = endsAtMs;
  round.repeatAtMs = Math.min(round.repeatAtMs, asksAtMs);
  armProbes(node, nowMs);
}

/** Ends it. Whoever was asked owes an answer all the same: a go-between that is heard and says nothing is a sign of this node's own trouble. */
export function endRound(node: Node, subject: NodeKey, nowMs: number): void {
  const round = node.rounds.of.get(subject);
  if (round === undefined) return;
  node.rounds.of.delete(subject);
  for (const goBetween of round.pending) node.peer(goBetween).owesSinceMs ??= nowMs;
}

/** The one that reached it last, and others at random: `detector.indirectProbes` in all. */
function pickGoBetweens(node: Node, subject: NodeKey, nowMs: number): NodeKey[] {
  const { indirectProbes } = node.settings.detector;
  const goBetweens = candidates(node, subject, nowMs);
  const known = goBetweens.indexOf(node.peer(subject).vouchedBy ?? subject);
  if (known > 0) goBetweens.unshift(...goBetweens.splice(known, 1));
  for (let at = known < 0 ? 0 : 1; at < Math.min(indirectProbes, goBetweens.length); at++) {
    const other = at + Math.floor(node.random.next() * (goBetweens.length - at));
    [goBetweens[at], goBetweens[other]] = [goBetweens[other] as NodeKey, goBetweens[at] as NodeKey];
  }
  return goBetweens.slice(0, indirectProbes);
}

/** Neighbours that were heard within two intervals. */
function candidates(node: Node, subject: NodeKey, nowMs: number): NodeKey[] {
  const isGoBetween = (key: NodeKey) =>
    key !== subject &&
    !node.verdicts.has(key) &&
    node.detectors.isHeard(key) &&
    isHeardAtPace(node, key, nowMs) &&
    node.peers.get(key)?.linked === true;
  return node.observed.filter(isGoBetween);
}

function sayRound(node: Node, subject: NodeKey, round: ProbeRound, nowMs: number): void {
  const { id, asksAtMs, endsAtMs, pending } = round;
  const wereAsked = new Set(pending);
  // Few are enough for a link that is lost on the way; in a partial partition it may be one alone that reaches both.
  const allAtMs = (asksAtMs + endsAtMs) / 2;
  if (nowMs >= allAtMs && round.asked !== 'all') {
    round.asked = 'all';
    for (const key of candidates(node, subject, nowMs)) pending.add(key);
  } else if (nowMs >= asksAtMs && round.asked === 'nobody') {
    round.asked = 'some';
    for (const key of pickGoBetweens(node, subject, nowMs)) pending.add(key);
  }
  const nextMs = { nobody: asksAtMs, some: allAtMs, all: Number.POSITIVE_INFINITY }[round.asked];
  // With a pause of minutes it need not be asked seven times a second all along.
  const aloneMs = round.asked === 'nobody' ? (asksAtMs - round.startedMs) / ALONE_MAX : 0;
  const everyMs = Math.max(node.settings.detector.probeRepeat, aloneMs);
  round.repeatAtMs = Math.min(nowMs + everyMs, nextMs);
  say(node, subject, { kind: 'probe', round: id }, nowMs > round.startedMs);
  const withinMs = Math.ceil(endsAtMs - nowMs);
  if (withinMs <= 0) return;
  const question = { kind: 'probeFor', subject, round: id, withinMs } as const;
  for (const goBetween of pending) say(node, goBetween, question, wereAsked.has(goBetween));
}

/**
 * A question goes over the link once, which loses nothing while it holds; repeated, beside it, as what is said on a link that loses
 * much waits for seconds behind what was lost before. An answer goes the way that the question came.
 */
function say(node: Node, to: NodeKey, message: Message, isCast: boolean): void {
  if (isCast) node.out.push({ kind: 'cast', to, message });
  else node.send(to, message);
}

/** Somebody wants to know whether this node is there. Whoever is no member here is told nothing. */
export function onProbe(node: Node, from: NodeKey, round: number, wasCast: boolean): void {
  if (!node.isMember || !node.isLiveHere(from)) return;
  say(node, from, { kind: 'probed', subject: node.self, round, found: true }, wasCast);
}

/** Another member asks this one to look. */
export function onProbeFor(
  node: Node,
  from: NodeKey,
  ask: ProbeFor,
  wasCast: boolean,
  nowMs: number,
): void {
  const { subject, round, withinMs } = ask;
  if (!node.isMember || !node.isLiveHere(from)) return;
  const answer = (found: boolean) =>
    say(node, from, { kind: 'probed', subject, round, found }, wasCast);
  if (subject === node.self) return answer(true);
  if (!node.isLiveHere(subject)) return answer(false);
  const known = node.relays.get(subject);
  if (known !== undefined) {
    const isAsker = known.askers.has(from);
    if (isAsker || known.askers.size < node.settings.limits.relays)
      noteAsker(known, from, round, wasCast);
    else answer(false);
    return;
  }
  if (node.relays.size >= node.settings.limits.relays) return answer(false);
  const forMs = TRIED_SHARE * Math.min(withinMs, node.settings.detector.probeTimeout);
  const relay: Relay = {
    id: ++node.rounds.count,
    askers: new Map(),
    endsAtMs: nowMs + forMs,
    repeatAtMs: nowMs,
  };
  noteAsker(relay, from, round, wasCast);
  node.relays.set(subject, relay);
  node.haveNeedsChanged = true;
  sayRelay(node, subject, relay, false, nowMs);
  armProbes(node, nowMs);
}

/** Datagrams may be lost one way alone: who has asked over the link is answered there, whatever came after. */
function noteAsker({ askers }: Relay, from: NodeKey, round: number, wasCast: boolean): void {
  const before = askers.get(from);
  if (before !== undefined && round < before.round) return;
  const known = before?.round === round ? before : undefined;
  const [isLinked, isCast] = [
    !wasCast || known?.isLinked === true,
    wasCast || known?.isCast === true,
  ];
  askers.set(from, { round, isLinked, isCast });
}

function sayRelay(
  node: Node,
  subject: NodeKey,
  relay: Relay,
  isCast: boolean,
  nowMs: number,
): void {
  relay.repeatAtMs = nowMs + node.settings.detector.probeRepeat;
  say(node, subject, { kind: 'probe', round: relay.id }, isCast);
}

/** A link came up: perhaps the one that a relay has waited for. */
export function relayLinked(node: Node, key: NodeKey, nowMs: number): void {
  const relay = node.relays.get(key);
  if (relay !== undefined) sayRelay(node, key, relay, false, nowMs);
}

/** The member itself answers: whoever asked this node to look hears of it. */
export function passOnProbed(
  node: Node,
  from: NodeKey,
  { subject, round, found }: Probed,
  wasCast: boolean,
  nowMs: number,
): void {
  const isAnswer = subject === from && found && node.relays.get(subject)?.id === round;
  if (isAnswer && (!wasCast || isCastWorth(node, from, nowMs))) closeRelay(node, subject, true);
}

function closeRelay(node: Node, subject: NodeKey, found: boolean): void {
  const relay = node.relays.get(subject);
  if (relay === undefined) return;
  node.relays.delete(subject);
  node.haveNeedsChanged = true;
  for (const [asker, { round, isLinked, isCast }] of relay.askers) {
    const answer = { kind: 'probed', subject, round, found } as const;
    if (isLinked) say(node, asker, answer, false);
    // That it tried can wait; that somebody lives cannot.
    if (isCast && (found || !isLinked)) say(node, asker, answer, true);
  }
}

/** Some leg is to be repeated, or a search has taken long enough. */
export function onProbesDue(node: Node, nowMs: number): void {
  for (const [subject, round] of node.rounds.of)
    if (nowMs >= round.repeatAtMs && nowMs < round.endsAtMs) sayRound(node, subject, round, nowMs);
  for (const [subject, relay] of node.relays) {
    if (nowMs >= relay.endsAtMs) closeRelay(node, subject, false);
    else if (nowMs >= relay.repeatAtMs) sayRelay(node, subject, relay, true, nowMs);
  }
  armProbes(node, nowMs);
}

function armProbes(node: Node, nowMs: number): void {
  let dueMs = Number.POSITIVE_INFINITY;
  // One about a verdict that stands is kept when it is over.
  for (const { repeatAtMs, endsAtMs } of node.rounds.of.values())
    if (repeatAtMs < endsAtMs && nowMs < endsAtMs) dueMs = Math.min(dueMs, repeatAtMs);
  for (const { repeatAtMs, endsAtMs } of node.relays.values())
    dueMs = Math.min(dueMs, repeatAtMs, endsAtMs);
  if (dueMs < Number.POSITIVE_INFINITY) node.armBy('probe', nowMs, Math.max(dueMs, nowMs + 1));
}
