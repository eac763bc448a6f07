/**
 * What goes over the user lane: a user's value, and whether it is told, asked, or an answer. What
 * comes from a peer is checked here, and anything else is nobody's message.
 */

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
  | readonly ['failed', id: number, failure: Failure];

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
      return isFailure(second) ? ['failed', id, second] : undefined;
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

/** Whatever was thrown, as it is told to the one who asked. */
export function failureOf(thrown: unknown): Failure {
  if (!(thrown instanceof Error))
    return { name: 'Error', message: String(thrown), code: undefined };
  const { code } = thrown as { code?: unknown };
  const isCode = typeof code === 'string' || typeof code === 'number';
  return { name: thrown.name, message: thrown.message, code: isCode ? String(code) : undefined };
}
