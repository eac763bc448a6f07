/**
 * SWIM with Lifeguard as a state machine: a packet, a command or the time goes in, packets and verdicts
 * come out. It only dispatches; the protocol is in the other files of this folder.
 */

import { accept, introduce, onPatienceDue } from './evidence.js';
import {
  abandonProbe,
  onAck,
  onNack,
  onPingReq,
  onProbeDue,
  onRelayDue,
  onTick,
} from './probing.js';
import {
  acceptSynced,
  answerAccusers,
  answerTheDead,
  onGossipRound,
  onLeave,
  onRecallDue,
  onSync,
  onSyncDue,
} from './spreading.js';
import type { Suspicion } from './suspicion.js';
import type {
  SwimChance,
  SwimDirective,
  SwimInput,
  SwimMemberId,
  SwimPacket,
  SwimStatus,
} from './swim-message.js';
import { type Peer, SwimNode } from './swim-node.js';
import type { SwimOptions } from './swim-options.js';

/** How many probes have ended, and how many of them without an answer. */
export interface ProbeCounts {
  readonly ended: number;
  readonly failed: number;
}

export interface SwimStart {
  /** This node's own index. */
  readonly self: SwimMemberId;
  readonly options: SwimOptions;
  readonly chance: SwimChance;
  /** Monotonic. */
  readonly nowMs: number;
  /** Above any that this address has used before, if that is known; 1 unless given. */
  readonly incarnation?: number;
}

export class Swim {
  readonly #node: SwimNode;

  constructor({ self, options, chance, nowMs, incarnation = 1 }: SwimStart) {
    this.#node = new SwimNode(self, options, chance, nowMs, incarnation);
  }

  /** When to step with `wake`, unless something else comes first. Every step may move it. */
  get wakeAtMs(): number {
    return this.#node.wakeAtMs;
  }

  /** Local health: 0 is well. */
  get score(): number {
    return this.#node.score;
  }

  get incarnation(): number {
    return this.#node.incarnation;
  }

  get probes(): ProbeCounts {
    return { ended: this.#node.probesEnded, failed: this.#node.probesFailed };
  }

  /** How many updates wait to be sent. */
  get waiting(): number {
    return this.#node.queue.size;
  }

  /** Undefined for a member this node has never met. */
  statusOf(member: SwimMemberId): SwimStatus | undefined {
    return this.#node.peers[member]?.status;
  }

  incarnationOf(member: SwimMemberId): number | undefined {
    return this.#node.peers[member]?.incarnation;
  }

  /**
   * One thing happens. The answer is used again: it is good until the next step.
   * Whatever has come due by `nowMs` is done too, so a host that is late skips nothing.
   */
  step(input: SwimInput, nowMs: number): readonly SwimDirective[] {
    const node = this.#node;
    node.out.length = 0;
    settlePause(node, nowMs);
    take(node, input, nowMs);
    while (node.wakeAtMs <= nowMs) fire(node, nowMs);
    return node.out;
  }
}

function take(node: SwimNode, input: SwimInput, nowMs: number): void {
  switch (input.kind) {
    case 'wake':
      return;
    case 'meet':
      introduce(node, input.member, input.incarnation ?? 0, nowMs);
      return;
    case 'forget':
      node.remove(input.member);
      return;
    case 'contact':
      answerTheDead(node, input.member, nowMs);
      return;
    case 'leave':
      onLeave(node, nowMs);
      return;
    default:
      onPacket(node, input, nowMs);
  }
}

/** News first: an answer then carries the objection to what the question said. */
function onPacket(node: SwimNode, packet: SwimPacket, nowMs: number): void {
  const { kind, from, updates } = packet;
  const isSync = kind === 'sync' || kind === 'syncReply';
  for (let index = 0; index < updates.length; index++) {
    const update = updates[index] as SwimPacket['updates'][number];
    if (isSync) acceptSynced(node, update, nowMs);
    else accept(node, update, nowMs);
  }
  if (node.options.answerDead) {
    answerTheDead(node, from, nowMs);
    answerAccusers(node, packet, nowMs);
  }
  if (kind === 'ping') node.send('ack', from, packet.seq, node.self, node.rider());
  else if (kind === 'ack') onAck(node, packet, nowMs);
  else if (kind === 'pingReq') onPingReq(node, packet, nowMs);
  else if (kind === 'nack') onNack(node, packet);
  else if (kind === 'sync') onSync(node, packet);
}

/** Does what is due first. */
function fire(node: SwimNode, nowMs: number): void {
  const { probe, suspicions, relays } = node;
  const dueMs = node.wakeAtMs;
  if (relays.dueMs === dueMs) onRelayDue(node);
  else if (suspicions.firstAtMs === dueMs) {
    onPatienceDue(node, node.peers[suspicions.first as SwimMemberId] as Peer, nowMs);
  } else if (node.tickAtMs === dueMs) {
    // Before the end of a probe at the same moment: such a tick was missed, like those before it.
    onTick(node, nowMs);
  } else if (probe.dueMs === dueMs) onProbeDue(node, nowMs);
  else if (node.gossipAtMs === dueMs) onGossipRound(node, nowMs);
  else if (node.syncAtMs === dueMs) onSyncDue(node, nowMs);
  else onRecallDue(node, nowMs);
}

/**
 * A step that comes much later than it should shows that this process was away. It heard nobody meanwhile,
 * and nobody heard it: suspects get the time back, and the probe under way is forgotten.
 */
function settlePause(node: SwimNode, nowMs: number): void {
  const { pauseGuardMs } = node.options;
  const lateMs = nowMs - node.wakeAtMs;
  if (pauseGuardMs === 0 || lateMs <= pauseGuardMs) return;
  abandonProbe(node);
  node.suspicions.resetAll((id) => {
    const suspicion = (node.peers[id] as Peer).suspicion as Suspicion;
    suspicion.startedMs += lateMs;
    return suspicion.deadlineMs(node.scale);
  });
}
