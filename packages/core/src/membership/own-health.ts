/**
 * How well this node is, by four signs: it did not run, it ticks late, go-betweens that it hears leave it without an
 * answer, several members cannot reach it. While it is not well it waits longer for others (verdict.ts) and
 * says so in its row, so that what it holds against them counts less (PROTOCOL "Accusations").
 */
import type { Node } from './node.js';
import { hasLiveOthers } from './swim-evidence.js';

/** One accuser may have a bad link of its own. */
const SEVERAL = 2;

/** Its row should say so. */
export const isUnwell = (node: Node, nowMs: number): boolean =>
  nowMs < node.unwellUntilMs || healthScore(node) > 0;

/** By its own signs, or by SWIM's. */
export const healthScore = (node: Node): number => Math.max(node.health.score, swimScore(node));

/** With nobody left who could answer a probe it would stand for ever, and so would the word of a sole survivor count for nothing. */
function swimScore(node: Node): number {
  const score = node.swim?.swim.score ?? 0;
  return score > 0 && hasLiveOthers(node) ? score : 0;
}

/** A tick later than this means that the process did not run. */
export const pauseAfterMs = ({ settings }: Node): number =>
  Math.max(settings.heartbeat.interval / 2, settings.pause.after);

/** One interval has passed, and its tick came so much too late. Twice in a row half a pause is a sign. */
export function noteInterval(node: Node, lateMs: number): void {
  const isLate = lateMs > pauseAfterMs(node) / 2;
  if (isLate && node.wasLate) node.health.worsen();
  else node.health.passed(!isLate);
  node.wasLate = isLate;
}

/** Several hold this node unreachable, and it was not cut off just now: it may be this node that is slow. */
export function noteAccused(node: Node, nowMs: number): void {
  const isHeld = node.accusations.observersOf(node.self).length >= SEVERAL;
  if (node.me?.row.cutOff === true) node.cutOffAtMs = nowMs;
  const isOwnDoing = nowMs - node.cutOffAtMs > node.settings.detector.acceptablePause;
  if (isHeld && !node.isHeldUnreachable && isOwnDoing) node.health.worsen();
  node.isHeldUnreachable = isHeld;
}
