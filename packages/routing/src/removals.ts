/**
 * Removals that are not long past. Whoever others removed may run on and not know, so its keys are left alone for a
 * while (`take-over.ts`); that holds for whoever has them next as well, should the first to get them go meanwhile.
 */
import type { Clock, NodeKey, Settings } from '@rollcall/core';
import type { OwnerRing } from './owner-ring.js';

/**
 * So much later than those who removed it a node that was cut off stops itself, if both sides noticed as late as they may:
 * it stops by its own rule at the latest when the instability has lasted for `downing.unstableAfter`.
 */
export const removalMarginMs = ({ downing, detector, heartbeat }: Settings): number =>
  downing.unstableAfter + detector.acceptablePause + heartbeat.interval;

/** Of more than this the youngest are told apart. */
const REMOVALS_MAX = 64;

interface Removal {
  readonly node: NodeKey;
  readonly atMs: number;
  /** Who owned what until then. */
  readonly ring: OwnerRing;
}

export class Removals {
  readonly #clock: Clock;
  readonly #marginMs: number;
  #list: readonly Removal[] = [];
  /** Of those of which it is not kept who owned what: they count for every key. */
  #cutAtMs = Number.NEGATIVE_INFINITY;

  constructor(clock: Clock, marginMs: number) {
    this.#clock = clock;
    this.#marginMs = marginMs;
  }

  note(node: NodeKey, ring: OwnerRing): void {
    const list = [...this.#young(), { node, atMs: this.#clock.nowMs(), ring }];
    this.#cutAtMs = list.at(-REMOVALS_MAX - 1)?.atMs ?? this.#cutAtMs;
    this.#list = list.slice(-REMOVALS_MAX);
  }

  /** When the last was removed that owned this key; undefined where none did within the margin. */
  lastOf(key: string): number | undefined {
    const known = this.#young().findLast(({ node, ring }) => ring.ownerOf(key) === node)?.atMs;
    return known ?? (this.#cutAtMs > this.#sinceMs ? this.#cutAtMs : undefined);
  }

  #young(): readonly Removal[] {
    if (this.#list.length === 0) return this.#list;
    const sinceMs = this.#sinceMs;
    return this.#list.filter(({ atMs }) => atMs > sinceMs);
  }

  get #sinceMs(): number {
    return this.#clock.nowMs() - this.#marginMs;
  }
}
