/**
 * What goes over the user lane: a user's value, and whether it is told, asked, or an answer. What
 * comes from a peer is checked here, and anything else is nobody's message.
 */

import { reasonOf } from './reason-of.js';

/** An error as it crosses the wire: never its stack, which is nobody else's business. */
export interface Failure {
  readonly name: string;
  readonly message: string;
  readonly code: string | undefined;
}

export type Envelope =
  | readonly ['tell', body: unknown]
  | readonly ['ask', id: number, body: unknown]
  | readonly ['answer', id: number, body: unknown]
  | readonly ['failed', id: number, failure: Failure]
  /** It was not begun, so that another member may be asked without its being done twice. */
  | readonly ['refused', id: number, failure: Failure];

/** Undefined for what is no envelope. */
export function readEnvelope(value: unknown): Envelope | undefined {
  if (!Array.isArray(value)) return undefined;
  const [kind, first, second] = value as readonly unknown[];
  if (kind === 'tell') return value.length === 2 ? ['tell', first] : undefined;
  if (value.length !== 3 || !Number.isSafeInteger(first)) return undefined;
  const id = first as number;
  switch (kind) {
    case 'ask':
      return ['ask', id, second];
    case 'answer':
      return ['answer', id, second];
    case 'failed':
    case 'refused':
      return isFailure(second) ? [kind, id, second] : undefined;
    default:
      return undefined;
  }
}

function isFailure(value: unknown): value is Failure {
  if (typeof value !== 'object' || value === null) return false;
  const { name, message, code } = value as Partial<Record<keyof Failure, unknown>>;
  const isText = (each: unknown) => typeof each === 'string';
  return isText(name) && isText(message) && (code === undefined || isText(code));
}

/** An explanation is for people; one that goes on for longer would not fit into a message, and nobody would hear of it. */
const MESSAGE_MAX = 16_384;

/** Whatever was thrown, as it is told to the one who asked. Never throws, whatever it is. */
export function failureOf(thrown: unknown): Failure {
  const code = part(thrown, 'code');
  const isCode = typeof code === 'string' || typeof code === 'number';
  const name = part(thrown, 'name');
  return {
    name: typeof name === 'string' ? name.slice(0, MESSAGE_MAX) : 'Error',
    message: reasonOf(thrown).slice(0, MESSAGE_MAX),
    code: isCode ? String(code).slice(0, MESSAGE_MAX) : undefined,
  };
}

/** Of an error only: the code of others may throw anything, with getters that throw. */
function part(thrown: unknown, key: 'name' | 'code'): unknown {
  try {
    return thrown instanceof Error ? thrown[key as keyof Error] : undefined;
  } catch {
    return undefined;
  }
}
