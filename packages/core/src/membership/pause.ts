/**
 * The local-pause rule: a process that did not run (stopped, swapped out, blocked) knows it by its own
 * late tick, and must not read its own absence as the silence of others. After Lifeguard's local
 * health (Dadgar et al. 2018), reduced to the one signal that needs no traffic.
 */

import type { Node } from './node.js';
import { isUnwell, pauseAfterMs } from './own-health.js';
import { isNodeCutOff } from './own-reach.js';
import { publishRow } from './verdict.js';

/** After a pause heartbeats wait this long, so that what arrived meanwhile is read, and echoed, first. */
const DRAIN_MS = 50;

/** The next heartbeats are due `afterMs` from now. */
export function armTick(node: Node, nowMs: number, afterMs: number): void {
  node.tickDueMs = nowMs + afterMs;
  node.arm('tick', nowMs, afterMs);
}

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

/** Whoever is well again, or in contact, says so, or what it observes would never count again. */
export function settleFlags(node: Node, nowMs: number): void {
  const { row } = node.me ?? {};
  if (row === undefined) return;
  const unwell = isUnwell(node, nowMs);
  if (row.unwell !== unwell) publishRow(node, nowMs, unwell ? 'not well' : 'well again');
  else if (row.cutOff && !isNodeCutOff(node, nowMs)) publishRow(node, nowMs, 'in contact again');
}
