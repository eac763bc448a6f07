/** The lease in memory on the system's clock, so that who tries lease-majority needs no port of a node. */
import { MemoryLease as LeaseOnClock } from '@rollcall/core';
import { systemClock } from './system-clock.js';

/**
 * A lease for tests: one object, given to every node of one process. It forgets with its process, so
 * it is none for production.
 */
export class MemoryLease extends LeaseOnClock {
  constructor() {
    super(systemClock);
  }
}
