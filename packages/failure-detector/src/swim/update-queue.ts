/**
 * News that waits to ride on packets: one update per subject, the one sent least goes first, the newest
 * among those, and none is sent more often than the limit. Every packet is filled in one pass.
 */
import type { SwimUpdate } from './swim-message.js';

class Entry {
  readonly update: SwimUpdate;
  sent = 0;
  /** Newer news of the same subject has taken its place. */
  isReplaced = false;

  constructor(update: SwimUpdate) {
    this.update = update;
  }
}

/** What a packet without news carries. */
export const NO_UPDATES: readonly SwimUpdate[] = [];

export class UpdateQueue {
  /** Oldest first; replaced ones stay until the next pass. */
  #entries: Entry[] = [];
  readonly #ofSubject: (Entry | undefined)[] = [];
  /** How many entries were sent so often; for packets that cannot hold all. */
  readonly #tiers: number[] = [];
  #waiting = 0;

  /** How many updates wait. */
  get size(): number {
    return this.#waiting;
  }

  /** Takes the place of older news of the same subject. */
  put(update: SwimUpdate): void {
    const { subject } = update;
    const before = this.#ofSubject[subject];
    if (before === undefined) this.#waiting++;
    else before.isReplaced = true;
    while (this.#ofSubject.length <= subject) this.#ofSubject.push(undefined);
    const entry = new Entry(update);
    this.#ofSubject[subject] = entry;
    this.#entries.push(entry);
  }

  /** Nothing about this subject is to be sent any more. */
  drop(subject: number): void {
    const entry = this.#ofSubject[subject];
    if (entry === undefined) return;
    this.#ofSubject[subject] = undefined;
    this.#waiting--;
    this.#entries = this.#entries.filter((each) => each !== entry);
  }

  /** What the next packet carries, at most `room`; each counts as sent, and goes after `limit` times. */
  take(room: number, limit: number): readonly SwimUpdate[] {
    const count = Math.min(this.#waiting, room);
    if (count === 0) return NO_UPDATES;
    const taken = new Array<SwimUpdate>(count);
    if (this.#waiting <= room) this.#takeAll(taken, limit);
    else this.#takeSome(taken, limit);
    return taken;
  }

  #takeAll(taken: SwimUpdate[], limit: number): void {
    const entries = this.#entries;
    let kept = 0;
    let count = 0;
    for (let index = 0; index < entries.length; index++) {
      const entry = entries[index] as Entry;
      if (entry.isReplaced) continue;
      taken[count++] = entry.update;
      if (this.#staysAfterSending(entry, limit)) entries[kept++] = entry;
    }
    entries.length = kept;
  }

  /** First which tier is the last to find room, and how much of it; then one pass from the newest on. */
  #takeSome(taken: SwimUpdate[], limit: number): void {
    const entries = this.#entries;
    const tiers = this.#tiers;
    tiers.length = 0;
    while (tiers.length < limit) tiers.push(0);
    // The limit may have fallen since: who has had enough under the new one is in its last tier.
    const tierOf = ({ sent }: Entry) => Math.min(sent, limit - 1);
    for (const entry of entries) {
      const tier = tierOf(entry);
      if (!entry.isReplaced) tiers[tier] = (tiers[tier] as number) + 1;
    }
    let room = taken.length;
    let last = 0;
    while (last < limit && (tiers[last] as number) <= room) room -= tiers[last++] as number;
    let count = 0;
    for (let index = entries.length - 1; index >= 0; index--) {
      const entry = entries[index] as Entry;
      const tier = tierOf(entry);
      if (entry.isReplaced || tier > last || (tier === last && room === 0)) continue;
      if (tier === last) room--;
      taken[count++] = entry.update;
      if (!this.#staysAfterSending(entry, limit)) entry.isReplaced = true;
    }
    let kept = 0;
    for (const entry of entries) if (!entry.isReplaced) entries[kept++] = entry;
    entries.length = kept;
  }

  #staysAfterSending(entry: Entry, limit: number): boolean {
    entry.sent++;
    if (entry.sent < limit) return true;
    this.#ofSubject[entry.update.subject] = undefined;
    this.#waiting--;
    return false;
  }
}
