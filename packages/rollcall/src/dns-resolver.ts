/** The Resolver of a real node: the machine's own way to look up a host, hosts file included. */
import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import type { Resolver } from '@rollcall/core';
import { partsOf } from './node-address.js';

type Lookup = (
  host: string,
  options: { readonly all: true },
) => Promise<readonly { readonly address: string; readonly family: number }[]>;

const WHY: Readonly<Record<string, string>> = {
  ENOTFOUND: 'no such host',
  ENODATA: 'the host has no address',
  EAI_AGAIN: 'the name server does not answer',
};

/** `lookUp` is Node's unless a test has another. */
export const dnsResolver = (lookUp: Lookup = lookup): Resolver => ({
  async resolve(seed) {
    const { scheme, host, port } = partsOf(seed);
    if (isIP(host) !== 0) return [seed];
    const shown = (address: string) => (isIP(address) === 6 ? `[${address}]` : address);
    try {
      const found = await lookUp(host, { all: true });
      const machines = isLoopback(found) ? found.slice(0, 1) : found;
      const addresses = machines.map(({ address }) => `${scheme}://${shown(address)}:${port}`);
      if (addresses.length > 0) return [...new Set(addresses)].sort();
    } catch (error) {
      throw unresolved(seed, host, error);
    }
    throw unresolved(seed, host, { code: 'ENODATA' });
  },
});

/** The names of one machine for itself are no two seeds: the first is the one that listening binds. */
const isLoopback = (found: readonly { readonly address: string }[]): boolean =>
  found.every(({ address }) => address === '::1' || address.startsWith('127.'));

function unresolved(seed: string, host: string, cause: unknown): Error {
  const { code = '' } = cause as NodeJS.ErrnoException;
  const why = WHY[code] ?? (code === '' ? String(cause) : code);
  return new Error(`seed ${seed}: ${host} cannot be resolved: ${why}`, { cause });
}
