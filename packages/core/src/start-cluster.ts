/** From options and ports to a running node. */
import type { Cluster } from './cluster.js';
import { Driver } from './driver.js';
import { steadyLogger } from './logger.js';
import type { Input } from './membership/input.js';
import type { NodeOptions } from './membership/node.js';
import { ClusterSettingsError } from './membership/settings-error.js';
import type { Ports } from './ports.js';
import { RunningCluster } from './running-cluster.js';

/** A node's options; `advertise` defaults to the address that was bound, and so does a seed with port 0. */
export type StartOptions = Omit<NodeOptions, 'address'> & {
  readonly advertise?: string | undefined;
};

/**
 * Listens, begins to join, and returns at once; `up()` waits. Rejects with ClusterError `cannotListen`
 * when the socket cannot be bound, with ClusterSettingsError when the strategy needs a lease and there
 * is none; nothing is left running then.
 */
export async function startCluster(options: StartOptions, given: Ports): Promise<Cluster> {
  const ports: Ports = { ...given, logger: steadyLogger(given.logger) };
  if (options.settings.downing.strategy === 'lease-majority' && ports.lease === undefined) {
    throw new ClusterSettingsError(
      'downing.strategy',
      'downing.strategy=lease-majority needs a lease, and this node was given none',
    );
  }
  let driver: Driver | undefined;
  const take = (input: Input) => driver?.step(input);
  const bound = await ports.transport.listen({
    linkUp: (peer, dialled) => {
      take({ kind: 'linkUp', peer, dialled });
      driver?.messenger.linked(peer.self);
    },
    linkDown: (peer) => {
      driver?.messenger.unlinked(peer);
      take({ kind: 'linkDown', peer });
    },
    frame: (from, bytes, wasCast) => driver?.onFrame(from, bytes, wasCast),
    dialFailed: (address, { code, message, refusal, peer }) =>
      (code === 'self' || code === 'linked') && peer !== undefined
        ? take({ kind: 'leadsTo', address, peer: peer.self })
        : take({ kind: 'dialFailed', address, reason: message, refusal }),
    message: (from, value) => driver?.messenger.received(from, value),
    unreadable: (from, head, problem) => driver?.messenger.unreadable(from, head, problem),
  });
  const roles = Object.freeze([...options.roles]);
  const address = options.advertise ?? bound;
  driver = new Driver(
    {
      ...options,
      roles,
      address,
      // Its own port is known only now.
      seeds: options.seeds.map((seed) => (seed.endsWith(':0') ? address : seed)),
      isAdvertised: options.advertise !== undefined && options.advertise !== bound,
    },
    ports,
  );
  driver.step({ kind: 'start' });
  return new RunningCluster(driver);
}
