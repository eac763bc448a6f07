/**
 * The four messages of a handshake as JSON text, checked field by field on arrival. Fields that are
 * not known are ignored; one that is missing or of another shape makes the message a problem.
 */
import { type Hello, isUniqueAddress, REFUSAL_CODES, type RefusalCode } from '@rollcall/core';
import { isToken } from './datagrams.js';
import type { Lane } from './lane.js';

export interface WireHello {
  readonly type: 'hello';
  readonly hello: Hello;
  readonly lane: Lane;
  /** 32 random bytes, fresh for each handshake. */
  readonly nonce: string;
  /** Does this end ask for proof of a secret? */
  readonly secured: boolean;
  /** Does this end see TLS on the connection? */
  readonly tls: boolean;
}

/** `token` is what the other end needs to send datagrams to this one; absent if none are taken. */
export interface Proof {
  readonly type: 'prove' | 'welcome';
  readonly mac: string;
  readonly token?: string | undefined;
}

export type HandshakeMessage =
  | WireHello
  | Proof
  | { readonly type: 'refuse'; readonly code: RefusalCode; readonly message: string };

export interface Problem {
  readonly type: 'problem';
  readonly message: string;
}

/** Room for a hello with every setting; a handshake in all takes no more than four of these. */
export const HANDSHAKE_BYTES = 16_384;

export function showHandshake(message: HandshakeMessage): string {
  if (message.type !== 'hello') return JSON.stringify(message);
  const { hello, ...rest } = message;
  const { cluster, protocol, self, settings } = hello;
  return JSON.stringify({ ...rest, cluster, protocol, self, settings });
}

export function readHandshake(text: string): HandshakeMessage | Problem {
  if (text.length > HANDSHAKE_BYTES) return problem('is too long');
  let raw: unknown;
  try {
    raw = JSON.parse(text);
  } catch {
    return problem('is not JSON');
  }
  if (typeof raw !== 'object' || raw === null || Array.isArray(raw))
    return problem('is not an object');
  const fields = raw as Readonly<Record<string, unknown>>;
  switch (fields.type) {
    case 'hello':
      return readHello(fields);
    case 'prove':
    case 'welcome': {
      const { type, mac, token } = fields;
      if (!isText(mac, 64)) return problem('has no proof');
      if (token !== undefined && !isToken(token)) return problem('has a token that is none');
      return { type, mac, token };
    }
    case 'refuse': {
      const { code, message } = fields;
      if (!isCode(code) || !isText(message, 4_096)) return problem('refuses without a reason');
      return { type: 'refuse', code, message: printable(message) };
    }
    default:
      return problem('is of no known type');
  }
}

function readHello(fields: Readonly<Record<string, unknown>>): WireHello | Problem {
  const { cluster, protocol, self, settings, lane, nonce, secured, tls } = fields;
  if (!isText(cluster, 256) || cluster === '' || cluster !== printable(cluster))
    return problem('has no cluster name');
  if (!isRange(protocol)) return problem('has no protocol range');
  if (!isText(self, 512) || !isUniqueAddress(self) || self !== printable(self))
    return problem('has no unique address');
  if (!Array.isArray(settings) || settings.length > 256 || !settings.every(isPair))
    return problem('has settings that are not pairs');
  if (lane !== 'control' && lane !== 'user' && lane !== 'probe') return problem('names no lane');
  if (!isText(nonce, 43) || !/^[\w-]{43}$/.test(nonce)) return problem('has no nonce');
  if (typeof secured !== 'boolean' || typeof tls !== 'boolean')
    return problem('does not say how it is secured');
  const { min, max } = protocol;
  const hello = Object.freeze({
    cluster,
    protocol: Object.freeze({ min, max }),
    self,
    settings: Object.freeze([...settings]),
  });
  return { type: 'hello', hello, lane, nonce, secured, tls };
}

const problem = (message: string): Problem => ({ type: 'problem', message });

const isText = (value: unknown, max: number): value is string =>
  typeof value === 'string' && value.length <= max;

const isPair = (value: unknown): value is string =>
  isText(value, 256) && value.indexOf('=') > 0 && value === printable(value);

function isRange(value: unknown): value is { readonly min: number; readonly max: number } {
  if (typeof value !== 'object' || value === null) return false;
  const { min, max } = value as { min?: unknown; max?: unknown };
  return isVersion(min) && isVersion(max) && min <= max;
}

const isVersion = (value: unknown): value is number =>
  Number.isInteger(value) && Number(value) >= 0 && Number(value) <= 65_535;

const codes: ReadonlySet<unknown> = new Set(REFUSAL_CODES);
const isCode = (value: unknown): value is RefusalCode => codes.has(value);

/** What a peer says ends up in logs and on terminals: no line breaks, no escape sequences. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is taken out
const printable = (text: string): string => text.replace(/[\u0000-\u001f\u007f-\u009f]/g, '?');
