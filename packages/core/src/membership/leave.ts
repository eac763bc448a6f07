/**
 * Leaving: Up becomes Leaving, agreement makes it Exiting, the member itself declares Exited and then
 * only says so until it hears that it was removed (X07). A leave that cannot be agreed on is forced.
 */
import {
  addressOf,
  beginLeave,
  declareExited,
  isLive,
  type Member,
  merge,
  type NodeKey,
  type Patch,
} from '@rollcall/convergence';
import { blockersOf } from './blockers.js';
import { type CommandProblem, notMember, unknownMember } from './command-problem.js';
import { commit } from './commit.js';
import { finalWord, rebuild, remember, scheduleFlush, statusOf } from './gossip.js';
import type { Message } from './message.js';
import { type Node, named } from './node.js';

/** How often an exited node repeats its testimony. */
const REPEAT_MS = 200;

/** How this node came to leave, for its subscribers and its log. */
const TOLD = 'this node was told to leave';

/** A forced leave still has to tell those who are reachable, and is to be over within `leave.timeout`. */
const forcedAfterMs = ({ settings }: Node): number =>
  Math.max(settings.leave.timeout - 3 * REPEAT_MS, settings.leave.timeout / 2);

/**
 * Whoever leaves takes its vote with it. When no voter is left, nothing can be agreed on any more: nobody
 * is removed, and no newcomer let in, not even one that could vote.
 */
function warnOfLastVoter(node: Node, leaver: NodeKey): void {
  const { state, rules } = node;
  const stay = state.electorate.filter(
    ({ key, status }) => key !== leaver && status !== 'Leaving' && status !== 'Exiting',
  );
  const isVoter = ({ status, roles }: Member) =>
    status === 'Up' && (rules.role === null || roles.includes(rules.role));
  if (stay.length === 0 || stay.some(isVoter)) return;
  const stayers = stay.map(({ key }) => key);
  const voter =
    rules.role === null
      ? 'member that is up'
      : `member with role ${rules.role} (downing.role) that is up`;
  node.log(
    'warn',
    `${addressOf(leaver)} is the last ${voter}: once it has left, ${named(stayers)} can agree on nothing any more. ` +
      'Stop them too and found anew; another time, wait until another one is up before the last one leaves',
    { leaver, stayers },
  );
}

/** Asks another member to leave. One that is on its way already is no problem; one that was never up is (X24). */
export function askToLeave(node: Node, subject: NodeKey): CommandProblem | undefined {
  const { replica } = node;
  if (replica === undefined || !node.isMember) return notMember;
  const status = replica.state.get(subject)?.status;
  if (status === undefined) return unknownMember(subject);
  if (status === 'Joining' || status === 'WeaklyUp') {
    const message = `${addressOf(subject)} is not up yet: ask that node itself, or mark it down`;
    return { code: 'notUp', message, data: { node: subject } };
  }
  if (status === 'Up') warnOfLastVoter(node, subject);
  commit(node, beginLeave(replica, subject), 'asked to leave');
  return undefined;
}

/** This node is to leave. One that is being introduced waits for the answer, or others would have to miss it first. */
export function onLeave(node: Node, nowMs: number): void {
  const { replica } = node;
  if (node.leaving !== undefined) return;
  node.leaving = { sinceMs: nowMs, exitedAtMs: undefined, isForced: false };
  if (replica === undefined) return node.stop('left', 'left before it had joined');
  if (!node.isMember) return node.arm('leave', nowMs, node.settings.join.retryAfter);
  if (node.me?.status === 'Up') warnOfLastVoter(node, node.self);
  commit(node, beginLeave(replica, node.self), TOLD);
  node.arm('leave', nowMs, forcedAfterMs(node));
  finishLeaving(node, nowMs);
}

/** After every change: a member that sees itself exiting says its last word; one that was never up just goes. */
export function finishLeaving(node: Node, nowMs: number): void {
  const status = node.me?.status;
  if (node.leaving?.exitedAtMs !== undefined || !node.isMember) return;
  if (node.leaving !== undefined && status === 'Up' && node.replica !== undefined) {
    // It was told to leave while it was being let in, and is up before it could say so.
    warnOfLastVoter(node, node.self);
    commit(node, beginLeave(node.replica, node.self), TOLD);
    node.arm('leave', nowMs, forcedAfterMs(node));
  }
  if (status === 'Leaving' || status === 'Exiting')
    node.leaving ??= { sinceMs: nowMs, exitedAtMs: undefined, isForced: false };
  if (status === 'Leaving' && !node.timers.has('leave'))
    node.arm('leave', nowMs, forcedAfterMs(node));
  const isTime =
    status === 'Exiting' ||
    (node.leaving !== undefined && (status === 'Joining' || status === 'WeaklyUp'));
  if (isTime) exit(node, nowMs);
}

function exit(node: Node, nowMs: number): void {
  const { replica, leaving } = node;
  if (replica === undefined || leaving === undefined) return;
  leaving.exitedAtMs = nowMs;
  commit(node, declareExited(replica), 'this node has nothing left to do');
  node.heard = node.state;
  testify(node);
  node.arm('leave', nowMs, REPEAT_MS);
  stopIfAlone(node);
}

/**
 * Pushes the own, final state to everybody who is linked and may still have to hear it. Those who have
 * exited too are told all that was heard, since they only listen: so a whole cluster that stops learns
 * of it, and no merged state reaches anybody who votes (X07).
 */
function testify(node: Node): void {
  for (const peer of node.peers.values()) {
    const status = node.heard?.get(peer.key)?.status;
    if (!peer.linked || status === undefined || status === 'Down') continue;
    const state = status === 'Exited' && node.heard !== undefined ? node.heard : node.state;
    if (peer.told === state.digest && status === 'Exited') continue;
    remember(node, state);
    const base = peer.reported === undefined ? undefined : node.history.get(peer.reported);
    node.send(peer.key, finalWord(base ?? null, state), 'gossip');
    peer.told = state.digest;
  }
}

/** The batch window has closed on news that an exited node has heard. */
export function onFlushExited(node: Node): void {
  if (node.replica?.phase === 'exited') testify(node);
}

export function onLeaveDue(node: Node, nowMs: number): void {
  const { leaving } = node;
  if (leaving === undefined) return;
  if (node.replica?.phase === 'introducing') return node.stop('left', 'left before it had joined');
  if (leaving.exitedAtMs === undefined) {
    leaving.isForced = true;
    const why = blockersOf(node)
      .map((blocker) => blocker.text)
      .join('; ');
    node.log(
      'warn',
      `leaving without agreement, since leave.timeout is nearly over: ${why || 'not everybody has seen it'}`,
      {
        blockers: blockersOf(node),
      },
    );
    return exit(node, nowMs);
  }
  if (nowMs - leaving.exitedAtMs >= node.settings.leave.linger) {
    return node.stop(
      'left',
      'left the cluster; it lingered for leave.linger and was not told of its removal',
    );
  }
  testify(node);
  node.arm('leave', nowMs, REPEAT_MS);
}

/** An exited node listens only for who else has gone, and for those who keep its testimony. */
export function onGossipWhileExited(
  node: Node,
  from: NodeKey,
  message: Message,
  nowMs: number,
): void {
  if (message.kind === 'exitNoted') {
    node.exitNotedBy.add(from);
    if (node.leaving?.isForced !== true) return;
    const reachable = [...node.peers.values()].filter(
      (peer) => peer.linked && node.isLiveHere(peer.key),
    );
    if (reachable.every((peer) => node.exitNotedBy.has(peer.key))) {
      node.stop(
        'left',
        `left the cluster; ${named(reachable.map((peer) => peer.key))} will see to its removal`,
      );
    }
  } else if (message.kind === 'patch') {
    hear(node, from, message.patch, nowMs);
  } else if (message.kind === 'status' && message.want) {
    node.send(from, finalWord(null, node.state), 'gossip');
  }
}

function hear(node: Node, from: NodeKey, patch: Patch, nowMs: number): void {
  if (node.heard === undefined) return;
  const theirs = rebuild(node, patch);
  if (theirs === undefined) {
    return node.send(from, { kind: 'status', status: statusOf(node), want: true }, 'gossip');
  }
  if (theirs.clusterId !== node.heard.clusterId) return;
  remember(node, theirs);
  node.peer(from).reported = theirs.digest;
  if (Math.abs(theirs.epoch - node.heard.epoch) > 1) return;
  const heard = merge(node.heard, theirs);
  if (heard === node.heard) return;
  node.heard = heard;
  scheduleFlush(node, nowMs);
  stopIfAlone(node);
}

/** Nobody is left who could remove this node: a whole cluster that stops does not linger. */
function stopIfAlone(node: Node): void {
  if (node.heard?.members.some((member) => isLive(member.status))) return;
  testify(node);
  node.stop('left', 'left the cluster: no other live member is left');
}
