/** When silences become verdicts, and when others are asked about them: moments only, no decisions. */
import type { NodeKey } from '@rollcall/convergence';
import type { Node } from './node.js';

/** When this node convicts a member that it does not hear until then; Infinity while it expects nothing of it. */
export function verdictDueMs(node: Node, key: NodeKey): number {
  const detector = node.detectors.get(key);
  if (detector === undefined) return Number.POSITIVE_INFINITY;
  const peer = node.peers.get(key);
  const { lastHeartbeatMs = 0 } = detector;
  // Seen by others is as good as heard, for as long as a silence takes.
  const vouchedMs = Math.max(0, (peer?.vouchedAtMs ?? lastHeartbeatMs) - lastHeartbeatMs);
  const ownMs = node.health.score * node.settings.detector.acceptablePause;
  const dueMs = detector.unavailableAtMs() + vouchedMs + ownMs;
  return Math.max(dueMs, peer?.graceUntilMs ?? Number.NEGATIVE_INFINITY);
}

/**
 * When others are asked about a silence: so long before the verdict that asking does not put it off, but not
 * before half of the silence has passed.
 */
export function roundDueMs(node: Node, key: NodeKey, dueMs: number): number {
  const { indirectProbes, probeTimeout } = node.settings.detector;
  if (indirectProbes === 0 || dueMs === Number.POSITIVE_INFINITY) return dueMs;
  const sinceMs = Math.max(
    node.detectors.get(key)?.lastHeartbeatMs ?? dueMs,
    node.peers.get(key)?.vouchedAtMs ?? Number.NEGATIVE_INFINITY,
  );
  return dueMs - Math.min(probeTimeout, (dueMs - sinceMs) / 2);
}

/** Silences are judged when the first of these moments comes. */
export function armVerdict(node: Node, nowMs: number): void {
  let dueMs = Number.POSITIVE_INFINITY;
  for (const key of node.observed) {
    if (node.verdicts.has(key)) continue;
    const verdictMs = verdictDueMs(node, key);
    const round = node.rounds.of.get(key);
    const nextMs =
      round === undefined ? roundDueMs(node, key, verdictMs) : Math.max(verdictMs, round.endsAtMs);
    dueMs = Math.min(dueMs, nextMs);
  }
  // A late timer finds a later due time and arms anew, so a heartbeat costs no timer.
  if (dueMs < Number.POSITIVE_INFINITY) node.armBy('verdict', nowMs, Math.max(dueMs, nowMs + 1));
}
