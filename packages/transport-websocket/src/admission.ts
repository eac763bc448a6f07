/**
 * Who may connect at all: counts the connections that have not yet proved themselves, and those of
 * each remote IP. A connection gets a ticket or the name of the limit that it would break.
 */

export interface AdmissionLimits {
  readonly pendingConnections: number;
  readonly connectionsPerAddress: number;
}

export type AdmissionLimit = keyof AdmissionLimits;

export interface Ticket {
  /** The connection has proved itself. */
  proved(): void;
  /** The connection is gone. Both may be called more than once. */
  released(): void;
}

export class Admission {
  readonly #limits: AdmissionLimits;
  readonly #byRemote = new Map<string, number>();
  #pending = 0;

  constructor(limits: AdmissionLimits) {
    this.#limits = limits;
  }

  get connections(): number {
    let total = 0;
    for (const count of this.#byRemote.values()) total += count;
    return total;
  }

  admit(remote: string): Ticket | AdmissionLimit {
    const before = this.#byRemote.get(remote) ?? 0;
    if (before >= this.#limits.connectionsPerAddress) return 'connectionsPerAddress';
    if (this.#pending >= this.#limits.pendingConnections) return 'pendingConnections';
    this.#byRemote.set(remote, before + 1);
    this.#pending += 1;
    let isPending = true;
    let isHeld = true;
    const proved = (): void => {
      if (isPending) this.#pending -= 1;
      isPending = false;
    };
    const released = (): void => {
      proved();
      if (isHeld) this.#leave(remote);
      isHeld = false;
    };
    return { proved, released };
  }

  #leave(remote: string): void {
    const left = (this.#byRemote.get(remote) ?? 0) - 1;
    if (left > 0) this.#byRemote.set(remote, left);
    else this.#byRemote.delete(remote);
  }
}
