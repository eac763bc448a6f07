/** The raw limit of a simulation: as many timers as nodes have, firing and re-arming with nothing behind them. */
import { ScheduledEvent, Scheduler } from '@rollcall/simulator';
import { cpuSeconds } from '../measure.mjs';

const EVENTS = 2_000_000;
const PER_NODE = 11;

class Beat extends ScheduledEvent {
  #scheduler;
  #atMs;

  constructor(scheduler, atMs) {
    super();
    this.#scheduler = scheduler;
    this.#atMs = atMs;
    scheduler.at(atMs, this);
  }

  fire() {
    this.#atMs += 1_000;
    this.#scheduler.at(this.#atMs, this);
  }
}

/** Events per second of CPU. */
export async function bareQueue(nodes) {
  const scheduler = new Scheduler();
  const timers = nodes * PER_NODE;
  for (let i = 0; i < timers; i++) new Beat(scheduler, (1_000 * i) / timers);
  const seconds = await cpuSeconds(() => {
    for (let atMs = 1_000; scheduler.fired < EVENTS; atMs += 1_000)
      while (scheduler.walk(atMs) === 'settle');
  });
  return scheduler.fired / seconds;
}
