/**
 * The local-pause rule: a process that did not run (stopped, swapped out, blocked) knows it by its own
 * late tick, and must not read its own absence as the silence of others. It is one of the four signs of own
 * trouble in own-health.ts, and the one that needs no traffic.
 */

import { armTick } from './heartbeat.js';
import type { Node } from './node.js';
import { pauseAfterMs } from './own-health.js';
import { publishRow } from './row.js';

/** After a pause heartbeats wait this long, so that what arrived meanwhile is read, and echoed, first. */
const DRAIN_MS = 50;

/** To be asked before anything else whenever anything happens: has this process been away? */
export function noticePause(node: Node, nowMs: number): void {
  const { interval } = node.settings.heartbeat;
  const lateMs = nowMs - node.tickDueMs;
  if (lateMs <= pauseAfterMs(node) || !node.isMember) return;
  const { graceFactor } = node.settings.pause;
  const { acceptablePause } = node.settings.detector;
  const graceMs = Math.min(acceptablePause, graceFactor * lateMs);
  const budgetMs = graceFactor * acceptablePause;
  for (const key of node.observed) {
    const peer = node.peer(key);
    peer.qos?.paused(lateMs, nowMs);
    const excusedMs = Math.min(lateMs, Math.max(0, budgetMs - peer.excusedMs));
    if (excusedMs === 0) continue;
    node.detectors.get(key)?.excuse(excusedMs, nowMs);
    peer.excusedMs += excusedMs;
    peer.graceUntilMs = nowMs + graceMs;
  }
  node.unwellUntilMs = nowMs + graceMs;
  node.learnsAgainAtMs = nowMs + interval;
  node.health.worsen();
  // What was asked before was answered, or not, while nobody here could hear it.
  node.rounds.of.clear();
  armTick(node, nowMs, Math.min(DRAIN_MS, interval / 4));
  node.out.push({
    kind: 'emit',
    event: { type: 'localPauseDetected', pauseMs: Math.round(lateMs), state: node.view },
  });
  publishRow(node, nowMs, `this process did not run for ${Math.round(lateMs)} ms`);
}
