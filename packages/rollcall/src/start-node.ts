/** A node with everything real: WebSockets, DNS, the system's clock and random numbers. */
import { type Cluster, startCluster } from '@rollcall/core';
import { WebSocketTransport } from '@rollcall/transport-websocket';
import { dnsResolver } from './dns-resolver.js';
import { logMembership } from './membership-log.js';
import { checkOptions, type NodeOptions } from './node-options.js';
import { createLogger } from './pino-logger.js';
import { systemClock } from './system-clock.js';
import { systemRandom } from './system-random.js';

/**
 * Listens, begins to join, and resolves at once: before the node is a member, so that its progress
 * can be watched. Rejects with `badSetting` or `cannotListen`; nothing is running then.
 */
export async function startNode(options: NodeOptions): Promise<Cluster> {
  const { listen, advertise, secret, tls, ...checked } = checkOptions(options);
  const logger = options.logger ?? createLogger('warn');
  const own = advertise === undefined ? {} : { advertise };
  const transport = new WebSocketTransport({
    listen,
    ...own,
    settings: checked.settings,
    ...(secret === undefined ? {} : { secret }),
    ...(tls === undefined ? {} : { tls }),
    clock: systemClock,
    random: systemRandom,
    logger,
  });
  const cluster = await startCluster(
    { ...checked, ...own },
    { transport, clock: systemClock, random: systemRandom, resolver: dnsResolver(), logger },
  );
  logMembership(cluster, logger);
  return cluster;
}
