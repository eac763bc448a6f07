/**
 * The state of one SWIM node and the few moves that every part of the protocol makes: hold something
 * about a member, queue news, send. The parts are in files of their own.
 */
import { DeadlineHeap } from './deadline-heap.js';
import { Probe } from './probe-state.js';
import { Relays } from './relays.js';
import { type Suspicion, transmissionLimit } from './suspicion.js';
import type {
  SwimChance,
  SwimDirective,
  SwimMemberId,
  SwimPacketKind,
  SwimStatus,
  SwimUpdate,
} from './swim-message.js';
import type { SwimOptions } from './swim-options.js';
import { NO_UPDATES, UpdateQueue } from './update-queue.js';

/** What one node holds about one member. */
export class Peer {
  readonly id: SwimMemberId;
  /** What is held, as it was told; status and incarnation are read from it at every turn. */
  news: SwimUpdate;
  status: SwimStatus;
  incarnation: number;
  changedAtMs: number;
  suspicion: Suspicion | undefined;
  /** Left out of probes and syncs: it has been dead or gone for long. */
  isForgotten = false;
  /** When it was last told that it is held dead. */
  toldAtMs = Number.NEGATIVE_INFINITY;
  /** When it was last told that what it says of this node is wrong. */
  objectedAtMs = Number.NEGATIVE_INFINITY;

  constructor(news: SwimUpdate, nowMs: number) {
    this.id = news.subject;
    this.news = news;
    this.status = news.status;
    this.incarnation = news.incarnation;
    this.changedAtMs = nowMs;
  }

  get isGone(): boolean {
    return this.status === 'dead' || this.status === 'left';
  }
}

/** Moments are drawn on this grid, so that sums of whole milliseconds stay exact and ticks can coincide. */
const GRAINS_PER_MS = 1_024;

/** One objection a second reaches it in a century; whoever says more is not to be outdone. */
export const SWIM_INCARNATION_MAX = 0xffff_ffff;

/** So many members at most: they are indices, and tables are as long as the largest. */
export const SWIM_MEMBERS_MAX = 65_536;

export class SwimNode {
  readonly self: SwimMemberId;
  readonly options: SwimOptions;
  readonly chance: SwimChance;
  /** By id. */
  readonly peers: (Peer | undefined)[] = [];
  /** Everybody who is not forgotten, this node too, in the order of meeting. */
  readonly known: SwimMemberId[] = [];
  readonly queue = new UpdateQueue();
  readonly suspicions = new DeadlineHeap();
  readonly probe = new Probe();
  readonly relays = new Relays();
  /** What this step has led to; emptied by the next. */
  readonly out: SwimDirective[] = [];
  /** Local health: 0 is well. */
  score = 0;
  isLeaving = false;
  tickAtMs: number;
  gossipAtMs = Number.POSITIVE_INFINITY;
  syncAtMs: number;
  recallAtMs: number;
  /** Has a tick come while a probe was under way. */
  missedTick = false;
  probesEnded = 0;
  probesFailed = 0;
  /** Whom to probe, a round of it shuffled, and how far the round is. */
  readonly round: SwimMemberId[] = [];
  roundAt = 0;
  /** What `pick` has answered last. */
  readonly picked: SwimMemberId[] = [];
  readonly #gossipPhaseMs: number;
  #limit = 0;
  #limitAmong = 0;

  constructor(
    self: SwimMemberId,
    options: SwimOptions,
    chance: SwimChance,
    nowMs: number,
    incarnation: number,
  ) {
    this.self = self;
    this.options = options;
    this.chance = chance;
    const phaseOf = (ms: number) => Math.floor(chance.next() * ms * GRAINS_PER_MS) / GRAINS_PER_MS;
    const never = Number.POSITIVE_INFINITY;
    const { syncIntervalMs, recallDeadMs, gossipIntervalMs, probeIntervalMs } = options;
    this.tickAtMs = nowMs + phaseOf(probeIntervalMs);
    this.#gossipPhaseMs = nowMs + phaseOf(gossipIntervalMs);
    this.syncAtMs = syncIntervalMs === 0 ? never : nowMs + phaseOf(syncIntervalMs);
    this.recallAtMs = recallDeadMs === 0 ? never : nowMs + phaseOf(recallDeadMs);
    this.add({ status: 'alive', subject: self, incarnation, from: self, unwell: false }, nowMs);
  }

  /** The earliest moment at which there is something to do. */
  get wakeAtMs(): number {
    return Math.min(
      this.tickAtMs,
      this.probe.dueMs,
      this.suspicions.firstAtMs,
      this.gossipAtMs,
      this.relays.dueMs,
      this.syncAtMs,
      this.recallAtMs,
    );
  }

  get incarnation(): number {
    return (this.peers[this.self] as Peer).incarnation;
  }

  /** What an accusation says of its accuser, and what a suspicion is scaled by. */
  get isUnwell(): boolean {
    return this.score > 0;
  }

  get scale(): number {
    return this.options.healthScaledSuspicion ? this.score : 0;
  }

  /** A member nothing was known about. */
  add(news: SwimUpdate, nowMs: number): Peer {
    const id = news.subject;
    while (this.peers.length <= id) this.peers.push(undefined);
    const peer = new Peer(news, nowMs);
    this.peers[id] = peer;
    this.remember(id);
    return peer;
  }

  /** Puts a member among those that are probed, at a random place of the round. */
  remember(id: SwimMemberId): void {
    this.known.push(id);
    const place = this.below(this.round.length + 1);
    this.round.push(id);
    this.round[this.round.length - 1] = this.round[place] as SwimMemberId;
    this.round[place] = id;
  }

  /** As if it had never been met. */
  remove(id: SwimMemberId): void {
    const peer = this.peers[id];
    if (peer === undefined || id === this.self) return;
    if (peer.suspicion !== undefined) this.suspicions.delete(id);
    if (this.probe.target === id) this.probe.end();
    this.peers[id] = undefined;
    this.queue.drop(id);
    for (const list of [this.known, this.round]) {
      const place = list.indexOf(id);
      if (place >= 0) list.splice(place, 1);
    }
    this.roundAt = Math.min(this.roundAt, this.round.length);
  }

  /** What is held now, told to the owner of this node and, with the next packets, to others. */
  hold(peer: Peer, news: SwimUpdate, nowMs: number): void {
    const { status, incarnation, from } = news;
    const before = peer.status;
    peer.news = news;
    peer.status = status;
    peer.incarnation = incarnation;
    if (before !== status) {
      peer.changedAtMs = nowMs;
      if (peer.id !== this.self) {
        this.out.push({ kind: 'verdict', member: peer.id, status, incarnation, from });
      }
    }
    this.spread(news, nowMs);
  }

  /** Queues news, and sees to it that there is a gossip round to carry it. */
  spread(news: SwimUpdate, nowMs: number): void {
    this.queue.put(news);
    if (this.gossipAtMs !== Number.POSITIVE_INFINITY) return;
    const { gossipIntervalMs } = this.options;
    const rounds = Math.floor((nowMs - this.#gossipPhaseMs) / gossipIntervalMs) + 1;
    this.gossipAtMs = this.#gossipPhaseMs + rounds * gossipIntervalMs;
  }

  /** What rides on the next packet. */
  cargo(): readonly SwimUpdate[] {
    if (this.queue.size === 0) return NO_UPDATES;
    if (this.#limitAmong !== this.known.length) {
      this.#limitAmong = this.known.length;
      this.#limit = transmissionLimit(this.options, this.known.length);
    }
    return this.queue.take(this.options.updatesPerPacket, this.#limit);
  }

  /** What rides on packets that are not gossip. */
  rider(): readonly SwimUpdate[] {
    return this.options.piggyback ? this.cargo() : NO_UPDATES;
  }

  send(
    kind: SwimPacketKind,
    to: SwimMemberId,
    seq: number,
    target: SwimMemberId,
    updates: readonly SwimUpdate[],
  ): void {
    this.out.push({ kind, from: this.self, to, seq, target, updates });
  }

  /** A whole number from 0 up to, not including, `end`. */
  below(end: number): number {
    return Math.floor(this.chance.next() * end);
  }
}

/**
 * Up to `count` different members that fit, by drawing while that is likely to find some, and then by going
 * through them all. The node's next call uses the array again.
 */
export function pick(
  node: SwimNode,
  count: number,
  fits: (peer: Peer, node: SwimNode, nowMs: number, except: SwimMemberId) => boolean,
  nowMs: number,
  except: SwimMemberId,
): readonly SwimMemberId[] {
  const { known, peers, picked } = node;
  picked.length = 0;
  const length = known.length;
  const end = 4 * length;
  const fromMember = node.below(length);
  for (let tries = 0; tries < end && picked.length < count; tries++) {
    const place = tries < 3 * length ? node.below(length) : (fromMember + tries) % length;
    const id = known[place] as SwimMemberId;
    if (picked.includes(id) || !fits(peers[id] as Peer, node, nowMs, except)) continue;
    picked.push(id);
  }
  return picked;
}
