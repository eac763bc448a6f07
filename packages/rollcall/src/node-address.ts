/** Addresses of nodes as users write them: `ws://host:port`, `wss://host:port`. */
import { ClusterError } from '@rollcall/core';

export interface AddressParts {
  readonly scheme: 'ws' | 'wss';
  /** Lower case; IPv6 without its brackets. */
  readonly host: string;
  readonly port: number;
}

const SHAPE = /^(wss?):\/\/(\[[\da-f:.]+\]|[\w.-]+):(\d{1,5})\/?$/i;

/** The parts of an address that `readAddress` has let through. */
export function partsOf(address: string): AddressParts {
  const [, scheme = 'ws', host = '', port = '0'] = SHAPE.exec(address) ?? [];
  return {
    scheme: scheme.toLowerCase() === 'wss' ? 'wss' : 'ws',
    host: host.replace(/^\[|\]$/g, ''),
    port: Number(port),
  };
}

/**
 * The one way to write an address, so that equal addresses are equal text: lower case, IP addresses in
 * their short form, no slash at the end. Throws `badSetting` that names `setting`.
 */
export function readAddress(setting: string, text: string): string {
  const [, scheme = '', host = '', port = ''] = SHAPE.exec(text.trim()) ?? [];
  const url = `http://${host}:${port}`;
  if (scheme === '' || !URL.canParse(url)) throw badAddress(setting, text);
  return `${scheme.toLowerCase()}://${new URL(url).hostname}:${Number(port)}`;
}

/** Stands for every address of a machine, in IPv6 also as IPv4: fit to listen on, not to be dialled. */
export const isWildcard = (address: string): boolean =>
  /^(0\.0\.0\.0|::|::ffff:0:0)$/.test(partsOf(address).host);

function badAddress(setting: string, text: string): ClusterError {
  const message = `${setting} must look like ws://host:port or wss://host:port, not '${text}'`;
  return new ClusterError('badSetting', message, { setting });
}
