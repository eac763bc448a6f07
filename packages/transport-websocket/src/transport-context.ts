/** What every part of one transport shares: the ports it was given, its limits, its counters. */
import type { Clock, Random, Settings } from '@rollcall/core';
import type { CountedLog } from './counted-log.js';
import type { Datagrams } from './datagrams.js';
import type { Teller } from './teller.js';
import type { TransportCounts } from './transport-counts.js';
import type { MessageCodec } from './user-message.js';

export interface TransportContext {
  readonly clock: Clock;
  readonly random: Random;
  readonly limits: Settings['limits'];
  readonly secret: string | undefined;
  readonly log: CountedLog;
  readonly codec: MessageCodec;
  readonly teller: Teller;
  readonly counts: TransportCounts;
  readonly datagrams: Datagrams;
}
