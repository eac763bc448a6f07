/**
 * What is still to happen, earliest first, ties in the order they were put in: a binary heap over
 * parallel arrays, so that sifting compares plain numbers and allocates nothing.
 */
import type { ScheduledEvent } from './scheduled-event.js';

/** Below this many, sweeping out cancelled events costs more than keeping them. */
const SWEEP_AT_LEAST = 4_096;

export class EventQueue {
  #atMs = new Float64Array(1_024);
  #order = new Float64Array(1_024);
  readonly #events: ScheduledEvent[] = [];
  #nextOrder = 0;
  #cancelled = 0;

  /** Events that will fire; cancelled ones are not counted. */
  get size(): number {
    return this.#events.length - this.#cancelled;
  }

  /** When the earliest event is due; Infinity when nothing is left. */
  get nextAtMs(): number {
    this.#dropCancelled();
    return this.#events.length === 0 ? Number.POSITIVE_INFINITY : (this.#atMs[0] as number);
  }

  push(atMs: number, event: ScheduledEvent): void {
    const index = this.#events.length;
    if (index === this.#atMs.length) this.#grow();
    event.isWaiting = true;
    this.#events.push(event);
    this.#siftUp(index, atMs, this.#nextOrder++, event);
  }

  /** Takes out the earliest event. */
  pop(): ScheduledEvent | undefined {
    this.#dropCancelled();
    return this.#events.length === 0 ? undefined : this.#takeFirst();
  }

  /** Takes an event back; one that has fired, or was never put in, is left alone. */
  cancel(event: ScheduledEvent): void {
    if (!event.isWaiting || event.isCancelled) return;
    event.isCancelled = true;
    this.#cancelled++;
    if (this.#cancelled > SWEEP_AT_LEAST && this.#cancelled * 2 > this.#events.length) {
      this.#sweep();
    }
  }

  #dropCancelled(): void {
    while (this.#cancelled > 0 && this.#events[0]?.isCancelled === true) {
      this.#takeFirst();
      this.#cancelled--;
    }
  }

  #takeFirst(): ScheduledEvent {
    const events = this.#events;
    const first = events[0] as ScheduledEvent;
    first.isWaiting = false;
    const last = events.pop() as ScheduledEvent;
    const length = events.length;
    if (length > 0) {
      this.#siftDown(0, this.#atMs[length] as number, this.#order[length] as number, last);
    }
    return first;
  }

  #siftUp(from: number, atMs: number, order: number, event: ScheduledEvent): void {
    let index = from;
    while (index > 0) {
      const parent = (index - 1) >> 1;
      if (!this.#isAfter(parent, atMs, order)) break;
      this.#move(parent, index);
      index = parent;
    }
    this.#place(index, atMs, order, event);
  }

  #siftDown(from: number, atMs: number, order: number, event: ScheduledEvent): void {
    const length = this.#events.length;
    let index = from;
    for (let child = 2 * index + 1; child < length; child = 2 * index + 1) {
      const right = child + 1;
      if (
        right < length &&
        this.#isAfter(child, this.#atMs[right] as number, this.#order[right] as number)
      ) {
        child = right;
      }
      if (this.#isAfter(child, atMs, order)) break;
      this.#move(child, index);
      index = child;
    }
    this.#place(index, atMs, order, event);
  }

  /** Is what stands at `index` due after a moment and order? */
  #isAfter(index: number, atMs: number, order: number): boolean {
    const mine = this.#atMs[index] as number;
    return mine > atMs || (mine === atMs && (this.#order[index] as number) > order);
  }

  #move(from: number, to: number): void {
    this.#atMs[to] = this.#atMs[from] as number;
    this.#order[to] = this.#order[from] as number;
    this.#events[to] = this.#events[from] as ScheduledEvent;
  }

  #place(index: number, atMs: number, order: number, event: ScheduledEvent): void {
    this.#atMs[index] = atMs;
    this.#order[index] = order;
    this.#events[index] = event;
  }

  #grow(): void {
    const atMs = new Float64Array(this.#atMs.length * 2);
    const order = new Float64Array(atMs.length);
    atMs.set(this.#atMs);
    order.set(this.#order);
    this.#atMs = atMs;
    this.#order = order;
  }

  /** Rebuilds the heap from what is left; moments and orders stay, so nothing fires differently. */
  #sweep(): void {
    const events = this.#events;
    let kept = 0;
    for (let index = 0; index < events.length; index++) {
      if ((events[index] as ScheduledEvent).isCancelled) continue;
      if (kept !== index) this.#move(index, kept);
      kept++;
    }
    events.length = kept;
    this.#cancelled = 0;
    for (let index = (kept >> 1) - 1; index >= 0; index--) {
      const [atMs, order] = [this.#atMs[index] as number, this.#order[index] as number];
      this.#siftDown(index, atMs, order, events[index] as ScheduledEvent);
    }
  }
}
