/**
 * How long a suspect may take to object. Plain SWIM waits a fixed time. Lifeguard begins with the
 * longest, and every further accuser shortens it on a logarithmic scale; the corrections keep accusers
 * that were cut off together from being each other's witnesses.
 */
import type { SwimMemberId } from './swim-message.js';
import type { SwimOptions } from './swim-options.js';

export class Suspicion {
  /** Moved forward by pauses of this process, which leave the suspect no time to object. */
  startedMs: number;
  /** After so many confirmations patience is at its shortest. */
  readonly needed: number;
  readonly minMs: number;
  readonly #maxMs: number;
  readonly #accusers: SwimMemberId[];
  #graceEndMs = Number.NEGATIVE_INFINITY;

  /** `members` are all who could accuse or be accused: the dead that are not forgotten count. */
  constructor(options: SwimOptions, members: number, accuser: SwimMemberId, nowMs: number) {
    this.startedMs = nowMs;
    this.needed = options.dynamicSuspicion ? confirmationsNeeded(options, members) : 0;
    this.minMs = leastPatienceMs(options, members);
    this.#maxMs = this.minMs * options.suspicionMaxMult;
    this.#accusers = [accuser];
  }

  get confirmations(): number {
    return this.#accusers.length - 1;
  }

  /** Is this one more accuser who counts. The first one's echo never does, nor do more than are needed. */
  confirm(accuser: SwimMemberId): boolean {
    if (this.confirmations >= this.needed || this.#accusers.includes(accuser)) return false;
    this.#accusers.push(accuser);
    return true;
  }

  /** Grace: who would be convicted this very moment has some time left instead, once. */
  grant(graceMs: number, score: number, nowMs: number): void {
    if (this.#graceEndMs === Number.NEGATIVE_INFINITY && this.deadlineMs(score) <= nowMs) {
      this.#graceEndMs = nowMs + graceMs;
    }
  }

  /** When the suspect is dead, at a score of local health; pass 0 if it is not to matter. */
  deadlineMs(score: number): number {
    return Math.max(this.startedMs + this.#patienceMs() * (score + 1), this.#graceEndMs);
  }

  #patienceMs(): number {
    if (this.needed === 0) return this.minMs;
    const share = Math.log(this.confirmations + 1) / Math.log(this.needed + 1);
    return Math.max(this.minMs, this.#maxMs - (this.#maxMs - this.minMs) * share);
  }
}

/** In whole milliseconds, as memberlist has it: the logarithm to three decimals. */
export function leastPatienceMs(options: SwimOptions, members: number): number {
  const decades = Math.floor(Math.max(1, Math.log10(Math.max(1, members))) * 1_000) / 1_000;
  return Math.floor(options.suspicionMult * decades * options.probeIntervalMs);
}

/**
 * How many others must agree before patience is at its shortest: no more than there are. memberlist
 * takes none as soon as there are too few of them, and three members then convict on one word.
 */
export function confirmationsNeeded({ suspicionMult }: SwimOptions, members: number): number {
  return Math.max(0, Math.min(suspicionMult - 2, members - 2));
}

/** How often an update is sent: grows with the logarithm of the cluster. */
export function transmissionLimit({ retransmitMult }: SwimOptions, members: number): number {
  return Math.max(1, retransmitMult * Math.ceil(Math.log10(members + 1)));
}
