/**
 * The one record behind a node's decisions, and the few verbs every sub-protocol uses on it: send,
 * arm, log, look up a peer. What the cluster agrees on is a value (`replica`); what only this node
 * knows (links, detectors, deadlines) is noted here. Each sub-protocol's file owns its own fields.
 */
import {
  type Accusations,
  accusations,
  addressOf,
  type Digest,
  isLive,
  type Member,
  type NodeKey,
  nodeKey,
  type Replica,
  type Rules,
  type State,
} from '@rollcall/convergence';
import {
  type FailureDetectorRegistry,
  LocalHealth,
  type OutcomeWindow,
} from '@rollcall/failure-detector';
import { Allowance } from './allowance.js';
import { assert } from './assert.js';
import type { StopReason } from './cluster-event.js';
import { newRegistry } from './detector-registry.js';
import type { Directive } from './directive.js';
import type { TimerKind } from './input.js';
import type { JoinAttempt } from './join-attempt.js';
import type { LeaseClaim } from './lease-claim.js';
import type { ClusterState, Member as ShownMember } from './member-view.js';
import type { Message } from './message.js';
import { outsideView } from './outside-view.js';
import { Peer } from './peer.js';
import type { ProbeRound, Relay } from './probe-round.js';
import type { Random } from './random.js';
import { rulesOf } from './rules-of.js';
import type { Settings } from './setting-table.js';
import type { SwimWatch } from './swim-watch.js';
import { ViewCache } from './view-cache.js';
import type { Welcome } from './welcome.js';

/** Who a node is, before it has a uid. */
export interface NodeOptions {
  readonly name: string;
  /** What others dial. */
  readonly address: string;
  /** It was given, not bound: another process may hold it, and is asked before anything is founded. */
  readonly isAdvertised?: boolean;
  /** In the order in which the first one founds. */
  readonly seeds: readonly string[];
  readonly roles: readonly string[];
  readonly appVersion: string;
  readonly settings: Settings;
}

/** One version of the replica and why it came to be. */
export interface Change {
  readonly replica: Replica;
  readonly why: string;
}

export class Node {
  readonly options: NodeOptions;
  readonly settings: Settings;
  readonly rules: Rules;
  readonly random: Random;
  /** What this step has asked for so far. */
  out: Directive[] = [];
  readonly timers = new Map<TimerKind, number>();

  self: NodeKey;
  /** Undefined while this node looks for a cluster. */
  replica: Replica | undefined;
  /** What became of the replica in this step, in order, each with the reason: commit.ts. */
  changes: Change[] = [];
  ended: { readonly reason: StopReason; readonly message: string } | undefined;

  readonly peers = new Map<NodeKey, Peer>();
  /** Something that decides which links are wanted has changed in this step. */
  haveNeedsChanged = false;
  /** Addresses that the transport was told to keep a link to. */
  readonly wanted = new Set<string>();

  /** join.ts */
  attempt: JoinAttempt | undefined;
  /** When it was last certain that others list this node. */
  lastListedMs = 0;
  /** admission.ts */
  readonly welcomes = new Map<string, Welcome>();
  readonly held = new Map<NodeKey, { readonly sinceMs: number }>();
  /** Joiners whose address an earlier run holds, while that address is asked. */
  readonly probing = new Map<NodeKey, NodeKey>();
  joiningSinceMs: number | undefined;
  /** heartbeat.ts, verdict.ts */
  detectors: FailureDetectorRegistry<NodeKey>;
  observed: readonly NodeKey[] = [];
  /** What the observed set was drawn from: who may vote, and whom they and this node hold unreachable. */
  observedFor: { readonly electorate: readonly NodeKey[]; readonly about: string } | undefined;
  readonly guests = new Map<NodeKey, number>();
  /** Whom this node holds unreachable, by its own evidence. */
  readonly verdicts = new Set<NodeKey>();
  /**
   * Whom it has held unreachable and not heard since, though it may have dropped the verdict; and those that it
   * does not hear but others reach.
   */
  readonly lost = new Set<NodeKey>();
  /** probe.ts: its own questions, numbered, and what it does for others. */
  readonly rounds = { count: 0, of: new Map<NodeKey, ProbeRound>() };
  readonly relays = new Map<NodeKey, Relay>();
  /** own-health.ts */
  readonly health: LocalHealth;
  wasLate = false;
  isHeldUnreachable = false;
  /** When it last reached no quorum. */
  cutOffAtMs = Number.NEGATIVE_INFINITY;
  /** swim-evidence.ts */
  swim: SwimWatch | undefined;
  haveSwimVerdicts = false;
  /** outcomes.ts */
  readonly outcomes = new Map<NodeKey, OutcomeWindow>();
  degraded: ReadonlySet<NodeKey> = new Set();
  /** Whose heartbeats have stopped, with `detector.kind=swim`, whatever SWIM says of them. */
  readonly silent = new Set<NodeKey>();
  /** What this node gets to has changed, though the state has not. */
  haveOwnNews = false;
  /** pause.ts */
  tickDueMs = Number.POSITIVE_INFINITY;
  /** What has waited in the sockets while it did not run is read at once: those gaps are no gaps. */
  learnsAgainAtMs = Number.NEGATIVE_INFINITY;
  unwellUntilMs = Number.NEGATIVE_INFINITY;
  /** gossip.ts: past states that the current one contains, oldest first. */
  readonly history = new Map<Digest, State>();
  /** Somebody unknown here, and not older than this node, takes it for a member: it may be behind. */
  sawStranger = false;
  askedAroundAtMs = Number.NEGATIVE_INFINITY;
  /** downing.ts */
  /** Who goes by the decision, and since when without a break. */
  readonly goingSinceMs = new Map<NodeKey, number>();
  /** Who is unreachable for whom, while the decision is that nobody stays. */
  lostForGood: string | undefined;
  notQuorateSinceMs: number | undefined;
  /** lease-claim.ts: the ties put to the lease, by configuration. */
  readonly claims = new Map<Digest, LeaseClaim>();
  /** leave.ts */
  leaving:
    | { readonly sinceMs: number; exitedAtMs: number | undefined; isForced: boolean }
    | undefined;
  readonly exitNotedBy = new Set<NodeKey>();
  /** What an exited node has heard since; never sent on. */
  heard: State | undefined;
  /** correspondence.ts: whom this node's user writes to, and when last; the longest ago first. */
  readonly correspondents = new Map<NodeKey, number>();
  /** repair.ts */
  founded = false;
  sizeMax = 0;
  far: string | undefined;
  seedsCheckedAtMs = Number.NEGATIVE_INFINITY;
  /** Seeds that are linked for a moment to see whether a lost part of the cluster answers. */
  seedLinks: readonly string[] = [];
  readonly islands = new Map<NodeKey, number>();
  /** Nobody can fill a log with islands: one that is met too soon is told of when it is met again. */
  readonly islandsTold = new Allowance(128, 10_000);
  /** publish.ts */
  view: ClusterState;
  /** Whom it showed under its last uid, until it is agreed on who of them is gone. */
  past: readonly ShownMember[] = [];
  readonly viewCache = new ViewCache();
  isPastMinimum = false;
  wasUp = false;

  constructor(options: NodeOptions, random: Random) {
    this.options = options;
    this.settings = options.settings;
    this.random = random;
    this.rules = rulesOf(options.settings);
    this.self = nodeKey(options.address, random.uid());
    this.detectors = newRegistry(options.settings);
    this.health = new LocalHealth(options.settings.localHealth);
    this.view = outsideView(this.self);
  }

  /** The state this node is a member by; asserts that there is one. */
  get state(): State {
    assert(this.replica !== undefined, 'this node holds a state');
    return this.replica.state;
  }

  get me(): Member | undefined {
    return this.replica?.state.get(this.self);
  }

  get isMember(): boolean {
    return this.replica?.phase === 'member';
  }

  get accusations(): Accusations {
    return accusations(this.state, this.rules);
  }

  /** Live in the state that this node holds. */
  isLiveHere(key: NodeKey): boolean {
    const member = this.replica?.state.get(key);
    return member !== undefined && isLive(member.status);
  }

  /** The notes on a peer, begun if there are none. */
  peer(key: NodeKey): Peer {
    let peer = this.peers.get(key);
    if (peer === undefined) {
      peer = new Peer(key);
      this.peers.set(key, peer);
      if (this.peers.size > this.settings.limits.peers) this.#forgetStranger(key);
    }
    return peer;
  }

  /** Past the limit, notes on somebody who is neither linked nor a member go first. */
  #forgetStranger(except: NodeKey): void {
    for (const peer of this.peers.values()) {
      if (peer.key === except || peer.linked || this.replica?.state.has(peer.key)) continue;
      this.peers.delete(peer.key);
      return;
    }
  }

  send(to: NodeKey, message: Message, slot: 'heartbeat' | 'gossip' | 'urgent' = 'urgent'): void {
    this.out.push({ kind: 'send', to, message, slot });
  }

  arm(kind: TimerKind, nowMs: number, afterMs: number): void {
    const dueMs = nowMs + Math.max(0, afterMs);
    this.timers.set(kind, dueMs);
    this.out.push({ kind: 'arm', timer: { kind, dueMs }, afterMs: dueMs - nowMs });
  }

  /** Arms a timer unless it is armed for the same time or earlier already. */
  armBy(kind: TimerKind, nowMs: number, dueMs: number): void {
    const armedMs = this.timers.get(kind);
    if (armedMs === undefined || dueMs < armedMs) this.arm(kind, nowMs, dueMs - nowMs);
  }

  log(level: 'info' | 'warn', message: string, facts: object = {}): void {
    this.out.push({ kind: 'log', level, message, facts });
  }

  stop(reason: StopReason, message: string): void {
    if (this.ended !== undefined) return;
    this.ended = { reason, message };
  }

  /**
   * Forgets everything about the cluster it was in and takes a new uid: an attempt to join never reuses one. What concerns
   * the process, its health above all, stays.
   */
  rebirth(): void {
    this.self = nodeKey(this.options.address, this.random.uid());
    this.replica = undefined;
    this.detectors = newRegistry(this.settings);
    this.observed = [];
    this.observedFor = undefined;
    for (const each of [
      this.peers,
      this.guests,
      this.verdicts,
      this.lost,
      this.goingSinceMs,
      this.history,
      this.welcomes,
      this.held,
      this.probing,
      this.claims,
      this.correspondents,
      this.rounds.of,
      this.relays,
      this.outcomes,
      this.silent,
    ])
      each.clear();
    this.swim = undefined;
    if (this.degraded.size > 0) this.out.push({ kind: 'degraded', nodes: new Set() });
    this.degraded = new Set();
    this.isHeldUnreachable = false;
    this.founded = false;
    this.sizeMax = 0;
    this.joiningSinceMs = undefined;
    this.far = undefined;
    this.haveNeedsChanged = true;
    this.seedLinks = [];
    this.leaving = undefined;
    this.heard = undefined;
    this.notQuorateSinceMs = undefined;
    this.out.push({ kind: 'identify', self: this.self });
  }
}

/** The address of a member, for messages that a person reads. */
export const named = (keys: Iterable<NodeKey>): string =>
  [...keys].map(addressOf).join(', ') || 'nobody';
