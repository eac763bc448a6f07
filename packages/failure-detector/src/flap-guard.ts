/**
 * Damping of a subject that comes and goes, after the route flap damping of BGP (RFC 2439): one that turned
 * too often in a short time keeps its worst verdict until it has been steady for a hold-down, which
 * doubles each time that it has to be held again. Without it a member on a bad link moves work, and owners
 * of keys, each time it turns.
 *
 * A link that loses most turns seldom: a detector that adapts learns to wait for what little comes. So the
 * guard also counts in how many of the latest intervals anything came, as Rapid counts failed probes
 * (Suresh et al. 2018): whoever is hardly heard can be held from the first verdict on.
 */
import { checkCount, checkDuration } from './detector-settings.js';

export interface FlapGuardSettings {
  /** It is held at the turn that is the so-manyth within `withinMs`, 2 to 1,000; default 3. */
  readonly turns?: number;
  /** Milliseconds; default 60,000. */
  readonly withinMs?: number;
  /** How long it has to be steady, the first time; milliseconds; default 30,000. 0: nobody is held. */
  readonly holdDownMs?: number;
  /** The longest that doubling leads to, and how long after a hold the next one is the first again; default 600,000. */
  readonly holdDownMaxMs?: number;
}

/** So many of the latest intervals are looked at, one bit each. */
const INTERVALS = 32;

/**
 * Heard in a smaller share of them a subject is hardly heard. Where every link loses half of its frames an interval
 * brings a sign of life with a chance of 0.4, and fewer than 6 of 32 come once in a thousand; of one whose links
 * lose four of five, with a chance of 0.1, 6 or more come once in ten.
 */
const HARDLY = 6 / INTERVALS;

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
  /** Whether it was heard in each of the latest intervals; the latest in the lowest bit. Innocent at first. */
  #heardIn = -1;

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

  /** One interval has passed, in which a heartbeat of it came or none did. */
  passed(wasHeard: boolean, nowMs: number): void {
    this.#heardIn = (this.#heardIn << 1) | (wasHeard ? 1 : 0);
    if (this.isHardlyHeard()) this.relapsed(nowMs);
  }

  /** In so few of the latest intervals, but for the very latest `except`, that its link is of little use. */
  isHardlyHeard(except = 0): boolean {
    return this.heardShare(except) < HARDLY;
  }

  /** In which share of the latest intervals it was heard, but for the very latest `except`; 1 if none is left. */
  heardShare(except = 0): number {
    const counted = INTERVALS - except;
    return counted <= 0 ? 1 : ones(this.#heardIn >>> except) / counted;
  }

  /** The verdict on it turned, either way. Held from now on if that was too often, or if it is to be held at once. */
  turned(nowMs: number, isHeldAtOnce = false): void {
    if (this.#firstHoldMs === 0) return;
    this.#turnedAtMs.push(nowMs);
    if (this.#turnedAtMs.length > this.#turnsMax) this.#turnedAtMs.shift();
    if (!isHeldAtOnce && !this.#isTooOften(nowMs)) return;
    const isFirst = nowMs - this.#heldUntilMs > this.#holdMaxMs;
    this.#holdMs = isFirst ? this.#firstHoldMs : Math.min(2 * this.#holdMs, this.#holdMaxMs);
    this.#isHolding = true;
    this.relapsed(nowMs);
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
    this.#heardIn = -1;
  }
}

function ones(bits: number): number {
  let count = 0;
  for (let rest = bits; rest !== 0; rest &= rest - 1) count++;
  return count;
}
