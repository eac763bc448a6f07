/** Each observed link as evidence: what the detector knows, for operators and for `phi$`. */
import type { LinkView } from './member-view.js';
import type { Node } from './node.js';

export function linkViews(node: Node, nowMs: number): LinkView[] {
  return node.observed.map((subject) => {
    const detector = node.detectors.get(subject);
    const gaps = detector?.gaps ?? { count: 0, meanMs: 0, deviationMs: 0 };
    const heardMs = node.detectors.isHeard(subject) ? detector?.lastHeartbeatMs : undefined;
    return Object.freeze({
      observer: node.self,
      subject,
      connected: node.peers.get(subject)?.linked ?? false,
      reachable: !node.verdicts.has(subject),
      phi: node.detectors.suspicion(subject, nowMs),
      silenceMs: heardMs === undefined ? undefined : Math.max(0, nowMs - heardMs),
      meanMs: gaps.meanMs,
      deviationMs: gaps.deviationMs,
      samples: gaps.count,
    });
  });
}
