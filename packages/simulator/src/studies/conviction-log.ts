/**
 * Who was convicted by whom, as members tell it. Of many that tell the same only the number is kept; the first
 * of each story is kept whole, because it is what a person replays.
 */
import { addressOf, type ClusterEvent, type NodeKey } from '@rollcall/core';
import { hostOf } from '../node-name.js';

/** One conviction as the first member told it. */
export interface Conviction {
  /** Virtual milliseconds since the run began. */
  readonly atMs: number;
  readonly subject: string;
  readonly toldBy: string;
  /** Whose accusations it was told with, by name. */
  readonly accusers: readonly string[];
}

/** What is kept of a run, as a plain value. */
export interface Convictions {
  /** How often a healthy member told that a healthy one is dead or unreachable. */
  readonly told: number;
  /** How often nobody held a healthy member dead, and then somebody did. */
  readonly stories: number;
  /** The first stories, whole. */
  readonly first: readonly Conviction[];
  /** The share of the time since its first conviction that healthy members held a faulty one dead; 0 if never. */
  readonly faultyHeld: number;
  /** How often a healthy member told that a faulty one is dead. */
  readonly faultyTold: number;
}

/** Stories kept of a run. */
const KEPT = 20;

export class ConvictionLog {
  readonly #isHealthy: (name: string) => boolean;
  /** Who holds a subject dead, and since when. */
  readonly #holders = new Map<string, Map<string, number>>();
  readonly #removed = new Map<string, number>();
  readonly #gone = new Set<NodeKey>();
  readonly #first: Conviction[] = [];
  #told = 0;
  #stories = 0;
  #faultyTold = 0;
  #faultyHeldMs = 0;
  readonly #faultySinceMs = new Map<string, number>();

  constructor(isHealthy: (name: string) => boolean) {
    this.#isHealthy = isHealthy;
  }

  /** How often each name was removed, each run of it once, as healthy members tell it. */
  get removed(): ReadonlyMap<string, number> {
    return this.#removed;
  }

  /** How often nobody held a healthy member dead, and then somebody did. */
  get stories(): number {
    return this.#stories;
  }

  convict(observer: string, subject: string, atMs: number, accusers: readonly string[]): void {
    if (!this.#isHealthy(observer)) return;
    const holders = this.#holders.get(subject) ?? new Map<string, number>();
    this.#holders.set(subject, holders);
    if (holders.has(observer)) return;
    if (!this.#isHealthy(subject)) {
      this.#faultyTold++;
      if (!this.#faultySinceMs.has(subject)) this.#faultySinceMs.set(subject, atMs);
    } else {
      this.#told++;
      if (holders.size === 0) {
        if (this.#stories++ < KEPT) this.#first.push({ atMs, subject, toldBy: observer, accusers });
      }
    }
    holders.set(observer, atMs);
  }

  absolve(observer: string, subject: string, atMs: number): void {
    const holders = this.#holders.get(subject);
    const sinceMs = holders?.get(observer);
    if (holders === undefined || sinceMs === undefined) return;
    holders.delete(observer);
    if (!this.#isHealthy(subject)) this.#faultyHeldMs += atMs - sinceMs;
  }

  /** Hears an event of a production node. */
  hear(teller: string, event: ClusterEvent, atMs: number): void {
    if (!('member' in event)) return;
    const { node, observedBy } = event.member;
    const subject = nameOf(node);
    if (event.type === 'memberUnreachable') {
      this.convict(teller, subject, atMs, observedBy.map(nameOf));
    } else if (event.type === 'memberReachable') {
      this.absolve(teller, subject, atMs);
    } else if (event.type === 'memberRemoved') {
      this.absolve(teller, subject, atMs);
      // A node that starts over under a new uid takes leave of its whole past.
      if (this.#gone.has(node) || !this.#isHealthy(teller)) return;
      this.#gone.add(node);
      this.#removed.set(subject, (this.#removed.get(subject) ?? 0) + 1);
    }
  }

  /** What there is at the end of a run, with so many healthy members. */
  sum(endMs: number, healthy: number): Convictions {
    let heldMs = this.#faultyHeldMs;
    let possibleMs = 0;
    for (const [subject, sinceMs] of this.#faultySinceMs) {
      possibleMs += (endMs - sinceMs) * healthy;
      for (const from of this.#holders.get(subject)?.values() ?? []) heldMs += endMs - from;
    }
    return {
      told: this.#told,
      stories: this.#stories,
      first: this.#first,
      faultyHeld: possibleMs === 0 ? 0 : heldMs / possibleMs,
      faultyTold: this.#faultyTold,
    };
  }
}

const nameOf = (key: NodeKey): string => hostOf(addressOf(key));
