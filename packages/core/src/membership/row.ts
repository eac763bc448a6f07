/**
 * This node's row of the reachability table: what it says of others, and of itself (`unwell`, `cutOff`). What a node
 * held against others while it reached no quorum counts for nothing, and is dropped when it is in contact again.
 */
import { compareKeys, setRow } from '@rollcall/convergence';
import { commit } from './commit.js';
import type { Node } from './node.js';
import { forget } from './observation.js';
import { isUnwell } from './own-health.js';
import { isNodeCutOff } from './own-reach.js';
import { beginAnew } from './swim-evidence.js';
import { deservesVerdict, isHeardAtPace } from './verdict-due.js';

/**
 * Writes this node's row: its verdicts and its flags. A node that sees no quorum says `cutOff`, so
 * that nothing it holds against others counts; on contact it drops all of it and earns accusations
 * anew from fresh silence.
 */
export function publishRow(node: Node, nowMs: number, why: string): void {
  if (node.replica === undefined || !node.isMember) return;
  const wasCutOff = node.me?.row.cutOff ?? false;
  let isCut = isNodeCutOff(node, nowMs);
  if (isCut && forgive(node, nowMs)) isCut = isNodeCutOff(node, nowMs);
  if (wasCutOff && !isCut) startAfresh(node, nowMs);
  const unreachable = [...node.verdicts].sort(compareKeys);
  const unwell = isUnwell(node, nowMs);
  commit(node, setRow(node.replica, { unreachable, unwell, cutOff: isCut }), why);
}

/** Silences that have not become verdicts yet are as old as the cut: they begin anew as well. */
function startAfresh(node: Node, nowMs: number): void {
  for (const key of node.verdicts) {
    forget(node, key, nowMs);
    node.peer(key).qos?.dropped(nowMs);
    node.peer(key).observedSinceMs = nowMs;
    beginAnew(node, key, nowMs);
    node.detectors.expect(key, nowMs, node.settings.detector.firstReply);
  }
  for (const key of node.observed) {
    if (node.verdicts.has(key) || isHeardAtPace(node, key, nowMs)) continue;
    // All of it: no more is taken away than there is.
    node.detectors.get(key)?.excuse(nowMs, nowMs);
  }
  node.verdicts.clear();
  node.observedFor = undefined;
}

/** Nothing that turned while this node reaches no quorum was the doing of others. True if a verdict went by that. */
function forgive(node: Node, nowMs: number): boolean {
  let isAny = false;
  for (const key of [...node.observed]) {
    const { flaps, qos } = node.peer(key);
    const wasHolding = flaps?.isHolding ?? false;
    flaps?.forgive();
    const isHeldStill = wasHolding && node.verdicts.has(key);
    if (!isHeldStill || deservesVerdict(node, key, nowMs)) continue;
    node.verdicts.delete(key);
    qos?.dropped(nowMs);
    isAny = true;
  }
  return isAny;
}

/** Whoever is well again, or in contact, says so, or what it observes would never count again. */
export function settleFlags(node: Node, nowMs: number): void {
  const { row } = node.me ?? {};
  if (row === undefined) return;
  const unwell = isUnwell(node, nowMs);
  if (row.unwell !== unwell) publishRow(node, nowMs, unwell ? 'not well' : 'well again');
  else if (row.cutOff && !isNodeCutOff(node, nowMs)) publishRow(node, nowMs, 'in contact again');
}
