/**
 * User messages to text and back: superjson, so that Map, Set, Date, BigInt, undefined, Error and the classes an application
 * names survive. What comes from a peer answers with a problem instead of throwing, and no key that could
 * reach a prototype gets near an object.
 */
import { SuperJSON } from 'superjson';
import { checkClasses, type MessageClasses } from './message-classes.js';
import { sendability } from './sendable.js';

/** `isForeign`: no implementation of this protocol sends that, whatever its application does. */
export type Decoded =
  | { readonly value: unknown }
  | { readonly problem: string; readonly isForeign: boolean; readonly head: readonly unknown[] };

export class MessageCodec {
  // An own instance: whatever an application registers with the shared one stays out of the wire.
  readonly #codec = new SuperJSON();
  readonly #prototypes = new Set<object>();

  /** Throws ClusterError `badSetting` for what cannot be carried. */
  constructor(classes: MessageClasses = {}) {
    for (const [name, one] of checkClasses(classes)) {
      this.#codec.registerClass(one, name);
      this.#prototypes.add(one.prototype);
    }
  }

  /** Throws TypeError for what cannot be sent: a function, an instance of a class nobody named, a circle. */
  encode(value: unknown): string {
    let text: string;
    try {
      const problem = sendability(value, this.#prototypes);
      if (problem !== undefined) throw new TypeError(problem);
      text = this.#codec.stringify(value as never);
    } catch (cause) {
      const why = cause instanceof Error ? cause.message : String(cause);
      throw new TypeError(`this message cannot be sent: ${why}`, { cause });
    }
    return text;
  }

  decode(text: string): Decoded {
    let parsed: unknown;
    try {
      parsed = JSON.parse(text);
      if (!isRecord(parsed) || !Object.hasOwn(parsed, 'json'))
        return foreign('is not a superjson message');
      if (mayNameForbidden.test(text) && hasForbiddenKey(parsed))
        return foreign('has a key that could reach a prototype');
    } catch (error) {
      return foreign(reasonOf(error));
    }
    const head = headOf(parsed.json);
    try {
      const value: unknown = this.#codec.deserialize(parsed as never, { inPlace: true });
      // Only these annotations can close a circle; nothing else of a text can.
      const mayCircle = isRecord(parsed.meta) && 'referentialEqualities' in parsed.meta;
      const problem = mayCircle ? sendability(value, this.#prototypes) : undefined;
      return problem === undefined ? { value } : { problem, isForeign: false, head };
    } catch (error) {
      return { problem: reasonOf(error), isForeign: false, head };
    }
  }
}

const foreign = (problem: string): Decoded => ({ problem, isForeign: true, head: [] });
const reasonOf = (error: unknown): string =>
  error instanceof Error ? error.message : 'cannot be decoded';

/** What an envelope says before it comes to the value: its kind, and the number of an ask. */
const headOf = (json: unknown): readonly unknown[] =>
  Array.isArray(json) ? json.slice(0, 2).filter((each) => typeof each !== 'object') : [];

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
