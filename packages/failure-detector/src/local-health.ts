/**
 * How far a node may trust its own observations: the local health multiplier of Lifeguard (Dadgar,
 * Phillips and Currey, "Lifeguard: local health awareness for more accurate failure detection", DSN 2018).
 * What speaks against the node raises the score by one, a run of clean intervals lowers it by one; who
 * reads it waits (score + 1) times as long before it suspects anybody.
 */
import { checkCount, checkCountFrom0 } from './detector-settings.js';

export interface LocalHealthSettings {
  /** The worst score, 0 to 1,000; default 7. 0: the score never leaves 0. */
  readonly scoreMax?: number;
  /** So many clean intervals without a break lower the score by one, 1 to 1,000; default 10. */
  readonly cleanIntervals?: number;
}

export class LocalHealth {
  readonly #scoreMax: number;
  readonly #cleanIntervals: number;
  #score = 0;
  #clean = 0;

  /** @throws DetectorSettingsError naming the setting */
  constructor({ scoreMax = 7, cleanIntervals = 10 }: LocalHealthSettings = {}) {
    this.#scoreMax = checkCountFrom0('scoreMax', scoreMax, 1_000);
    this.#cleanIntervals = checkCount('cleanIntervals', cleanIntervals, 1_000);
  }

  /** 0 is well. */
  get score(): number {
    return this.#score;
  }

  get isWell(): boolean {
    return this.#score === 0;
  }

  /** Something spoke against this node. */
  worsen(): void {
    this.#score = Math.min(this.#score + 1, this.#scoreMax);
    this.#clean = 0;
  }

  /** A heartbeat interval has passed; clean if nothing spoke against this node in it. */
  passed(isClean: boolean): void {
    this.#clean = isClean ? this.#clean + 1 : 0;
    if (this.#clean < this.#cleanIntervals) return;
    this.#clean = 0;
    this.#score = Math.max(0, this.#score - 1);
  }
}
