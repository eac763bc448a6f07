/**
 * Outcomes of requests that this node's user reports: a member whose heartbeats are fine and whose work fails is
 * degraded here. It is this node's own experience: nobody else is told, and nobody is convicted by it.
 */
import { addressOf, type NodeKey } from '@rollcall/convergence';
import { OutcomeWindow } from '@rollcall/failure-detector';
import type { Node } from './node.js';

export function onReport(node: Node, subject: NodeKey, isGood: boolean, nowMs: number): void {
  if (!node.isMember || !node.isLiveHere(subject)) return;
  const known = node.outcomes.get(subject);
  const window = known ?? begin(node, subject);
  window.report(isGood, nowMs);
  // A request that went well must cost next to nothing.
  if (window.isDegraded(nowMs) !== node.degraded.has(subject)) tellDegraded(node, nowMs);
}

function begin(node: Node, subject: NodeKey): OutcomeWindow {
  const { window: windowMs, least, failureShare } = node.settings.outcomes;
  const window = new OutcomeWindow({ windowMs, least, failureShare });
  node.outcomes.set(subject, window);
  return window;
}

/** Outcomes are forgotten as time passes, and with their members. */
export function reviewOutcomes(node: Node, nowMs: number): void {
  if (node.outcomes.size === 0 && node.degraded.size === 0) return;
  for (const [key, window] of node.outcomes)
    if (!node.isLiveHere(key) || window.isEmpty(nowMs)) node.outcomes.delete(key);
  tellDegraded(node, nowMs);
}

function tellDegraded(node: Node, nowMs: number): void {
  const degraded = [...node.outcomes].filter(([, window]) => window.isDegraded(nowMs));
  const now = new Set(degraded.map(([key]) => key));
  const before = node.degraded;
  if (now.size === before.size && [...now].every((key) => before.has(key))) return;
  node.degraded = now;
  node.out.push({ kind: 'degraded', nodes: now });
  for (const key of now) {
    if (before.has(key)) continue;
    const message = `${addressOf(key)} is degraded: its heartbeats are fine, and too many of the requests to it fail`;
    node.log('warn', message, { node: key });
  }
}
