/**
 * A node is an address plus the run that owns it: `ws://host:port#uid`. A restarted process, and
 * even a second attempt to join, is a different node (PROTOCOL "State", X12).
 *
 * The order of keys is the same everywhere and decides ties, age and promotion: host, then numeric
 * port, then uid, then whatever is left of the text. "Lowest address" means first in this order.
 */

/** Any text will do as a key; those that are addresses sort as addresses. */
export type NodeKey = string & { readonly __node?: never };

export const nodeKey = (address: string, uid: string): NodeKey => `${address}#${uid}`;

export function addressOf(key: NodeKey): string {
  const end = key.indexOf('#');
  return end < 0 ? key : key.slice(0, end);
}

export function uidOf(key: NodeKey): string {
  const end = key.indexOf('#');
  return end < 0 ? '' : key.slice(end + 1);
}

interface Parts {
  readonly key: NodeKey;
  readonly host: string;
  readonly port: number;
  readonly uid: string;
}

function partsOf(key: NodeKey): Parts {
  const address = addressOf(key);
  const scheme = address.indexOf('://');
  const hostStart = scheme < 0 ? 0 : scheme + 3;
  const colon = address.lastIndexOf(':');
  const hasPort = colon >= hostStart && colon > address.lastIndexOf(']');
  const port = hasPort ? Number(address.slice(colon + 1)) : 0;
  return {
    key,
    host: address.slice(hostStart, hasPort ? colon : undefined),
    port: Number.isNaN(port) ? 0 : port,
    uid: uidOf(key),
  };
}

const compareText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

const compareParts = (a: Parts, b: Parts): number =>
  compareText(a.host, b.host) ||
  a.port - b.port ||
  compareText(a.uid, b.uid) ||
  compareText(a.key, b.key);

/** The total order of keys; 0 only for the same key. */
export const compareKeys = (a: NodeKey, b: NodeKey): number =>
  a === b ? 0 : compareParts(partsOf(a), partsOf(b));

/** The keys in order, each once. Takes every key apart once instead of at each comparison. */
export function sortKeys(keys: Iterable<NodeKey>): readonly NodeKey[] {
  const unique = [...new Set(keys)];
  if (unique.length < 2) return unique;
  return unique
    .map(partsOf)
    .sort(compareParts)
    .map((parts) => parts.key);
}

/** Where a key stands in sorted keys, or -1 - (where it would stand). */
export function searchKeys(keys: readonly NodeKey[], key: NodeKey): number {
  const parts = partsOf(key);
  let low = 0;
  let high = keys.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const found = keys[middle] as NodeKey;
    if (found === key) return middle;
    if (compareParts(partsOf(found), parts) < 0) low = middle + 1;
    else high = middle;
  }
  return -1 - low;
}
