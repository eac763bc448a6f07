/** How a transport over WebSockets is told what to do. */
import {
  type Address,
  type Clock,
  ClusterError,
  type Logger,
  type Random,
  type Settings,
} from '@rollcall/core';
import { type Endpoint, readAddress } from './address.js';
import type { MessageClasses } from './message-classes.js';
import type { TransportTls } from './tls-options.js';

export interface WebSocketTransportOptions {
  /** `ws://host:port` or `wss://host:port` to bind; port 0 takes any free one. */
  readonly listen: Address;
  /** What others are to dial; `listen` with the bound port unless given. Its port 0 stands for the bound one. */
  readonly advertise?: Address | undefined;
  readonly settings: Pick<Settings, 'limits'>;
  /** Peers that do not know it are refused. */
  readonly secret?: string | undefined;
  readonly tls?: TransportTls | undefined;
  /** Classes that survive in user messages, by their name on the wire. */
  readonly classes?: MessageClasses | undefined;
  /** Web pages of these origins may connect; of others never. */
  readonly allowedOrigins?: readonly string[] | undefined;
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
}

export const badSetting = (setting: string, message: string): ClusterError =>
  new ClusterError('badSetting', message, { setting });

/** Throws `badSetting`. */
export function endpointOf(setting: string, text: string): Endpoint {
  const endpoint = readAddress(text);
  if (endpoint) return endpoint;
  throw badSetting(setting, `${setting} takes an address such as ws://host:port, not '${text}'`);
}
