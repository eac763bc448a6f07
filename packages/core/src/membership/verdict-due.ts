/** When silences become verdicts, and when others are asked about them: moments only, no decisions. */
import type { NodeKey } from '@rollcall/convergence';
import type { Node } from './node.js';
import type { ProbeRound } from './probe-round.js';
import { isHeldDead, isSwim } from './swim-evidence.js';

/** When this node convicts a member that it does not hear until then; Infinity while it expects nothing of it. */
export function verdictDueMs(node: Node, key: NodeKey): number {
  const detector = node.detectors.get(key);
  if (detector === undefined) return Number.POSITIVE_INFINITY;
  const peer = node.peers.get(key);
  const { lastSignOfLifeMs = 0 } = detector;
  // Seen by others is as good as heard, for as long as a silence takes.
  const vouchedMs = Math.max(0, (peer?.vouchedAtMs ?? lastSignOfLifeMs) - lastSignOfLifeMs);
  const ownMs = node.health.score * node.settings.detector.acceptablePause;
  const dueMs = detector.unavailableAtMs() + vouchedMs + ownMs;
  return Math.max(dueMs, peer?.graceUntilMs ?? Number.NEGATIVE_INFINITY);
}

/** Has there been a sign of life within two intervals? */
export function isHeardAtPace(node: Node, key: NodeKey, nowMs: number): boolean {
  const atMs = node.detectors.get(key)?.lastSignOfLifeMs ?? Number.NEGATIVE_INFINITY;
  return nowMs - atMs < 2 * node.settings.heartbeat.interval;
}

/** Would it be convicted now: is it held dead by SWIM, or has it been silent for too long? */
export const deservesVerdict = (node: Node, key: NodeKey, nowMs: number): boolean =>
  isSwim(node.settings) ? isHeldDead(node, key) : nowMs >= verdictDueMs(node, key);

/** When it is asked about a silence: when half of it has passed, so that asking puts the verdict off by nothing. */
export function roundDueMs(node: Node, key: NodeKey, dueMs: number): number {
  if (node.settings.detector.indirectProbes === 0 || dueMs === Number.POSITIVE_INFINITY)
    return dueMs;
  const sinceMs = Math.max(
    node.detectors.get(key)?.lastSignOfLifeMs ?? dueMs,
    node.peers.get(key)?.vouchedAtMs ?? Number.NEGATIVE_INFINITY,
  );
  return (sinceMs + dueMs) / 2;
}

/** The round about this silence; one that ends long before the verdict, because that was put off, is none. */
export function roundAbout(node: Node, key: NodeKey, dueMs: number): ProbeRound | undefined {
  const round = node.rounds.of.get(key);
  if (round === undefined) return undefined;
  return round.endsAtMs >= dueMs - node.settings.detector.probeTimeout ? round : undefined;
}

/** Silences are judged when the first of these moments comes. */
export function armVerdict(node: Node, nowMs: number): void {
  let dueMs = Number.POSITIVE_INFINITY;
  for (const key of node.observed) {
    if (node.verdicts.has(key)) continue;
    const verdictMs = verdictDueMs(node, key);
    const round = roundAbout(node, key, verdictMs);
    const nextMs =
      round === undefined ? roundDueMs(node, key, verdictMs) : Math.max(verdictMs, round.endsAtMs);
    dueMs = Math.min(dueMs, nextMs);
  }
  // A late timer finds a later due time and arms anew, so a heartbeat costs no timer.
  if (dueMs < Number.POSITIVE_INFINITY) node.armBy('verdict', nowMs, Math.max(dueMs, nowMs + 1));
}

/** In acceptable pauses, how long an open link may carry nothing before it is called broken: TCP would wait as long again by then, and a new link is there sooner. */
const LINK_DEAD_PAUSES = 3;

/** In acceptable pauses, how long a link may have carried nothing before answers beside it are worth nothing: two new ones may come to nothing. */
const CAST_WORTH_PAUSES = 10;

/** The silence that convicts, with what was learnt of the gaps; 0 of a member that was never heard. */
function toleratedMs(node: Node, key: NodeKey): number {
  const detector = node.detectors.get(key);
  if (detector?.lastSignOfLifeMs === undefined) return 0;
  return detector.unavailableAtMs() - detector.lastSignOfLifeMs;
}

/**
 * Is an answer beside the link a sign of life? All that a cluster agrees on goes over links: a member that nothing can be told any
 * more is lost to it, whatever datagrams say. So it is one only while something has come over the link not too long ago.
 */
export function isCastWorth(node: Node, key: NodeKey, nowMs: number): boolean {
  const { linkHeardMs, observedSinceMs = Number.NEGATIVE_INFINITY } = node.peer(key);
  const leastMs = CAST_WORTH_PAUSES * node.settings.detector.acceptablePause;
  const worthMs = Math.max(leastMs, 2 * toleratedMs(node, key));
  return nowMs - Math.max(linkHeardMs, observedSinceMs) <= worthMs;
}

/** The link is open, and has carried nothing for too long. */
export function isLinkDead(node: Node, key: NodeKey, nowMs: number): boolean {
  const { linked, linkHeardMs, linkedAtMs } = node.peer(key);
  const patienceMs = LINK_DEAD_PAUSES * node.settings.detector.acceptablePause;
  return linked && nowMs - Math.max(linkHeardMs, linkedAtMs) > patienceMs;
}
