/**
 * What a user says to start a node, checked once and completely before anything is started. Every
 * complaint is a `badSetting` that names the option.
 */
import {
  ClusterError,
  ClusterSettingsError,
  checkShapes,
  checkTree,
  type GivenSettings,
  hasMethods,
  isObject,
  isText,
  isTexts,
  isWord,
  type Lease,
  type Logger,
  type OptionShape,
  ROLES_MAX,
  readSettings,
  type Settings,
} from '@rollcall/core';
import type { MessageClasses, TransportTls } from '@rollcall/transport-websocket';
import { isWildcard, partsOf, readAddress } from './node-address.js';

/** What others are shown of a node that was given no `appVersion`: Akka's word for it. */
export const NO_APP_VERSION = '0.0.0';

export interface NodeOptions {
  /** The cluster's name: nodes of other names are refused. */
  readonly name: string;
  /** `ws://host:port`, or `wss://` with `tls`; port 0 for any that is free. */
  readonly listen: string;
  /** The address that others dial; needed when `listen` is 0.0.0.0 or ::. Default: `listen`. Port 0 stands for the bound one. */
  readonly advertise?: string | undefined;
  /**
   * Whom to ask to be let in, the same list at every node. A node's own address as the only seed founds a cluster; with
   * port 0, as in `listen`, it stands for the port that is bound.
   */
  readonly seeds: readonly string[];
  readonly roles?: readonly string[] | undefined;
  /** Shown to others. Default: `0.0.0`. */
  readonly appVersion?: string | undefined;
  /** Peers without it are refused. */
  readonly secret?: string | undefined;
  /** As Node knows TLS: `cert` and `key` to listen on `wss://`, `ca` for whom to trust, `requestCert` for both ways. */
  readonly tls?: TransportTls | undefined;
  /** Any part of the tree that `rollcall node --print-settings` shows. */
  readonly settings?: GivenSettings | undefined;
  /** Classes that survive in messages, by the name that they have at every node: `{ Money }`. Others cannot be sent. */
  readonly classes?: MessageClasses | undefined;
  /** Who breaks a tie; needed for `downing.strategy=lease-majority`, and not used otherwise. */
  readonly lease?: Lease | undefined;
  /** Default: warnings and errors, as JSON lines on stderr. A pino logger fits. */
  readonly logger?: Logger | undefined;
}

export interface CheckedOptions {
  readonly name: string;
  readonly listen: string;
  readonly advertise: string | undefined;
  readonly seeds: readonly string[];
  readonly roles: readonly string[];
  readonly appVersion: string;
  readonly secret: string | undefined;
  readonly tls: TransportTls | undefined;
  readonly settings: Settings;
}

const ADDRESS = "such as 'ws://127.0.0.1:7355'";

const SHAPES: Readonly<Record<keyof NodeOptions, OptionShape>> = {
  name: { takes: "the cluster's name as text", fits: isText, isNeeded: true },
  listen: { takes: `an address as text, ${ADDRESS}`, fits: isText, isNeeded: true },
  advertise: { takes: `an address as text, ${ADDRESS}`, fits: isText },
  seeds: { takes: `a list of addresses, ${ADDRESS}`, fits: isTexts, isNeeded: true },
  roles: { takes: "a list of words, such as ['worker']", fits: isTexts },
  appVersion: { takes: "a version as text, such as '1.2.3'", fits: isText },
  secret: { takes: 'text that all nodes share', fits: isText },
  tls: { takes: 'an object such as { cert, key }', fits: isObject },
  settings: { takes: "an object such as { heartbeat: { interval: '1s' } }", fits: isObject },
  classes: { takes: 'an object of classes, such as { Money }', fits: isObject },
  lease: { takes: 'an object with acquire()', fits: hasMethods('acquire') },
  logger: {
    takes: 'an object with debug(), info(), warn() and error()',
    fits: hasMethods('debug', 'info', 'warn', 'error'),
  },
};

/** Throws ClusterError `badSetting`. */
export function checkOptions(options: NodeOptions): CheckedOptions {
  checkShapes(options, SHAPES, '{ name, listen, seeds }');
  const { secret, tls } = options;
  const listen = readAddress('listen', options.listen);
  if (secret === '') throw bad('secret', 'secret is empty: leave it out, or give one');
  // Half a character becomes the same sign as any other: different secrets would be one.
  if (/\p{Surrogate}/u.test(secret ?? ''))
    throw bad('secret', 'secret takes text, not bytes: write them as hex or base64');
  checkTls(listen, tls);
  const settings = checkSettings(options.settings);
  if (settings.downing.strategy === 'lease-majority' && options.lease === undefined) {
    const what = 'a lease that all nodes share';
    throw bad(
      'lease',
      `downing.strategy=lease-majority needs ${what}: give one to join() as lease`,
    );
  }
  return {
    name: readWord('name', options.name),
    listen,
    advertise: readAdvertise(options.advertise, listen),
    seeds: readSeeds(options.seeds, listen),
    roles: readRoles(options.roles ?? []),
    appVersion: readWord('appVersion', options.appVersion ?? NO_APP_VERSION),
    secret,
    tls,
    settings,
  };
}

/** Options in a second argument would be passed over in silence; the index that `map` hands over may be. */
export function refuseMore(call: string, [more]: readonly unknown[]): void {
  if (typeof more !== 'object' || more === null) return;
  const where = 'one object such as { name, listen, seeds }: put the second one into it';
  throw bad('options', `${call} takes its options as ${where}`);
}

/** As core's `readSettings`, with the one error class that users of a node have to know. */
export function checkSettings(given: GivenSettings | undefined): Settings {
  checkTree(given);
  try {
    return readSettings(given);
  } catch (error) {
    if (!(error instanceof ClusterSettingsError)) throw error;
    throw new ClusterError('badSetting', error.message, { setting: error.setting }, error);
  }
}

function readAdvertise(given: string | undefined, listen: string): string | undefined {
  if (given === undefined) {
    if (!isWildcard(listen)) return undefined;
    throw bad('advertise', `listen is ${listen}, which nobody can dial: give advertise as well`);
  }
  const advertise = readAddress('advertise', given);
  if (isWildcard(advertise)) throw bad('advertise', `advertise is ${given}, which nobody can dial`);
  return advertise;
}

function readSeeds(given: readonly string[], listen: string): readonly string[] {
  if (given.length === 0) {
    const own = isWildcard(listen) ? 'the advertised address' : listen;
    const found = `to found a cluster, let its own address be the only one (${own})`;
    throw bad('seeds', `seeds is empty: name at least one node to ask; ${found}`);
  }
  const seeds = given.map((seed) => {
    const address = readAddress('seeds', seed);
    if (isWildcard(address)) throw bad('seeds', `seeds names ${seed}, which nobody can dial`);
    if (partsOf(address).port === 0 && address !== listen)
      throw bad('seeds', `seeds names ${seed}: a seed needs its port`);
    return address;
  });
  return [...new Set(seeds)];
}

function checkTls(listen: string, tls: TransportTls | undefined): void {
  const isSecure = partsOf(listen).scheme === 'wss';
  const hasOwn = (tls?.cert !== undefined && tls.key !== undefined) || tls?.pfx !== undefined;
  if (isSecure && !hasOwn)
    throw bad('tls', `listen is ${listen}: wss:// needs tls with cert and key`);
  if (!isSecure && hasOwn) {
    throw bad(
      'listen',
      `listen is ${listen}: with a certificate of its own a node listens on wss://`,
    );
  }
}

function readRoles(given: readonly string[]): readonly string[] {
  const roles = [...new Set(given.map((role) => readWord('roles', role)))].sort();
  if (roles.length <= ROLES_MAX) return roles;
  throw bad('roles', `roles has ${roles.length} entries: a member has at most ${ROLES_MAX}`);
}

function readWord(setting: string, value: string): string {
  if (isWord(value)) return value;
  const takes = 'takes 1 to 64 letters, digits, dots, dashes, plus signs and underscores';
  throw bad(setting, `${setting} ${takes}, not '${value}'`);
}

const bad = (setting: string, message: string): ClusterError =>
  new ClusterError('badSetting', message, { setting });
