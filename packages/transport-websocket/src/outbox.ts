/**
 * What waits for a congested socket. On the control lane newer news replaces older, because it
 * contains it; on the user lane every message counts, so a full outbox is the sender's to hear of.
 */
import type { Slot } from '@rollcall/core';

/**
 * Control frames of one peer. `heartbeat` and `gossip` hold the newest alone; `urgent` frames go in
 * order. A heartbeat goes first: it is small, and a late one is evidence against this node.
 */
export class ControlOutbox {
  readonly #framesMax: number;
  #heartbeat: Uint8Array | undefined;
  #gossip: Uint8Array | undefined;
  readonly #urgent = new Fifo<Uint8Array>();

  constructor(framesMax: number) {
    this.#framesMax = framesMax;
  }

  get length(): number {
    return (this.#heartbeat ? 1 : 0) + (this.#gossip ? 1 : 0) + this.#urgent.length;
  }

  /** False when the frame was dropped: the outbox is full and nothing in it may be replaced. */
  put(bytes: Uint8Array, slot: Slot): boolean {
    const replaces = slot === 'heartbeat' ? this.#heartbeat : slot === 'gossip' && this.#gossip;
    if (!replaces && this.length >= this.#framesMax) return false;
    if (slot === 'heartbeat') this.#heartbeat = bytes;
    else if (slot === 'gossip') this.#gossip = bytes;
    else this.#urgent.push(bytes);
    return true;
  }

  take(): Uint8Array | undefined {
    const heartbeat = this.#heartbeat;
    this.#heartbeat = undefined;
    if (heartbeat) return heartbeat;
    const urgent = this.#urgent.shift();
    if (urgent) return urgent;
    const gossip = this.#gossip;
    this.#gossip = undefined;
    return gossip;
  }

  clear(): void {
    while (this.take());
  }
}

/** User messages of one peer, in order. */
export class UserOutbox<T> {
  readonly #messagesMax: number;
  readonly #waiting = new Fifo<T>();

  constructor(messagesMax: number) {
    this.#messagesMax = messagesMax;
  }

  get length(): number {
    return this.#waiting.length;
  }

  /** False when the outbox is full: back-pressure. */
  put(message: T): boolean {
    if (this.#waiting.length >= this.#messagesMax) return false;
    this.#waiting.push(message);
    return true;
  }

  take(): T | undefined {
    return this.#waiting.shift();
  }
}

/** A queue whose head is taken in O(1): `Array.shift` moves all the rest. */
class Fifo<T> {
  #items: (T | undefined)[] = [];
  #head = 0;

  get length(): number {
    return this.#items.length - this.#head;
  }

  push(item: T): void {
    this.#items.push(item);
  }

  shift(): T | undefined {
    if (this.length === 0) return undefined;
    const item = this.#items[this.#head];
    this.#items[this.#head] = undefined;
    this.#head += 1;
    if (this.#head * 2 > this.#items.length) {
      this.#items = this.#items.slice(this.#head);
      this.#head = 0;
    }
    return item;
  }
}
