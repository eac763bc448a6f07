/**
 * The Lease port: a place outside the cluster that remembers to whom it granted what, for ever.
 * Strategy lease-majority asks it which half stays when the halves are equal (docs/PROTOCOL.md,
 * "Downing"; docs/decisions/0011). A grant must never be taken back, expire, or be given to a second
 * owner: whoever would get it then could be the other half, waking up late.
 */
import type { NodeKey } from '@rollcall/convergence';
import type { Clock } from './clock.js';

export interface Lease {
  /**
   * Grants `matter` to `owner` if it was granted to nobody yet, durably and in one step (an object that
   * is created or found, a row that is inserted or found), and resolves to whom it is granted: the
   * very text that was given as the owner then. Asking again is harmless. Rejects when that cannot be
   * known; the grant may have happened all the same.
   */
  acquire(matter: string, owner: NodeKey): Promise<NodeKey>;
}

/**
 * How a `MemoryLease` behaves.
 * - `refusing`: it rejects, and grants nothing.
 * - `forgetful`: it grants, and rejects: the answer was lost.
 * - `silent`: it grants nothing and never answers.
 */
export type LeaseConduct = 'answering' | 'refusing' | 'forgetful' | 'silent';

/** A lease in memory, for tests and simulations: one object, shared by all nodes. */
export class MemoryLease implements Lease {
  conduct: LeaseConduct = 'answering';
  /** From the question to the grant, and from the grant to the answer. */
  delayMs = 0;
  readonly #clock: Pick<Clock, 'schedule'>;
  readonly #granted = new Map<string, NodeKey>();

  constructor(clock: Pick<Clock, 'schedule'>) {
    this.#clock = clock;
  }

  /** To whom it was granted. */
  get granted(): ReadonlyMap<string, NodeKey> {
    return this.#granted;
  }

  acquire(matter: string, owner: NodeKey): Promise<NodeKey> {
    return new Promise((resolve, reject) => {
      this.ask(matter, owner, (holder) => {
        if (holder === undefined) reject(new Error('the lease cannot be reached'));
        else resolve(holder);
      });
    });
  }

  /** As `acquire`, for those who do not wait for promises; undefined stands for a rejection. */
  ask(matter: string, owner: NodeKey, answer: (holder: NodeKey | undefined) => void): void {
    this.#later(() => {
      const { conduct } = this;
      if (conduct === 'silent') return;
      const isGranting = conduct === 'answering' || conduct === 'forgetful';
      if (isGranting && !this.#granted.has(matter)) this.#granted.set(matter, owner);
      const holder = conduct === 'answering' ? this.#granted.get(matter) : undefined;
      this.#later(() => answer(holder));
    });
  }

  #later(run: () => void): void {
    if (this.delayMs === 0) run();
    else this.#clock.schedule(this.delayMs, run);
  }
}
