/**
 * Damping: a member whose verdict turned too often, or that is hardly heard, keeps it until it has been steady for a
 * hold-down (`FlapGuard`). Only what is the other's doing counts: a node that is not well, reaches no quorum, or hears
 * little of most, holds nothing against anybody.
 */
import type { NodeKey } from '@rollcall/convergence';
import { FlapGuard } from '@rollcall/failure-detector';
import type { Node } from './node.js';

/** Heard in a larger share of the latest intervals. */
const WELL_HEARD = 0.5;

/** Is what turns here the other's doing? */
export const isJudge = (node: Node): boolean => node.health.isWell && node.me?.row.cutOff !== true;

export const isDamped = (node: Node, key: NodeKey): boolean =>
  node.peers.get(key)?.flaps?.isHolding ?? false;

/** It is observed from now on. */
export function beginGuard(node: Node, key: NodeKey): void {
  const { turns, within, holdDown, holdDownMax } = node.settings.damping;
  node.peer(key).flaps = new FlapGuard({
    turns,
    withinMs: within,
    holdDownMs: holdDown,
    holdDownMaxMs: holdDownMax,
  });
}

/** One interval has passed: who was heard in it? */
export function noteHeard(node: Node, nowMs: number): void {
  for (const key of node.observed) {
    const peer = node.peer(key);
    if (isJudge(node)) peer.flaps?.passed(peer.isHeardInInterval, nowMs);
    peer.isHeardInInterval = false;
  }
}

/**
 * Is it hardly heard, while most of the others are heard well? A network that loses nearly everything loses it on all
 * links: once all held each other, and a cluster ended when the network was well again.
 * @param except how many of the latest intervals not to count
 */
export function isFaintest(node: Node, key: NodeKey, except = 0): boolean {
  if (!node.peers.get(key)?.flaps?.isHardlyHeard(except)) return false;
  const others = node.observed.filter((each) => each !== key);
  const isWellHeard = (each: NodeKey) =>
    (node.peers.get(each)?.flaps?.heardShare() ?? 0) > WELL_HEARD;
  return 2 * others.filter(isWellHeard).length > others.length;
}

/** It was convicted of a silence so long, and may have to be held. */
export function noteConvicted(node: Node, key: NodeKey, silenceMs: number, nowMs: number): void {
  const { address, flaps } = node.peer(key);
  if (flaps === undefined || !isJudge(node)) return;
  // The silence itself is what the verdict is about.
  const isFaint = isFaintest(node, key, Math.ceil(silenceMs / node.settings.heartbeat.interval));
  flaps.turned(nowMs, isFaint);
  if (!flaps.isHolding) return;
  const forMs = Math.round(flaps.heldUntilMs - nowMs);
  const what = isFaint ? 'is hardly heard' : 'comes and goes';
  const message = `${address} ${what}: it stays unreachable until it has been heard for ${forMs} ms without a break`;
  node.log('warn', message, { node: key, forMs });
}

/** It was believed again. */
export function noteTakenBack(node: Node, key: NodeKey, nowMs: number): void {
  if (isJudge(node)) node.peer(key).flaps?.turned(nowMs);
}
