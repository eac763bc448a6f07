/** Everything outside a node, as one value: what a driver needs beside its options. */
import type { Clock } from './clock.js';
import type { Lease } from './lease.js';
import type { Logger } from './logger.js';
import type { Random } from './membership/random.js';
import type { Resolver } from './resolver.js';
import type { Transport } from './transport.js';

export interface Ports {
  readonly transport: Transport;
  readonly clock: Clock;
  readonly random: Random;
  readonly resolver: Resolver;
  readonly logger: Logger;
  /** Needed for `downing.strategy=lease-majority`, and not used otherwise. */
  readonly lease?: Lease | undefined;
}
