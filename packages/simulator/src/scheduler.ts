/**
 * Virtual time. It walks from deadline to deadline, ties in arming order, and the time is set before
 * the event fires: nobody ever sees a time but its own. The walk is synchronous; it stops early
 * only when somebody asks for a pause to let promises settle.
 */
import { EventQueue } from './event-queue.js';
import { ScheduledEvent } from './scheduled-event.js';

/** Why a walk ended: it is there; promises have to settle first; or `shouldStop` said so. */
export type WalkEnd = 'arrived' | 'settle' | 'stopped';

/**
 * Moments are whole multiples of 1/1024 ms. Such numbers are added and subtracted without an error, so
 * what two nodes, or one node twice, work out from them agrees to the last digit.
 */
const GRAINS_PER_MS = 1_024;

/** More events than this at one moment, and somebody goes round in circles without time going on. */
const EVENTS_PER_MOMENT = 2_000_000;

const CIRCLES = `more than ${EVENTS_PER_MOMENT} events at one moment: time does not go on`;

/** So many events without a break, then the host's event loop gets a turn; nothing depends on it. */
const EVENTS_PER_WALK = 65_536;

export class Scheduler {
  readonly #queue = new EventQueue();
  #nowMs = 0;
  #fired = 0;
  #firedBefore = 0;
  #mustSettle = false;

  get nowMs(): number {
    return this.#nowMs;
  }

  /** Events fired since the beginning: timers and packets alike. */
  get fired(): number {
    return this.#fired;
  }

  /** Events that are still to fire. */
  get waiting(): number {
    return this.#queue.size;
  }

  /**
   * Puts an event at a moment, rounded up to the clock's grain; one in the past fires now, after those
   * already due now.
   */
  at(atMs: number, event: ScheduledEvent): void {
    this.#queue.push(Math.max(Math.ceil(atMs * GRAINS_PER_MS) / GRAINS_PER_MS, this.#nowMs), event);
  }

  /** Puts an event so much later. However little that is, unless it is nothing, time goes on. */
  after(ms: number, event: ScheduledEvent): void {
    const atMs = this.#nowMs + ms;
    this.at(ms > 0 && atMs === this.#nowMs ? atMs + 1 / GRAINS_PER_MS : atMs, event);
  }

  /** Calls `run` at that moment, whatever becomes of any node. */
  plan(atMs: number, run: () => void): void {
    this.at(atMs, new Plan(run));
  }

  cancel(event: ScheduledEvent): void {
    this.#queue.cancel(event);
  }

  /** Somebody resolved a promise: after the current event the walk stops, once, so that it can settle. */
  settleSoon(): void {
    this.#mustSettle = true;
  }

  /**
   * Fires what is due up to `untilMs`, and ends there. `shouldStop` is asked each time before the
   * time advances, that is, once after all that happens at one moment.
   */
  walk(untilMs: number, shouldStop?: () => boolean): WalkEnd {
    for (let budget = EVENTS_PER_WALK; ; budget--) {
      if (this.#mustSettle || budget === 0) {
        this.#mustSettle = false;
        return 'settle';
      }
      const dueMs = this.#queue.nextAtMs;
      if (dueMs > this.#nowMs || dueMs > untilMs) {
        if (shouldStop?.() === true) return 'stopped';
        if (dueMs > untilMs) break;
        this.#nowMs = dueMs;
        this.#firedBefore = this.#fired;
      }
      if (++this.#fired - this.#firedBefore > EVENTS_PER_MOMENT) throw new Error(CIRCLES);
      (this.#queue.pop() as ScheduledEvent).fire();
    }
    this.#nowMs = Math.max(this.#nowMs, untilMs);
    return 'arrived';
  }
}

/** Something that a script has planned. */
class Plan extends ScheduledEvent {
  readonly #run: () => void;

  constructor(run: () => void) {
    super();
    this.#run = run;
  }

  fire(): void {
    this.#run();
  }
}

/** Every microtask there is, however many follow from one another, runs before this resolves. */
export const promisesSettled = () => new Promise<void>((resolve) => setImmediate(resolve));
