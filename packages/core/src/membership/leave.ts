/**
 * Leaving: Up becomes Leaving, agreement makes it Exiting, the member itself declares Exited and then
 * only says so until it hears that it was removed (X07). A leave that cannot be agreed on is forced.
 */
import {
  beginLeave,
  declareExited,
  diff,
  isLive,
  merge,
  type NodeKey,
} from '@rollcall/convergence';
import { commit } from './commit.js';
import { rebuild, remember } from './gossip.js';
import type { Message } from './message.js';
import { type Node, named } from './node.js';
import { blockersOf } from './blockers.js';

/** How often an exited node repeats its testimony. */
const REPEAT_MS = 200;

/** Asks `subject` to leave: itself, or any member. */
export function onLeave(node: Node, subject: NodeKey, nowMs: number): void {
  const { replica } = node;
  if (subject !== node.self) {
    if (replica !== undefined && node.isMember) commit(node, beginLeave(replica, subject), 'asked to leave');
    return;
  }
  if (node.leaving !== undefined) return;
  node.leaving = { sinceMs: nowMs, exitedAtMs: undefined, isForced: false };
  if (replica === undefined || !node.isMember) return node.stop('left', 'left before it had joined');
  commit(node, beginLeave(replica, node.self), 'leaving');
  node.arm('leave', nowMs, node.settings.leave.timeout);
  finishLeaving(node, nowMs);
}

/** After every change: a member that sees itself exiting says its last word; one that was never up just goes. */
export function finishLeaving(node: Node, nowMs: number): void {
  const status = node.me?.status;
  if (node.leaving?.exitedAtMs !== undefined || !node.isMember) return;
  if (status === 'Leaving' || status === 'Exiting') node.leaving ??= { sinceMs: nowMs, exitedAtMs: undefined, isForced: false };
  if (status === 'Leaving' && !node.timers.has('leave')) node.arm('leave', nowMs, node.settings.leave.timeout);
  const isTime = status === 'Exiting' || (node.leaving !== undefined && (status === 'Joining' || status === 'WeaklyUp'));
  if (isTime) exit(node, nowMs);
}

function exit(node: Node, nowMs: number): void {
  const { replica, leaving } = node;
  if (replica === undefined || leaving === undefined) return;
  leaving.exitedAtMs = nowMs;
  commit(node, declareExited(replica), 'exited');
  node.heard = node.state;
  testify(node);
  node.arm('leave', nowMs, REPEAT_MS);
  stopIfAlone(node);
}

/** Pushes the own, final state to everybody who is linked and may still have to hear it. */
function testify(node: Node): void {
  const { state } = node;
  remember(node, state);
  for (const peer of node.peers.values()) {
    if (!peer.linked || node.state.get(peer.key)?.status === 'Down' || !state.has(peer.key)) continue;
    const base = peer.holds === undefined ? undefined : node.history.get(peer.holds);
    const patch = diff(base ?? null, state);
    node.send(peer.key, { kind: 'patch', patch, seen: new Uint8Array((state.electorate.length + 7) >> 3) }, 'gossip');
  }
}

export function onLeaveDue(node: Node, nowMs: number): void {
  const { leaving } = node;
  if (leaving === undefined) return;
  if (leaving.exitedAtMs === undefined) {
    leaving.isForced = true;
    const why = blockersOf(node).map((blocker) => blocker.text).join('; ');
    node.log('warn', `leaving without agreement after leave.timeout: ${why || 'not everybody has seen it'}`, {
      blockers: blockersOf(node),
    });
    return exit(node, nowMs);
  }
  if (nowMs - leaving.exitedAtMs >= node.settings.leave.linger) {
    return node.stop('left', 'left the cluster; it lingered for leave.linger and was not told of its removal');
  }
  testify(node);
  node.arm('leave', nowMs, REPEAT_MS);
}

/** An exited node listens only for who else has gone, and for those who keep its testimony. */
export function onGossipWhileExited(node: Node, from: NodeKey, message: Message): void {
  if (message.kind === 'exitNoted') {
    node.exitNotedBy.add(from);
    if (node.leaving?.isForced !== true) return;
    const reachable = [...node.peers.values()].filter((peer) => peer.linked && node.isLiveHere(peer.key));
    if (reachable.every((peer) => node.exitNotedBy.has(peer.key))) {
      node.stop('left', `left the cluster; ${named(reachable.map((peer) => peer.key))} will see to its removal`);
    }
  } else if (message.kind === 'patch' && node.heard !== undefined) {
    const theirs = rebuild(node, message.patch);
    if (theirs === undefined || theirs.clusterId !== node.heard.clusterId) return;
    node.peer(from).holds = theirs.digest;
    if (Math.abs(theirs.epoch - node.heard.epoch) <= 1) node.heard = merge(node.heard, theirs);
    stopIfAlone(node);
  }
}

/** Nobody is left who could remove this node: a whole cluster that stops does not linger. */
function stopIfAlone(node: Node): void {
  if (node.heard?.members.some((member) => isLive(member.status))) return;
  node.stop('left', 'left the cluster: no other live member is left');
}

