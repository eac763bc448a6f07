/** A node with everything real: WebSockets, DNS, the system's clock and random numbers. */
import { type Cluster, startCluster, steadyLogger } from '@rollcall/core';
import { WebSocketTransport } from '@rollcall/transport-websocket';
import { dnsResolver } from './dns-resolver.js';
import { logMembership } from './membership-log.js';
import { checkOptions, type NodeOptions, refuseMore } from './node-options.js';
import { createLogger } from './pino-logger.js';
import { systemClock } from './system-clock.js';
import { systemRandom } from './system-random.js';

/**
 * Listens, begins to join, and resolves at once: before the node is a member, so that its progress
 * can be watched. Rejects with `badSetting` or `cannotListen`; nothing is running then.
 */
export function startNode(options: NodeOptions): Promise<Cluster>;
export async function startNode(
  options: NodeOptions,
  ...more: readonly unknown[]
): Promise<Cluster> {
  refuseMore('startNode', more);
  const { listen, advertise, secret, tls, ...checked } = checkOptions(options);
  const { settings } = checked;
  const logger = steadyLogger(options.logger ?? createLogger('warn'));
  const world = { clock: systemClock, random: systemRandom, logger };
  const { lease, classes } = options;
  const links = { listen, advertise, settings, secret, tls, classes };
  const transport = new WebSocketTransport({ ...links, ...world });
  // What to advertise is known when the port is bound: the transport says it.
  const cluster = await startCluster(checked, {
    ...world,
    transport,
    resolver: dnsResolver(),
    lease,
  });
  logMembership(cluster, logger);
  return cluster;
}
