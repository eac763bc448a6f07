/** How far something long is: a line that is redrawn on a terminal, and now and then a line in a log. */
import { systemClock } from '../system-clock.js';
import type { World } from './world.js';

/** How often it is shown, on a terminal and in a log. */
const SHOW_MS = 250;
const LOG_MS = 15_000;

/** From the beginning of the line, over what is there. */
const CLEAR = '\r\u001b[K';

export class Progress {
  readonly #world: World;
  readonly #startedMs = systemClock.nowMs();
  #shownAtMs = systemClock.nowMs();

  constructor(world: World) {
    this.#world = world;
  }

  get seconds(): number {
    return Math.max(0.001, (systemClock.nowMs() - this.#startedMs) / 1_000);
  }

  /** Says how far it is, if it is time to; `share` is what part of the whole is done, above 0. */
  show(share: number, line: () => string): void {
    const nowMs = systemClock.nowMs();
    if (nowMs - this.#shownAtMs < (this.#world.isTerminal ? SHOW_MS : LOG_MS)) return;
    this.#shownAtMs = nowMs;
    const left = timeText(((nowMs - this.#startedMs) * (1 - share)) / share);
    const text = `${line()}, ${left} left`;
    this.#world.out(this.#world.isTerminal ? `${CLEAR}${text}` : `${text}\n`);
  }

  /** Makes room for what is to stay. */
  clear(): void {
    if (this.#world.isTerminal) this.#world.out(CLEAR);
  }
}

function timeText(ms: number): string {
  const seconds = Math.ceil(ms / 1_000);
  if (seconds < 90) return `${seconds} s`;
  const minutes = Math.ceil(seconds / 60);
  return minutes < 90 ? `${minutes} min` : `${(minutes / 60).toFixed(1)} h`;
}
