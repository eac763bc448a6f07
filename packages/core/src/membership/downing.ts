/**
 * Downing without a leader: every voter computes who stays as a pure function of the agreed state, and
 * acts on whoever has been to go for `downing.stableAfter` without a break; those who are not among the stayers, and
 * those that can reach no quorum, stop themselves (docs/PROTOCOL.md, "Downing").
 */
import {
  addressOf,
  decide,
  downing,
  goers,
  isLive,
  markDown,
  missingForQuorum,
  type NodeKey,
  quorate,
  type State,
  ties,
  wouldLoseQuorum,
} from '@rollcall/convergence';
import {
  type CommandProblem,
  wouldLoseQuorum as lostQuorum,
  notMember,
  unknownMember,
} from './command-problem.js';
import { commit } from './commit.js';
import { finalWord } from './gossip.js';
import type { Input } from './input.js';
import { claimDueMs, claimLease, onLeaseAnswered } from './lease-claim.js';
import { type Node, named } from './node.js';
import { ownReach, ownReachIsQuorate } from './own-reach.js';

/** After every change: has what decisions read changed, and is this node's own side still quorate? */
export function watchDowning(node: Node, nowMs: number): void {
  noteGoers(node, nowMs);
  node.notQuorateSinceMs = ownReachIsQuorate(node) ? undefined : (node.notQuorateSinceMs ?? nowMs);
  if (node.settings.downing.strategy === 'manual') return;
  if (nowMs >= decisionDueMs(node)) node.arm('downing', nowMs, 0);
  else armDowning(node, nowMs);
}

/** For what is still to come: a timer may fire a hair early, and then it is not due yet. */
function armDowning(node: Node, nowMs: number): void {
  const dues = [decisionDueMs(node), fateDueMs(node), claimDueMs(node), leaseDueMs(node)].filter(
    (dueMs) => dueMs > nowMs,
  );
  const dueMs = Math.min(...dues);
  if (dueMs < Number.POSITIVE_INFINITY) node.arm('downing', nowMs, dueMs - nowMs);
}

/**
 * Each has a time of its own, which runs for as long as it is one of those who go. Where one of them stays
 * after all the network may be healing, and the rest get the time to come back as well.
 */
function noteGoers(node: Node, nowMs: number): void {
  const { goingSinceMs, accusations, state, rules } = node;
  if (accusations.pairs.length === 0) return goingSinceMs.clear();
  const going = new Set(goers(state, rules));
  // Where nobody stays, any change is a reason to wait.
  const isHopeless = going.size === state.electorateKeys.length;
  const lost = isHopeless ? accusations.pairs.join(' ') : undefined;
  if (lost !== node.lostForGood) goingSinceMs.clear();
  node.lostForGood = lost;
  for (const key of goingSinceMs.keys()) {
    if (going.has(key)) continue;
    if (node.isLiveHere(key)) goingSinceMs.clear();
    else goingSinceMs.delete(key);
  }
  for (const key of going) if (!goingSinceMs.has(key)) goingSinceMs.set(key, nowMs);
}

/**
 * When the first of those who go has gone long enough. What befell several at once is found within an
 * interval or two, and they go together.
 */
function decisionDueMs({ goingSinceMs, settings }: Node): number {
  if (goingSinceMs.size === 0) return Number.POSITIVE_INFINITY;
  const first = Math.min(...goingSinceMs.values());
  const together = [...goingSinceMs.values()].filter(
    (sinceMs) => sinceMs <= first + 2 * settings.heartbeat.interval,
  );
  return Math.max(...together) + settings.downing.stableAfter;
}

const dueNow = ({ goingSinceMs, settings }: Node, nowMs: number): ReadonlySet<NodeKey> =>
  new Set(
    [...goingSinceMs.keys()].filter(
      (key) => nowMs >= (goingSinceMs.get(key) ?? nowMs) + settings.downing.stableAfter,
    ),
  );

/** A half that reaches a quorum all the same, in a roundabout way, waits for the lease no longer than others do. */
const leaseDueMs = (node: Node): number =>
  node.claims.size === 0
    ? Number.POSITIVE_INFINITY
    : decisionDueMs(node) + node.settings.downing.unstableAfter;

function fateDueMs(node: Node): number {
  const { stableAfter, unstableAfter } = node.settings.downing;
  return node.notQuorateSinceMs === undefined
    ? Number.POSITIVE_INFINITY
    : node.notQuorateSinceMs + stableAfter + unstableAfter;
}

/** A decision that has to wait for others to see the state is taken up again when they have: that is a change. */
export function onDowningDue(node: Node, nowMs: number): void {
  if (!node.isMember || node.settings.downing.strategy === 'manual') return;
  if (nowMs >= fateDueMs(node)) return stopWithoutQuorum(node);
  if (nowMs >= decisionDueMs(node)) takeDecision(node, nowMs);
  armDowning(node, nowMs);
}

/** By its own fate: `minority` if those it does not reach could go on without it, else nobody can. */
function stopWithoutQuorum(node: Node): void {
  const { state, rules } = node;
  const reached = ownReach(node);
  const missing = missingForQuorum(state, reached, rules);
  const others = new Set(state.electorateKeys.filter((key) => !reached.has(key)));
  const reason = quorate(state, others, rules) ? 'minority' : 'notQuorate';
  const isHalf = ties(state, reached, rules).length > 0;
  const lease = isHalf ? ', and the lease did not grant it the tie' : '';
  const ways = 'start it again once they are back, or found anew';
  node.stop(
    reason,
    `stopped itself: without ${missing.length === 0 ? 'any member that is counted' : named(missing)} this side has no quorum (${rules.strategy})${lease}; ${ways}`,
  );
}

function takeDecision(node: Node, nowMs: number): void {
  const { replica } = node;
  if (replica === undefined) return;
  const decision = downing(replica, node.rules, dueNow(node, nowMs));
  if (decision.kind === 'wait') return;
  const sinceMs = Math.min(...node.goingSinceMs.values());
  const why = `${node.rules.strategy}, unchanged for ${Math.round(nowMs - sinceMs)} ms`;
  if (decision.kind === 'claim') {
    const owner = claimLease(node, decision, nowMs);
    if (owner !== undefined) return yieldTo(node, owner, decision.stayers, why);
    if (nowMs >= leaseDueMs(node)) stopWithoutQuorum(node);
    return;
  }
  const stay = decide(replica.state, node.rules) ?? new Set<NodeKey>();
  announce(node, stay, decision.kind === 'down' ? decision.subjects : others(node, stay), why);
  if (decision.kind === 'stop')
    return node.stop(
      decision.reason,
      `stopped itself: ${REASONS[decision.reason]}; staying: ${named(stay)} (${why})`,
    );
  for (const key of decision.subjects) tellDown(node, key);
  commit(node, decision.replica, `downed here: ${why}`);
}

/** The lease is the other half's. */
function yieldTo(node: Node, owner: NodeKey, half: ReadonlySet<NodeKey>, why: string): void {
  announce(node, new Set(others(node, half)), [...half], why);
  node.stop(
    'minority',
    `stopped itself: the halves are equal, and the lease is granted to ${addressOf(owner)} (${why})`,
  );
}

const others = ({ state }: Node, some: ReadonlySet<NodeKey>): readonly NodeKey[] =>
  state.electorateKeys.filter((key) => !some.has(key));

function announce(
  node: Node,
  stay: ReadonlySet<NodeKey>,
  go: readonly NodeKey[],
  why: string,
): void {
  node.out.push({
    kind: 'emit',
    event: { type: 'downingDecided', stay: [...stay], go: [...go], why, state: node.view },
  });
}

/** What the lease said may end this node, or make its half win; what follows is decided at once. */
export function onLease(
  node: Node,
  answer: Extract<Input, { kind: 'leaseAnswered' }>,
  nowMs: number,
): void {
  if (!node.isMember) return;
  onLeaseAnswered(node, answer, nowMs);
  onDowningDue(node, nowMs);
}

const REASONS = {
  minority: 'this is the smaller part',
  toldToGo: 'those who stay agreed that this node is to go',
  notQuorate: 'no part has a quorum',
} as const;

/** Marks a member down because another run has taken its address; it still counts until it is removed. */
export function downReplaced(node: Node, old: NodeKey): void {
  if (node.replica === undefined || !node.isLiveHere(old)) return;
  tellDown(node, old);
  commit(node, markDown(node.replica, old), `another run has taken ${addressOf(old)}`);
}

function tellDown(node: Node, key: NodeKey): void {
  node.send(key, { kind: 'notMember', removed: true, epoch: node.state.epoch });
}

/** An operator's down: refused if it could never be committed. */
export function downByHand(node: Node, subject: NodeKey): CommandProblem | undefined {
  const { replica } = node;
  if (replica === undefined || !node.isMember) return notMember;
  const member = replica.state.get(subject);
  if (member === undefined) return unknownMember(subject);
  if (!isLive(member.status)) return undefined;
  if (wouldLoseQuorum(replica.state, subject, node.rules)) {
    const rest = new Set(
      replica.state.electorate.map((each) => each.key).filter((key) => key !== subject),
    );
    const missing = missingForQuorum(replica.state, rest, node.rules);
    return lostQuorum(subject, missing, node.rules.strategy);
  }
  const marked = markDown(replica, subject);
  if (subject === node.self) passOn(node, marked.state);
  else tellDown(node, subject);
  commit(node, marked, 'asked for by an operator');
  return undefined;
}

/** A node that is told to go stops at once: those it observes hear of it first, or they would have to miss it. */
function passOn(node: Node, state: State): void {
  for (const key of node.observed) {
    const peer = node.peer(key);
    if (!peer.linked) continue;
    const base = peer.reported === undefined ? undefined : node.history.get(peer.reported);
    node.send(key, finalWord(base ?? null, state), 'gossip');
  }
}
