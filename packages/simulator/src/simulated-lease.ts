/**
 * Core's Lease as one process reaches it: the lease that all nodes share, asked over no network. An answer
 * waits while the process stands still, and is for nobody once it is gone.
 */
import type { Clock, Lease, MemoryLease } from '@rollcall/core';

export const simulatedLease = (
  shared: MemoryLease,
  clock: Clock,
  settleSoon: () => void,
): Lease => ({
  acquire: (matter, owner) =>
    new Promise((resolve, reject) => {
      shared.ask(matter, owner, (holder) => {
        clock.schedule(0, () => {
          settleSoon();
          if (holder === undefined) reject(new Error('the lease cannot be reached'));
          else resolve(holder);
        });
      });
    }),
});
