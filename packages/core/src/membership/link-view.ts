/** Each observed link as evidence: what the detector knows, for operators and for `phi$`. */
import type { NodeKey } from '@rollcall/convergence';
import { QosMeter } from '@rollcall/failure-detector';
import type { LinkGaps, LinkQos, LinkView } from './member-view.js';
import type { Node } from './node.js';
import { isSwim } from './swim-evidence.js';
import { verdictDueMs } from './verdict-due.js';

export function linkViews(node: Node, nowMs: number): LinkView[] {
  return node.observed.map((subject) => {
    const detector = node.detectors.get(subject);
    const gaps = detector?.gaps ?? { count: 0, meanMs: 0, deviationMs: 0 };
    const heardMs = node.detectors.isHeard(subject) ? detector?.lastSignOfLifeMs : undefined;
    return Object.freeze({
      observer: node.self,
      subject,
      connected: node.peers.get(subject)?.linked ?? false,
      reachable: !node.verdicts.has(subject),
      broken: node.peers.get(subject)?.vouchedAtMs !== undefined,
      heldForMs: heldForMs(node, subject, nowMs),
      phi: node.detectors.suspicion(subject, nowMs),
      silenceMs: heardMs === undefined ? undefined : Math.max(0, nowMs - heardMs),
      meanMs: gaps.meanMs,
      deviationMs: gaps.deviationMs,
      samples: gaps.count,
      qos: qosOf(node, subject, nowMs),
    });
  });
}

function heldForMs(node: Node, subject: NodeKey, nowMs: number): number | undefined {
  const flaps = node.peers.get(subject)?.flaps;
  const isHeld = node.verdicts.has(subject) && flaps?.isHolding;
  return isHeld ? Math.max(0, flaps.heldUntilMs - nowMs) : undefined;
}

function qosOf(node: Node, subject: NodeKey, nowMs: number): LinkQos {
  const sinceMs = node.detectors.get(subject)?.lastSignOfLifeMs ?? nowMs;
  const silenceMs = verdictDueMs(node, subject) - sinceMs;
  const isKnown = Number.isFinite(silenceMs) && !isSwim(node.settings);
  const detectionTimeMs = isKnown ? silenceMs : undefined;
  const meter = node.peers.get(subject)?.qos ?? new QosMeter(nowMs);
  return Object.freeze({ detectionTimeMs, ...meter.read(nowMs) });
}

export function linkGaps(node: Node): LinkGaps[] {
  return node.observed.map((subject) => {
    const gaps = node.peers.get(subject)?.qos?.gaps;
    const longestMs = Object.freeze(gaps?.longest() ?? []);
    return Object.freeze({ subject, count: gaps?.count ?? 0, longestMs });
  });
}
