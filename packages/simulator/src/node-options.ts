/** How a node is started: what a script says, and what is filled in where it says nothing. */
import { type GivenSettings, type Hello, readSettings, type Settings } from '@rollcall/core';
import { addressFor } from './node-name.js';

/** All of it has a default. */
export interface NodeOptions {
  /** Names or addresses; the simulation's seeds unless given. */
  readonly seeds?: readonly string[];
  readonly roles?: readonly string[];
  readonly appVersion?: string;
  /** The name of the cluster it looks for. */
  readonly cluster?: string;
  /** Put over the simulation's settings. */
  readonly settings?: GivenSettings;
  /** Where it listens: `ws://<name>:7355` unless given. */
  readonly address?: string;
  readonly advertise?: string;
  /** Makes it say something else in its hello, e.g. another protocol version. */
  readonly alterHello?: (hello: Hello) => Hello;
}

/** The options with every default filled in. */
export interface RunOptions {
  readonly seeds: readonly string[];
  readonly roles: readonly string[];
  readonly appVersion: string;
  readonly cluster: string;
  readonly settings: Settings;
  readonly address: string;
  readonly advertise: string | undefined;
  readonly alterHello: ((hello: Hello) => Hello) | undefined;
}

/** What every node of a simulation has in common. */
export interface SharedOptions {
  readonly seeds: readonly string[];
  readonly settings: GivenSettings;
}

/** Throws ClusterSettingsError for settings that cannot be used. */
export function fillIn(name: string, given: NodeOptions, shared: SharedOptions): RunOptions {
  return {
    seeds: (given.seeds ?? shared.seeds).map(addressFor),
    roles: given.roles ?? [],
    appVersion: given.appVersion ?? '1.0.0',
    cluster: given.cluster ?? 'simulated',
    settings: readSettings(putOver(shared.settings, given.settings ?? {})),
    address: given.address ?? addressFor(name),
    advertise: given.advertise,
    alterHello: given.alterHello,
  };
}

/** Settings over settings; a branch is joined leaf by leaf. */
function putOver(base: GivenSettings, over: GivenSettings): GivenSettings {
  const both: Record<string, unknown> = { ...base };
  for (const [name, given] of Object.entries(over)) {
    const under = both[name];
    both[name] = isBranch(under) && isBranch(given) ? { ...under, ...given } : given;
  }
  return both;
}

const isBranch = (value: unknown): value is object => typeof value === 'object' && value !== null;
