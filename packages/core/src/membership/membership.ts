/**
 * The machine: one input at a time in, directives out, nothing done by itself. This file only
 * dispatches; each sub-protocol has its own.
 */
import type { NodeKey } from '@rollcall/convergence';
import { accepts, onNotMember } from './acceptance.js';
import { onAdmitDue, onIntroduce, onJoin, onProbed } from './admission.js';
import { blockersOf } from './blockers.js';
import type { CommandProblem } from './command-problem.js';
import { conclude } from './conclude.js';
import { onWrite } from './correspondence.js';
import type { Directive } from './directive.js';
import { downByHand, onDowningDue, onLease } from './downing.js';
import { bringUpToDate, onBuckets, onFlush, onPatch, onStatus } from './gossip.js';
import { onHeartbeat, onTick } from './heartbeat.js';
import type { Hello } from './hello.js';
import type { Input, Timer } from './input.js';
import { onJoinDue, onJoinRefused, onJoinRetry, onWelcome, rejoinIfForgotten } from './join.js';
import { askToLeave, onFlushExited, onGossipWhileExited, onLeave, onLeaveDue } from './leave.js';
import { linkGaps, linkViews } from './link-view.js';
import type { Blocker, ClusterState, LinkGaps, LinkView } from './member-view.js';
import type { Message } from './message.js';
import { Node, type NodeOptions } from './node.js';
import { onReport } from './outcomes.js';
import { healthScore } from './own-health.js';
import { noticePause } from './pause.js';
import { isProbing, onProbe, onProbeFor, onProbesDue, relayLinked } from './probe.js';
import type { Random } from './random.js';
import {
  farLinkIsGone,
  greetStranger,
  meetIsland,
  onRepairDue,
  onSeedsResolved,
} from './repair.js';
import {
  onContact,
  onContactLost,
  onDialFailed,
  onLeadsTo,
  onResolved,
  onSeedAnswer,
  onSelfProbed,
  startSeeking,
} from './seek.js';
import { standing } from './standing.js';
import { onSwim, onSwimDue, swimLinked } from './swim-evidence.js';
import { convictReplaced, judgeSilences, onProbed as onProbeAnswered } from './verdict.js';

export class Membership {
  readonly #node: Node;

  constructor(options: NodeOptions, random: Random) {
    this.#node = new Node(options, random);
  }

  get self(): NodeKey {
    return this.#node.self;
  }

  get state(): ClusterState {
    return this.#node.view;
  }

  get blockers(): readonly Blocker[] {
    return blockersOf(this.#node);
  }

  links(nowMs: number): readonly LinkView[] {
    return linkViews(this.#node, nowMs);
  }

  get gaps(): readonly LinkGaps[] {
    return linkGaps(this.#node);
  }

  /** Local health: 0 is well. */
  get healthScore(): number {
    return healthScore(this.#node);
  }

  /** Whose heartbeats this node waits for. */
  get observed(): readonly NodeKey[] {
    return this.#node.observed;
  }

  /** This node's suspicion of a member that it observes. */
  suspicion(key: NodeKey, nowMs: number): number | undefined {
    return this.#node.observed.includes(key)
      ? this.#node.detectors.suspicion(key, nowMs)
      : undefined;
  }

  /** How large a frame of this node may be to be looked at. Until it is let in, a node is sent whole states by nodes it does not know. */
  frameBytesFrom(from: NodeKey): number {
    const { isMember, settings, replica } = this.#node;
    const isKnown = !isMember || replica?.state.has(from) === true;
    return isKnown ? settings.limits.frameBytes : settings.limits.strangerBytes;
  }

  /** One input; the directives that follow, to be obeyed in order. After a `stop` there are none. */
  step(input: Input, nowMs: number): readonly Directive[] {
    const node = this.#node;
    if (node.ended !== undefined) return [];
    noticePause(node, nowMs);
    take(node, input, nowMs);
    if (node.haveSwimVerdicts) judgeSilences(node, nowMs);
    conclude(node, nowMs);
    const ended = node.ended as Node['ended'];
    if (ended !== undefined) node.out.push({ kind: 'stop', ...ended });
    const { out } = node;
    node.out = [];
    return out;
  }
}

function take(node: Node, input: Input, nowMs: number): void {
  switch (input.kind) {
    case 'start':
      return begin(node, nowMs);
    case 'timer':
      return onTimer(node, input.timer, nowMs);
    case 'received':
      return onReceived(node, input, nowMs);
    case 'linkUp':
      return onLinkUp(node, input.peer, input.dialled, nowMs);
    case 'linkDown':
      return onLinkDown(node, input.peer);
    case 'leadsTo':
      return onLeadsTo(node, input.address, input.peer, nowMs);
    case 'dialFailed':
      return onDialFailed(node, input.address, input.reason, input.refusal, nowMs);
    case 'resolved':
      return node.attempt === undefined
        ? onSeedsResolved(node, input.seeds)
        : onResolved(node, input.seeds, nowMs);
    case 'probed':
      if (input.address === node.options.address) onSelfProbed(node, input.found, nowMs);
      return onProbed(node, input.address, input.found);
    case 'leaseAnswered':
      return onLease(node, input, nowMs);
    case 'write':
      return onWrite(node, input.to, nowMs);
    case 'report':
      return onReport(node, input.subject, input.isGood, nowMs);
    case 'leave':
      return onLeave(node, nowMs);
    case 'askToLeave':
      return answer(node, input.ticket, askToLeave(node, input.subject));
    case 'down':
      return answer(node, input.ticket, downByHand(node, input.subject));
    default:
      input satisfies never;
  }
}

/** Nothing but probes goes beside the links: whatever else comes there is not what somebody has just said. */
function onReceived(node: Node, input: Extract<Input, { kind: 'received' }>, nowMs: number): void {
  const { from, message, wasCast = false } = input;
  if (!wasCast) {
    const peer = node.peers.get(from);
    if (peer !== undefined) peer.linkHeardMs = nowMs;
  } else if (!isProbing(message)) return;
  onMessage(node, from, message, wasCast, nowMs);
}

function answer(node: Node, ticket: number, problem: CommandProblem | undefined): void {
  node.out.push({ kind: 'answer', ticket, problem });
}

function begin(node: Node, nowMs: number): void {
  node.out.push({ kind: 'identify', self: node.self });
  startSeeking(node, nowMs);
}

function onTimer(node: Node, timer: Timer, nowMs: number): void {
  if (node.timers.get(timer.kind) !== timer.dueMs) return;
  node.timers.delete(timer.kind);
  switch (timer.kind) {
    case 'tick':
      rejoinIfForgotten(node, nowMs);
      return onTick(node, nowMs);
    case 'verdict':
      return node.isMember ? judgeSilences(node, nowMs) : undefined;
    case 'probe':
      return onProbesDue(node, nowMs);
    case 'swim':
      return onSwimDue(node, nowMs);
    case 'flush':
      onFlush(node, nowMs);
      return onFlushExited(node);
    case 'join':
      return onJoinDue(node, nowMs);
    case 'admit':
      return onAdmitDue(node, nowMs);
    case 'downing':
      return onDowningDue(node, nowMs);
    case 'leave':
      return onLeaveDue(node, nowMs);
    case 'repair':
      return onRepairDue(node, nowMs);
    default:
      timer.kind satisfies never;
  }
}

function onLinkUp(node: Node, hello: Hello, dialled: string | undefined, nowMs: number): void {
  const key = hello.self;
  if (key === node.self) return;
  const peer = node.peer(key);
  peer.linked = true;
  peer.linkedAtMs = nowMs;
  for (const other of node.observed) {
    // A hello is a claim: the old run is gone if its link is, or if this node dialled and another answered.
    const old = node.peer(other);
    if (other === key || old.address !== peer.address) continue;
    if (dialled !== undefined || !old.linked) convictReplaced(node, other, nowMs);
  }
  relayLinked(node, key, nowMs);
  swimLinked(node, key);
  if (node.attempt !== undefined) onContact(node, key, dialled, nowMs);
  else if (node.isMember && node.isLiveHere(key)) bringUpToDate(node, peer, nowMs);
  else if (node.isMember && dialled !== undefined) greetStranger(node, key);
}

function onLinkDown(node: Node, key: NodeKey): void {
  if (node.attempt !== undefined) onContactLost(node, key);
  node.peers.get(key)?.unlinked();
  farLinkIsGone(node, key);
  if (node.replica?.state.has(key) !== true) node.peers.delete(key);
}

function onMessage(
  node: Node,
  from: NodeKey,
  message: Message,
  wasCast: boolean,
  nowMs: number,
): void {
  if (node.replica?.phase === 'exited') return onExited(node, from, message, nowMs);
  switch (message.kind) {
    case 'heartbeat':
      return onHeartbeat(node, from, message, nowMs);
    case 'status':
      if (accepts(node, from, null, message.status.epoch, nowMs))
        onStatus(node, from, message.status, message.want, nowMs);
      return;
    case 'patch':
      return onPatch(node, from, message, nowMs);
    case 'buckets':
      return onBuckets(node, from, message, nowMs);
    case 'seedAsk':
      if (!node.peer(from).questions.take(nowMs)) return;
      node.send(from, { kind: 'seedAnswer', standing: standing(node) });
      return meetIsland(node, from, message.standing, nowMs);
    case 'seedAnswer':
      onSeedAnswer(node, from, message.standing, nowMs);
      return meetIsland(node, from, message.standing, nowMs);
    case 'join':
      return node.peer(from).questions.take(nowMs) ? onJoin(node, from, nowMs) : undefined;
    case 'welcome':
      return onWelcome(node, from, message, nowMs);
    case 'introduce':
      return onIntroduce(node, from, message, nowMs);
    case 'joinRetry':
      return onJoinRetry(node, from, message, nowMs);
    case 'joinRefused':
      return onJoinRefused(node, from, message.refusal, nowMs);
    case 'notMember':
      return onNotMember(node, from, message);
    case 'exitNoted':
      return;
    case 'probe':
      return onProbe(node, from, message.round, wasCast);
    case 'probeFor':
      return onProbeFor(node, from, message, wasCast, nowMs);
    case 'probed':
      return onProbeAnswered(node, from, message, wasCast, nowMs);
    case 'swim':
      return onSwim(node, from, message, nowMs);
    default:
      message satisfies never;
  }
}

function onExited(node: Node, from: NodeKey, message: Message, nowMs: number): void {
  if (message.kind === 'notMember') onNotMember(node, from, message);
  else onGossipWhileExited(node, from, message, nowMs);
}
