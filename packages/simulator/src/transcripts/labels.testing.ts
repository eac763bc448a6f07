/**
 * What a transcript calls one run of a node: `b` the first time, `b#2` under its second uid, and so on.
 * Real uids would say nothing to a reader, and change whenever a draw of chance does.
 */
import type { NodeKey } from '@rollcall/core';
import { hostOf } from '../node-name.js';

const KEY = /wss?:\/\/[^\s:#]+:\d+(?:#[0-9a-f]+)?/g;

export class Labels {
  readonly #labels = new Map<NodeKey, string>();
  readonly #uids = new Map<string, number>();

  /** A node goes by this unique address from now on. */
  add(name: string, key: NodeKey): void {
    if (this.#labels.has(key)) return;
    const uids = (this.#uids.get(name) ?? 0) + 1;
    this.#uids.set(name, uids);
    this.#labels.set(key, uids === 1 ? name : `${name}#${uids}`);
  }

  of(key: NodeKey): string {
    return this.#labels.get(key) ?? hostOf(key);
  }

  list(keys: readonly NodeKey[]): string {
    return keys
      .map((key) => this.of(key))
      .sort()
      .join(', ');
  }

  /** A sentence of the product with labels in place of addresses. */
  within(sentence: string): string {
    return sentence.replace(KEY, (found) => this.of(found as NodeKey));
  }
}

/** `all` if these are all who run; else their names. */
export function speakers(names: readonly string[], running: readonly string[]): string {
  const isAll = running.length > 1 && running.every((name) => names.includes(name));
  return isAll && names.length === running.length ? 'all' : [...names].sort().join(', ');
}
