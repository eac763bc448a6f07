/**
 * Damping: a member whose verdict turned too often, or that is hardly heard, keeps it until it has been steady for a
 * hold-down (`FlapGuard`). Only what is the other's doing counts: a node that is not well, reaches no quorum, or hears
 * little of most, holds nothing against anybody.
 */
import type { NodeKey } from '@rollcall/convergence';
import { FlapGuard } from '@rollcall/failure-detector';
import type { Node } from './node.js';

/** Is what turns here the other's doing? */
const isJudge = (node: Node): boolean => node.health.isWell && node.me?.row.cutOff !== true;

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

/** A heartbeat of an observed member came, after so many that were lost; below 0: it was overtaken. */
export function noteBeat(
  node: Node,
  key: NodeKey,
  lost: number,
  isSignOfLife: boolean,
  nowMs: number,
): void {
  if (lost >= 0 && isJudge(node)) node.peer(key).flaps?.beat(lost, isSignOfLife, nowMs);
}

/**
 * Is it hardly heard, while most of the others are heard well? A network that loses nearly everything loses it on all
 * links: once all held each other, and a cluster ended when the network was well again.
 */
export function isFaintest(node: Node, key: NodeKey): boolean {
  if (!node.peers.get(key)?.flaps?.isHardlyHeard) return false;
  const others = node.observed.filter((each) => each !== key);
  const isWellHeard = (each: NodeKey) => node.peers.get(each)?.flaps?.isWellHeard === true;
  return 2 * others.filter(isWellHeard).length > others.length;
}

/** It is held unreachable, and may have to be for a while. */
export function noteConvicted(node: Node, key: NodeKey, nowMs: number): void {
  const { address, flaps } = node.peer(key);
  if (flaps === undefined || !isJudge(node)) return;
  const isFaint = isFaintest(node, key);
  flaps.convicted(nowMs, isFaint);
  if (!flaps.isHolding) return;
  const forMs = Math.round(flaps.heldUntilMs - nowMs);
  const what = isFaint ? 'is hardly heard' : 'comes and goes';
  const message = `${address} ${what}: it stays unreachable until it has been heard for ${forMs} ms without a break`;
  node.log('warn', message, { node: key, forMs });
}

/** It is believed again. */
export function noteTakenBack(node: Node, key: NodeKey, nowMs: number): void {
  if (isJudge(node)) node.peer(key).flaps?.believed(nowMs);
}
