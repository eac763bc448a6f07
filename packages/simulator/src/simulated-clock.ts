/**
 * One process's view of virtual time: core's Clock over the shared scheduler. Each run of a node has
 * its own, starting at 0, so that nobody gets away with comparing two nodes' times. It also knows how
 * a process stands still (SIGSTOP) and how it dies.
 */
import type { Clock } from '@rollcall/core';
import { ScheduledEvent } from './scheduled-event.js';
import type { Scheduler } from './scheduler.js';

class Timer extends ScheduledEvent {
  readonly #clock: SimulatedClock;
  readonly #run: () => void;

  constructor(clock: SimulatedClock, run: () => void) {
    super();
    this.#clock = clock;
    this.#run = run;
  }

  fire(): void {
    if (this.#clock.isStopped) return;
    if (this.#clock.isPaused) this.#clock.holdTimer(this);
    else {
      this.#run();
      this.#clock.fired();
    }
  }
}

export class SimulatedClock implements Clock {
  readonly #scheduler: Scheduler;
  readonly #startedAtMs: number;
  /** Told after each timer: a promise may wait for it, of which time is not to run ahead. */
  readonly fired: () => void;
  #isPaused = false;
  #isStopped = false;
  #heldTimers: ScheduledEvent[] = [];
  #heldPackets: ScheduledEvent[] = [];

  constructor(scheduler: Scheduler, fired: () => void = () => {}) {
    this.fired = fired;
    this.#scheduler = scheduler;
    this.#startedAtMs = scheduler.nowMs;
  }

  get isPaused(): boolean {
    return this.#isPaused;
  }

  get isStopped(): boolean {
    return this.#isStopped;
  }

  nowMs(): number {
    return this.#scheduler.nowMs - this.#startedAtMs;
  }

  schedule(afterMs: number, run: () => void): () => void {
    if (!(afterMs >= 0)) throw new Error(`bug: a timer was armed ${afterMs} ms from now`);
    const timer = new Timer(this, run);
    if (!this.#isStopped) this.#scheduler.after(afterMs, timer);
    return () => this.#takeBack(timer);
  }

  /** The process stands still from now on; time does not. */
  pause(): void {
    this.#isPaused = true;
  }

  /**
   * The process runs again and finds what it missed as an event loop would: first the timers
   * that fell due, by deadline, then what lies in its sockets, in order of arrival.
   */
  resume(): void {
    if (!this.#isPaused) return;
    this.#isPaused = false;
    const missed = [...this.#heldTimers, ...this.#heldPackets];
    this.#heldTimers = [];
    this.#heldPackets = [];
    for (const event of missed) this.#scheduler.at(this.#scheduler.nowMs, event);
  }

  /** The process is gone: none of its timers fires any more. */
  stop(): void {
    this.#isStopped = true;
    this.#heldTimers = [];
    this.#heldPackets = [];
  }

  holdTimer(timer: ScheduledEvent): void {
    this.#heldTimers.push(timer);
  }

  /** Something arrived while the process stands still. */
  holdPacket(packet: ScheduledEvent): void {
    this.#heldPackets.push(packet);
  }

  #takeBack(timer: Timer): void {
    const index = this.#heldTimers.indexOf(timer);
    if (index >= 0) this.#heldTimers.splice(index, 1);
    else this.#scheduler.cancel(timer);
  }
}
