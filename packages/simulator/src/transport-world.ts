/** All that a simulated transport is made of: its place on the network and its own ports. */
import type { Address, Hello, Random, Settings } from '@rollcall/core';
import type { Counters } from './counters.js';
import type { SimulatedClock } from './simulated-clock.js';
import type { SimulatedNetwork } from './simulated-network.js';
import type { Trace } from './trace.js';

export interface TransportWorld {
  /** The node's name. */
  readonly host: string;
  readonly address: Address;
  readonly network: SimulatedNetwork;
  readonly clock: SimulatedClock;
  readonly random: Random;
  readonly limits: Settings['limits'];
  readonly counters: Counters;
  readonly trace: Trace;
  /** A promise was resolved: let it settle before time goes on. */
  readonly settleSoon: () => void;
  /** Says something else than the truth in hellos, e.g. another protocol version. */
  readonly alterHello?: ((hello: Hello) => Hello) | undefined;
}
