/** Core's Resolver from a table: a host stands for itself unless the table says for whom else, or for nobody. */
import type { Resolver } from '@rollcall/core';
import { addressFor, hostOf } from './node-name.js';

/** Hosts and the nodes they stand for; with none, a host cannot be resolved. */
export type Hosts = Readonly<Record<string, readonly string[]>>;

export function simulatedResolver(hosts: Hosts, settleSoon: () => void): Resolver {
  return {
    resolve(seed) {
      settleSoon();
      const names = hosts[hostOf(seed)];
      if (names === undefined) return Promise.resolve([seed]);
      if (names.length > 0) return Promise.resolve(names.map(addressFor).sort());
      return Promise.reject(new Error(`the host of ${seed} cannot be resolved`));
    },
  };
}
