/**
 * Probes on behalf of others: who asked, and when to tell them that nothing came back. The wait is the
 * same for all, so they come due in the order they were asked. An answer that comes after
 * the nack is still passed on, until the relay is forgotten.
 */
import type { SwimMemberId } from './swim-message.js';

export interface Relay {
  /** Of the ping to the target. */
  readonly seq: number;
  readonly requester: SwimMemberId;
  readonly requesterSeq: number;
  readonly target: SwimMemberId;
  readonly nackAtMs: number;
  readonly forgetAtMs: number;
}

/** More at a time are not kept; the oldest goes, and its requester takes this node for silent. */
const RELAYS_MAX = 1_024;

export class Relays {
  readonly #bySeq = new Map<number, Relay>();
  /** Oldest first; those before `#next` have been dealt with. */
  readonly #inOrder: Relay[] = [];
  #next = 0;

  /** When the next nack is due. */
  get dueMs(): number {
    return this.#inOrder[this.#next]?.nackAtMs ?? Number.POSITIVE_INFINITY;
  }

  get size(): number {
    return this.#bySeq.size;
  }

  add(relay: Relay, nowMs: number): void {
    this.#forget(nowMs);
    this.#bySeq.set(relay.seq, relay);
    this.#inOrder.push(relay);
  }

  /** The relay that is answered by this member's ack; it is over then. */
  answered(seq: number, from: SwimMemberId): Relay | undefined {
    if (this.#bySeq.size === 0) return undefined;
    const relay = this.#bySeq.get(seq);
    if (relay?.target !== from) return undefined;
    this.#bySeq.delete(seq);
    return relay;
  }

  /** The relay that is due, if it is still without an answer. */
  takeDue(): Relay | undefined {
    const relay = this.#inOrder[this.#next];
    if (relay === undefined) return undefined;
    this.#next++;
    return this.#bySeq.get(relay.seq);
  }

  #forget(nowMs: number): void {
    let gone = 0;
    for (; gone < this.#next; gone++) {
      const { seq, forgetAtMs } = this.#inOrder[gone] as Relay;
      if (forgetAtMs > nowMs) break;
      this.#bySeq.delete(seq);
    }
    if (gone === 0 && this.#inOrder.length >= RELAYS_MAX) {
      this.#bySeq.delete((this.#inOrder[gone++] as Relay).seq);
    }
    if (gone === 0) return;
    this.#inOrder.splice(0, gone);
    this.#next = Math.max(0, this.#next - gone);
  }
}
