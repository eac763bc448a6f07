/** What simulated nodes are called: `b` lives at `ws://b:7355`, and one run of it reads as `b#0123`. */
import type { NodeKey } from '@rollcall/core';

const PORT = 7_355;

/** A name or an address to an address. */
export const addressFor = (name: string): string =>
  name.includes('://') ? name : `ws://${name}:${PORT}`;

/** The host of an address; a node's name if it has its usual address. */
export function hostOf(address: string): string {
  const start = address.indexOf('://');
  const host = start < 0 ? address : address.slice(start + 3);
  const end = host.lastIndexOf(':');
  return end < 0 ? host : host.slice(0, end);
}

/** One run of a node as a person would say it: its host and the first digits of its uid. */
export function shortKey(key: NodeKey): string {
  const hash = key.indexOf('#');
  if (hash < 0) return hostOf(key);
  return `${hostOf(key.slice(0, hash))}#${key.slice(hash + 1, hash + 5)}`;
}

/** `count` names that sort as they count: n01, n02, … */
export function nodeNames(count: number, prefix = 'n'): readonly string[] {
  const width = String(count).length;
  return Array.from({ length: count }, (_, i) => prefix + String(i + 1).padStart(width, '0'));
}
