/** From the flags of `rollcall node` to the options of a node and of its management. */
import { type GivenSettings, settingRows } from '@rollcall/core';
import {
  type Access,
  isLoopback,
  type ManagementAddress,
  readManagementAddress,
} from '@rollcall/management';
import { readAddress } from '../node-address.js';
import type { NodeOptions } from '../node-options.js';
import type { LogLevel } from '../pino-logger.js';
import { unusable } from './exit-code.js';
import { readPem, readSecret, readText } from './text-file.js';

/** As commander gives them. */
export interface NodeFlags {
  readonly name?: string;
  readonly listen?: string;
  readonly advertise?: string;
  readonly seed: readonly string[];
  readonly role: readonly string[];
  readonly management?: string;
  readonly managementWrite?: boolean;
  readonly managementTokenFile?: string;
  readonly appVersion?: string;
  readonly secretFile?: string;
  readonly tlsCert?: string;
  readonly tlsKey?: string;
  readonly tlsCa?: string;
  readonly config?: string;
  readonly set: readonly string[];
  readonly logLevel: LogLevel;
  readonly printSettings?: boolean;
}

export interface ManagementArguments {
  readonly at: ManagementAddress;
  readonly access: Access;
}

export function readNodeOptions(flags: NodeFlags): NodeOptions {
  const { name, listen, seed } = flags;
  if (name === undefined) {
    throw unusable(
      '--name',
      'a node needs --name: the cluster it belongs to, the same at every node',
    );
  }
  if (listen === undefined) {
    throw unusable(
      '--listen',
      'a node needs --listen: where it listens, such as ws://127.0.0.1:7355',
    );
  }
  if (seed.length === 0) {
    // One that cannot be used is no good as an example either.
    readAddress('listen', listen);
    const found = `To found a cluster, let the node's own address be the only seed: --seed ${flags.advertise ?? listen}`;
    throw unusable('--seed', `a node needs --seed: whom to ask to be let in. ${found}`);
  }
  return {
    name,
    listen,
    advertise: flags.advertise,
    seeds: seed,
    roles: flags.role,
    appVersion: flags.appVersion,
    secret:
      flags.secretFile === undefined ? undefined : readSecret('--secret-file', flags.secretFile),
    tls: readTls(flags),
    settings: readGivenSettings(flags),
  };
}

/** What `--set` says wins over `--config`, and that over the profile. */
export function readGivenSettings({
  config,
  set,
}: Pick<NodeFlags, 'config' | 'set'>): GivenSettings {
  const tree = config === undefined ? {} : readConfig(config);
  const pairs = new Map(set.map(readPair));
  // Later names win when the tree is read, so what was set has to come last.
  const rest = Object.entries(tree).filter(([name]) => !pairs.has(name));
  return Object.fromEntries([...rest, ...pairs]);
}

export function readManagement(flags: NodeFlags): ManagementArguments | undefined {
  const { management, managementWrite = false, managementTokenFile } = flags;
  if (management === undefined) {
    const stray = managementWrite ? '--management-write' : '--management-token-file';
    if (!managementWrite && managementTokenFile === undefined) return undefined;
    throw unusable('--management', `${stray} needs --management HOST:PORT`);
  }
  const at = readManagementAddress(management);
  if (at === undefined) {
    throw unusable(
      '--management',
      `--management takes HOST:PORT, such as 127.0.0.1:8355, not '${management}'`,
    );
  }
  const token =
    managementTokenFile === undefined
      ? undefined
      : readSecret('--management-token-file', managementTokenFile);
  const loopback = isLoopback(at.host);
  if (managementWrite && !loopback && token === undefined) {
    throw unusable(
      '--management-token-file',
      `--management-write on ${at.host} lets every machine that reaches it change the cluster: give --management-token-file as well`,
    );
  }
  return { at, access: { write: managementWrite, token, loopback } };
}

/** A certificate needs its key; whom to trust stands alone. */
function readTls({ tlsCert, tlsKey, tlsCa }: NodeFlags): NodeOptions['tls'] {
  if (tlsCert === undefined && tlsKey !== undefined)
    throw unusable('--tls-cert', '--tls-key needs --tls-cert');
  if (tlsKey === undefined && tlsCert !== undefined)
    throw unusable('--tls-key', '--tls-cert needs --tls-key');
  const given = {
    ...(tlsCert === undefined ? {} : { cert: readPem('--tls-cert', tlsCert) }),
    ...(tlsKey === undefined ? {} : { key: readPem('--tls-key', tlsKey) }),
    ...(tlsCa === undefined ? {} : { ca: readPem('--tls-ca', tlsCa) }),
  };
  return Object.keys(given).length === 0 ? undefined : given;
}

/** How a setting that was given as a flag is to be given; undefined for any other flag. */
export function settingHint(flag: string, args: readonly string[]): string | undefined {
  const [, name = '', given] = /^--([^=]+)(?:=(.*))?$/s.exec(flag) ?? [];
  const isSetting =
    name === 'profile' ||
    name.startsWith('members.minPerRole.') ||
    name.startsWith('peers.') ||
    settingRows.some((row) => row.name === name);
  if (!isSetting) return undefined;
  const next = args[args.indexOf(flag) + 1];
  const value = given ?? (next === undefined || next.startsWith('-') ? 'VALUE' : next);
  return `${name} is a setting: --set ${name}=${value}`;
}

function readPair(text: string): [string, string] {
  const at = text.indexOf('=');
  if (at < 1)
    throw unusable('--set', `--set takes key=value, such as downing.stableAfter=5s, not '${text}'`);
  return [text.slice(0, at).trim(), text.slice(at + 1).trim()];
}

function readConfig(file: string): Record<string, unknown> {
  const text = readText('--config', file);
  let tree: unknown;
  try {
    tree = JSON.parse(text);
  } catch (cause) {
    throw unusable('--config', `--config ${file} is not JSON: ${(cause as Error).message}`, cause);
  }
  if (tree !== null && typeof tree === 'object' && !Array.isArray(tree)) return { ...tree };
  throw unusable('--config', `--config ${file} must hold an object of settings`);
}
