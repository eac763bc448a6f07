/**
 * What a node notes about one other node while it has something to do with it: whether a link is
 * open, the count of heartbeats each way, and what that node is known to hold.
 */
import { addressOf, type Digest, type NodeKey, type Seen } from '@rollcall/convergence';
import type { FlapGuard, QosMeter } from '@rollcall/failure-detector';
import { Allowance } from './allowance.js';

const QUESTIONS_AT_ONCE = 32;
const QUESTION_EVERY_MS = 25;

/** Send times kept for heartbeats not yet echoed; more than that are outstanding only on a dead link. */
const SENT_KEPT = 8;

/** A member that was cut off for days is still in line: heartbeats it sent meanwhile were lost. */
const AHEAD_MAX = 2 ** 20;
/** So far may a heartbeat be overtaken. */
const BEHIND_MAX = 1_024;

export class Peer {
  readonly key: NodeKey;
  readonly address: string;
  linked = false;

  /** The last heartbeat sent, the last received, and the last of ours that was echoed. */
  seqOut = 0;
  seqIn = 0;
  echoed = 0;
  readonly #sentAtMs: number[] = [];
  /** The number of a heartbeat that was out of line; 0 while there is none. */
  #strayIn = 0;

  /** Since when there is a link, and when anything last came over one. */
  linkedAtMs = Number.NEGATIVE_INFINITY;
  linkHeardMs = Number.NEGATIVE_INFINITY;

  /** The digest it last said or was sent, and who of that state's voters it knows to have seen it. */
  holds: Digest | undefined;
  seen: Seen | undefined;
  /** The digest it last said itself: a base that it is certain to know. */
  reported: Digest | undefined;
  /** The digest last sent to it with content, and when: on an ordered link the next difference starts there. */
  told: Digest | undefined;
  toldAtMs = Number.NEGATIVE_INFINITY;
  wantedAtMs = Number.NEGATIVE_INFINITY;
  /** It is owed an answer though it may be no neighbour. */
  owed = false;
  complaints = 0;
  /** What somebody asks who is no member costs an answer each: as many as an honest joiner needs, and no more. */
  readonly questions = new Allowance(QUESTIONS_AT_ONCE, QUESTION_EVERY_MS);
  noticedAtMs = Number.NEGATIVE_INFINITY;
  lastHeardMs = Number.NEGATIVE_INFINITY;

  /** Since when it is observed, and the grace this node's own pauses have been granted in the running silence. */
  observedSinceMs: number | undefined;
  excusedMs = 0;
  graceUntilMs = Number.NEGATIVE_INFINITY;
  /** When others last reached it while this node did not: the link is broken, not the member. */
  vouchedAtMs: number | undefined;
  vouchedBy: NodeKey | undefined;
  /** When others are asked again about a verdict that stands, and how long after that once more. */
  askAgainAtMs = Number.POSITIVE_INFINITY;
  askEveryMs = 0;
  /** Since when it owes an answer as a go-between. */
  owesSinceMs: number | undefined;
  /** Another run has taken its address: this one is never heard again. */
  isReplaced = false;
  /** How often this node's verdict on it has turned, and how much is heard of it; there while it is observed. */
  flaps: FlapGuard | undefined;
  /** What the verdicts against it were worth; there while it is observed. */
  qos: QosMeter | undefined;

  constructor(key: NodeKey) {
    this.key = key;
    this.address = addressOf(key);
  }

  /** Counts a heartbeat that goes out now; returns its number. */
  sending(nowMs: number): number {
    this.seqOut++;
    this.#sentAtMs[this.seqOut % SENT_KEPT] = nowMs;
    return this.seqOut;
  }

  /** How many heartbeats it sent since the last that arrived; below 0 for one that was overtaken, or is out of line. */
  lostBefore(seq: number): number {
    const ahead = seq - this.seqIn;
    return this.seqIn === 0 ? 0 : ahead <= AHEAD_MAX ? Math.max(0, ahead) - 1 : -1;
  }

  /**
   * Is it newer than the last one? A number that is far out of line, either way, is taken up again only when the next one
   * follows it, as RTP does (RFC 3550, A.1): a single wrong number would otherwise make all that come after it old, and
   * their sender one that is not heard, for the rest of its run.
   */
  #isNew(seq: number): boolean {
    const ahead = seq - this.seqIn;
    if (ahead <= 0 && ahead > -BEHIND_MAX) return false;
    const isInLine = this.seqIn === 0 || (ahead > 0 && ahead <= AHEAD_MAX);
    const further = seq - this.#strayIn;
    const isFollowed = this.#strayIn > 0 && further > 0 && further <= AHEAD_MAX;
    this.#strayIn = isInLine || isFollowed ? 0 : seq;
    if (this.#strayIn === 0) this.seqIn = seq;
    return this.#strayIn === 0;
  }

  /**
   * Takes a heartbeat that arrived. True if it is a sign of life: newer than the last one, and its
   * echo has not stood still while two or more of our frames went out, the first at least one
   * interval ago (a node that talks but no longer hears; two timers close in phase are no gap).
   */
  acceptBeat(seq: number, echo: number, nowMs: number, intervalMs: number): boolean {
    const isNew = this.#isNew(seq);
    if (echo > this.echoed && echo <= this.seqOut) {
      this.echoed = echo;
      return isNew;
    }
    const outstanding = this.seqOut - this.echoed;
    const isDeaf = outstanding >= 2 && nowMs - this.#firstOutstandingMs() >= intervalMs;
    return isNew && !isDeaf;
  }

  #firstOutstandingMs(): number {
    if (this.seqOut - this.echoed > SENT_KEPT) return Number.NEGATIVE_INFINITY;
    return this.#sentAtMs[(this.echoed + 1) % SENT_KEPT] ?? Number.NEGATIVE_INFINITY;
  }

  /** The link is gone: frames on it may be lost, so nothing that was sent may be built on. */
  unlinked(): void {
    this.linked = false;
    this.told = undefined;
    this.holds = undefined;
    this.reported = undefined;
    this.seen = undefined;
  }
}
