/**
 * Damping of a subject that comes and goes, after the route flap damping of BGP (RFC 2439): one that turned
 * too often in a short time keeps its worst verdict until it has been steady for a hold-down, which
 * doubles each time that it has to be held again. Without it a member on a bad link moves work, and owners
 * of keys, each time it turns.
 *
 * A link that loses most turns seldom: a detector that adapts learns to wait for what little comes. So the
 * guard also counts how many of the latest heartbeats came, as Rapid counts failed probes (Suresh et al. 2018):
 * whoever is hardly heard can be held from the first verdict on.
 */
import { checkCount, checkDuration } from './detector-settings.js';

export interface FlapGuardSettings {
  /** A conviction is held when it is the `turns`-th change of verdict, in either direction, within `withinMs`; 2 to 1,000; default 3. */
  readonly turns?: number;
  /** Milliseconds; default 60,000. */
  readonly withinMs?: number;
  /** How long it has to be steady, the first time; milliseconds; default 30,000. 0: nobody is held. */
  readonly holdDownMs?: number;
  /** The longest that doubling leads to, and how long after a hold the next one is the first again; default 600,000. */
  readonly holdDownMaxMs?: number;
}

/** So many of the latest heartbeats are looked at, one bit each. */
const HEARTBEATS = 32;

/**
 * When fewer of them are signs of life a subject is hardly heard. Where every link loses half of its frames a heartbeat
 * is one with a chance of 0.4, and fewer than 6 of 32 are once in a thousand; of one whose links lose four of five,
 * with a chance of 0.1, 6 or more are once in ten.
 */
const HARDLY = 6;

export class FlapGuard {
  readonly #turnsMax: number;
  readonly #withinMs: number;
  readonly #firstHoldMs: number;
  readonly #holdMaxMs: number;
  /** When it turned, oldest first; never more than `turns`. */
  #turnedAtMs: number[] = [];
  #holdMs: number;
  #heldUntilMs = Number.NEGATIVE_INFINITY;
  #isHolding = false;
  /** Which of the latest heartbeats were signs of life; the latest in the lowest bit. Innocent at first. */
  #heard = -1;

  /** @throws DetectorSettingsError naming the setting */
  constructor(settings: FlapGuardSettings = {}) {
    const { turns = 3, withinMs = 60_000, holdDownMs = 30_000, holdDownMaxMs = 600_000 } = settings;
    this.#turnsMax = checkCount('turns', turns, 1_000);
    this.#withinMs = checkDuration('withinMs', withinMs);
    this.#firstHoldMs = checkDuration('holdDownMs', holdDownMs);
    this.#holdMaxMs = Math.max(holdDownMs, checkDuration('holdDownMaxMs', holdDownMaxMs));
    this.#holdMs = holdDownMs;
  }

  /** Its verdict is kept, whatever is heard of it. */
  get isHolding(): boolean {
    return this.#isHolding;
  }

  /** Until when, if nothing more happens; -Infinity while it is not held. */
  get heldUntilMs(): number {
    return this.#isHolding ? this.#heldUntilMs : Number.NEGATIVE_INFINITY;
  }

  /**
   * A heartbeat of it came, after so many (0 or more) that it sent and that did not come. They are counted by what it sent, not by
   * the clock: one that stood still, or beats slowly, has lost nothing.
   */
  beat(lost: number, isSignOfLife: boolean, nowMs: number): void {
    const before = lost >= HEARTBEATS ? 0 : this.#heard << lost;
    this.#heard = (before << 1) | (isSignOfLife ? 1 : 0);
    if (this.isHardlyHeard) this.relapsed(nowMs);
  }

  /** How many of the latest 32 heartbeats were signs of life; those that came before it was watched count as if they were. */
  get heard(): number {
    return ones(this.#heard);
  }

  /** More than half of the latest 32 heartbeats were signs of life. */
  get isWellHeard(): boolean {
    return this.heard > HEARTBEATS / 2;
  }

  /** Fewer than 6 of the latest 32 were: its link is of little use. */
  get isHardlyHeard(): boolean {
    return this.heard < HARDLY;
  }

  /** It is believed again. */
  believed(nowMs: number): void {
    this.#turn(nowMs);
  }

  /** It is held unreachable: from now on for its hold-down, if it turned too often or is to be held at once. */
  convicted(nowMs: number, isHeldAtOnce = false): void {
    if (this.#firstHoldMs === 0) return;
    this.#turn(nowMs);
    if (!isHeldAtOnce && !this.#isTooOften(nowMs)) return;
    const isFirst = nowMs - this.#heldUntilMs > this.#holdMaxMs;
    this.#holdMs = isFirst ? this.#firstHoldMs : Math.min(2 * this.#holdMs, this.#holdMaxMs);
    this.#isHolding = true;
    this.relapsed(nowMs);
  }

  #turn(nowMs: number): void {
    this.#turnedAtMs.push(nowMs);
    if (this.#turnedAtMs.length > this.#turnsMax) this.#turnedAtMs.shift();
  }

  #isTooOften(nowMs: number): boolean {
    const [firstMs = nowMs] = this.#turnedAtMs;
    return this.#turnedAtMs.length === this.#turnsMax && nowMs - firstMs <= this.#withinMs;
  }

  /** It would have turned again while it is held: the hold-down begins anew. */
  relapsed(nowMs: number): void {
    if (this.#isHolding) this.#heldUntilMs = nowMs + this.#holdMs;
  }

  /** True once, when it has been steady for the whole hold-down. */
  release(nowMs: number): boolean {
    if (!this.#isHolding || nowMs < this.#heldUntilMs) return false;
    this.#isHolding = false;
    this.#turnedAtMs = [];
    return true;
  }

  /** What it did was not its own doing: nothing of it counts. */
  forgive(): void {
    this.#isHolding = false;
    this.#turnedAtMs = [];
    this.#heldUntilMs = Number.NEGATIVE_INFINITY;
    this.#heard = -1;
  }
}

function ones(bits: number): number {
  let count = 0;
  for (let rest = bits; rest !== 0; rest &= rest - 1) count++;
  return count;
}
