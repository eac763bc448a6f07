/**
 * What goes wrong in a seed, by swarm testing: each fault is off in about half of the seeds, so that
 * the others meet without it, mild in a quarter and wild in a quarter.
 */
import { Dice } from './dice.js';
import type { Pace } from './draw-settings.js';
import { type Draft, everybody, type Frame } from './draw-work.js';
import { FAULTS, type Fault, type Level, type LinkStep } from './plan.js';

export type Levels = Readonly<Record<Fault, Level>>;

export function drawLevels(seed: number): Levels {
  const dice = new Dice(seed, 'levels');
  const levels = FAULTS.map((fault): [Fault, Level] => [
    fault,
    dice.pick<Level>(['off', 'off', 'mild', 'wild']),
  ]);
  return Object.fromEntries(levels) as Record<Fault, Level>;
}

export const drawFaults = (frame: Frame, levels: Levels, pace: Pace): Draft[] =>
  FAULTS.flatMap((fault) => {
    if (levels[fault] === 'off') return [];
    return new FaultDraw(frame, pace, fault, levels[fault] === 'wild').draw();
  });

class FaultDraw {
  readonly #frame: Frame;
  readonly #pace: Pace;
  readonly #fault: Fault;
  readonly #dice: Dice;
  readonly #isWild: boolean;
  readonly #all: readonly string[];

  constructor(frame: Frame, pace: Pace, fault: Fault, isWild: boolean) {
    this.#frame = frame;
    this.#pace = pace;
    this.#fault = fault;
    this.#dice = new Dice(frame.seed, 'fault', fault);
    this.#isWild = isWild;
    this.#all = everybody(frame);
  }

  draw(): Draft[] {
    const kind = this.#fault;
    switch (kind) {
      case 'crash':
      case 'power':
        return this.#victims().map((node) => ({ kind, node, atMs: this.#moment() }));
      case 'pause':
        return this.#times(() => this.#pauses()).flat();
      case 'partition':
        return this.#times(() => this.#partition());
      case 'cut':
        return this.#times(() => this.#cut());
      case 'lease':
        return this.#times(() => this.#badLease());
      default:
        return this.#times(() => this.#badLinks(kind));
    }
  }

  #times<T>(one: () => T): T[] {
    const count = this.#isWild ? this.#dice.between(3, 8) : this.#dice.between(1, 2);
    return Array.from({ length: count }, one);
  }

  #moment(): number {
    return this.#dice.between(this.#frame.fromMs, this.#frame.untilMs);
  }

  /** Too short to be noticed, about as long as that takes, or long enough to be acted on. */
  #span(): number {
    const { detectMs, decideMs } = this.#pace;
    const ms = this.#dice.pick([
      detectMs / 10,
      detectMs / 2,
      detectMs,
      detectMs * 2,
      detectMs + decideMs / 2,
      detectMs * 2 + decideMs,
    ]);
    return Math.ceil(ms * this.#dice.fraction(0.5, 1.5));
  }

  #victims(): string[] {
    const most = this.#isWild ? this.#all.length : Math.ceil(this.#all.length / 4);
    return this.#dice.some(this.#all, this.#dice.between(1, most));
  }

  /** One, a few, or all at once. */
  #pauses(): Draft[] {
    const [atMs, forMs] = [this.#moment(), this.#span()];
    const most = this.#isWild ? this.#all.length : Math.min(2, this.#all.length);
    return this.#dice
      .some(this.#all, this.#dice.between(1, most))
      .map((node) => ({ kind: 'pause', node, atMs, forMs }));
  }

  #partition(): Draft {
    const [atMs, forMs] = [this.#moment(), this.#span()];
    if (this.#dice.luck(0.3)) {
      const node = this.#dice.pick(this.#all);
      const rest = this.#all.filter((other) => other !== node);
      return { kind: 'partition', atMs, forMs, groups: [[node], rest] };
    }
    const groups: string[][] = Array.from({ length: this.#dice.pick([2, 2, 2, 3, 4]) }, () => []);
    for (const node of this.#all) this.#dice.pick(groups).push(node);
    return { kind: 'partition', atMs, forMs, groups: groups.filter((group) => group.length > 0) };
  }

  #cut(): Draft {
    const node = this.#dice.pick(this.#all);
    const others = this.#all.filter((other) => other !== node);
    const to = this.#dice.luck(0.5) ? [this.#dice.pick(others)] : this.#someOf(others);
    return { kind: 'cut', atMs: this.#moment(), forMs: this.#span(), node, to };
  }

  #badLinks(kind: LinkStep['kind']): Draft {
    const [atMs, forMs] = [this.#moment(), this.#span()];
    const isEverywhere = this.#dice.luck(this.#isWild ? 0.5 : 0.25);
    const around = isEverywhere ? {} : { around: this.#someOf(this.#all) };
    const probability = this.#dice.pick(this.#isWild ? [0.05, 0.2, 0.5, 0.8] : [0.01, 0.05]);
    const { detectMs } = this.#pace;
    const spreadMs = Math.ceil(this.#dice.pick([5, 50, 300, detectMs / 2, detectMs]));
    return { kind, atMs, forMs, ...around, probability, spreadMs };
  }

  #badLease(): Draft {
    const conduct = this.#dice.pick(['refusing', 'forgetful', 'silent'] as const);
    return { kind: 'lease', atMs: this.#moment(), forMs: this.#span(), conduct };
  }

  #someOf(from: readonly string[]): string[] {
    return this.#dice.some(from, this.#dice.between(1, Math.ceil(from.length / 2)));
  }
}
