/**
 * User messages to text and back: superjson, so that Map, Set, Date, BigInt, undefined and Error
 * survive. What comes from a peer answers with a problem instead of throwing, and no key that could
 * reach a prototype gets near an object.
 */
import { SuperJSON } from 'superjson';

// An own instance: whatever an application registers with the shared one stays out of the wire.
const codec = new SuperJSON();

/** Throws TypeError for what cannot be sent: a function, a symbol, a key such as `constructor`. */
export function encodeMessage(value: unknown): string {
  let text: string;
  try {
    text = codec.stringify(value as never);
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new TypeError(`this message cannot be sent: ${why}`, { cause });
  }
  if (!text.startsWith('{"json":'))
    throw new TypeError(`this message cannot be sent: it is a ${typeof value}`);
  return text;
}

export type Decoded = { readonly value: unknown } | { readonly problem: string };

export function decodeMessage(text: string): Decoded {
  try {
    const parsed: unknown = JSON.parse(text);
    if (!isRecord(parsed) || !Object.hasOwn(parsed, 'json'))
      return { problem: 'is not a superjson message' };
    if (mayNameForbidden.test(text) && hasForbiddenKey(parsed))
      return { problem: 'has a key that could reach a prototype' };
    return { value: codec.deserialize(parsed as never, { inPlace: true }) };
  } catch (error) {
    return { problem: error instanceof Error ? error.message : 'cannot be decoded' };
  }
}

const forbidden = new Set(['__proto__', 'constructor', 'prototype']);

/** A key can be spelled with escapes only of this kind, so most texts need no walk. */
const mayNameForbidden = /__proto__|constructor|prototype|\\u/;

/** Looks without recursion: a peer chooses the depth. Paths in annotations superjson checks itself. */
function hasForbiddenKey(root: unknown): boolean {
  const open: unknown[] = [root];
  while (open.length > 0) {
    const value = open.pop();
    if (Array.isArray(value)) for (const item of value) open.push(item);
    else if (isRecord(value)) {
      for (const key of Object.keys(value)) {
        if (forbidden.has(key)) return true;
        open.push(value[key]);
      }
    }
  }
  return false;
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null;
