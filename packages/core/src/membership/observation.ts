/**
 * Whom a node observes: its neighbours on the rings, which lead past those who are accused and those it has
 * lost, and the ways past others that it would be cut off without.
 */
import { isAnybodyNamed, type NodeKey, neighbours } from '@rollcall/convergence';
import { QosMeter } from '@rollcall/failure-detector';
import { beginGuard } from './damping.js';
import type { Node } from './node.js';
import { needsWays } from './own-reach.js';
import { endRound } from './probe.js';
import { armVerdict } from './verdict-due.js';

/** How many this node may have lost and still look past them on its own account. */
const LOST_MAX = 64;

/**
 * Brings the observed set in line with the state; the rings lead past those that are accused, and past
 * those that this node has lost, accused or not: nobody need agree that it has to look further. New ones
 * are expected to speak within `detector.firstReply`.
 */
export function observe(node: Node, nowMs: number): void {
  const { state } = node;
  const accused = new Set(node.accusations.accused);
  accused.delete(node.self);
  const electorate = state.electorateKeys;
  for (const key of node.lost) if (!node.isLiveHere(key)) node.lost.delete(key);
  // One that hears nobody would come by everybody in turn.
  if (node.lost.size <= LOST_MAX) for (const key of node.lost) accused.add(key);
  const isInNeed = isAnybodyNamed(state) && needsWays(node);
  const about = `${isInNeed} ${[...accused, ...node.verdicts, ...node.silent].join(' ')}`;
  if (node.observedFor?.electorate === electorate && node.observedFor.about === about) return;
  node.observedFor = { electorate, about };
  const targets = new Set(neighbours(state, node.self, node.rules.rings, accused));
  for (const key of node.verdicts) {
    if (node.isLiveHere(key)) targets.add(key);
    else node.verdicts.delete(key);
  }
  if (isInNeed) keepWays(node, targets);
  for (const key of node.observed) {
    if (targets.has(key)) continue;
    forget(node, key, nowMs);
    node.peer(key).qos = undefined;
    node.peer(key).flaps = undefined;
  }
  for (const key of targets) {
    if (node.peer(key).observedSinceMs !== undefined) continue;
    node.peer(key).observedSinceMs = nowMs;
    node.peer(key).qos = new QosMeter(nowMs);
    beginGuard(node, key);
    node.guests.delete(key);
    node.detectors.expect(key, nowMs, node.settings.detector.firstReply);
  }
  node.observed = [...targets];
  node.haveNeedsChanged = true;
  armVerdict(node, nowMs);
}

/**
 * A way past others that is heard stays while this node would be cut off without it. Whom the others accuse,
 * and so where its rings lead, depends on its own flag: given up at once the way would come and go with it.
 */
function keepWays(node: Node, targets: Set<NodeKey>): void {
  const most = targets.size + LOST_MAX;
  for (const key of node.observed) {
    if (targets.size >= most) return;
    if (node.detectors.isHeard(key) && node.isLiveHere(key)) targets.add(key);
  }
}

/** Nothing is expected of it any more, and nothing of what was learnt counts. */
export function forget(node: Node, key: NodeKey, nowMs: number): void {
  const peer = node.peer(key);
  peer.observedSinceMs = undefined;
  peer.vouchedAtMs = undefined;
  endRound(node, key, nowMs);
  node.detectors.remove(key);
}

/** Whom it has lost has changed, though the state has not. */
export function observeAnew(node: Node, nowMs: number): void {
  node.observedFor = undefined;
  observe(node, nowMs);
}
