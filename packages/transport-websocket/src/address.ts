/**
 * Addresses as nodes write them, `ws://host:port`, taken apart and put together. Two spellings of one
 * address (a capital letter, a slash at the end, a port left out) have one normal form; what a name
 * resolves to is not asked here.
 */

export interface Endpoint {
  readonly secure: boolean;
  /** Without the brackets of an IPv6 address. */
  readonly host: string;
  readonly port: number;
}

/** Undefined when the text is not an address. */
export function readAddress(text: string): Endpoint | undefined {
  const url = parseUrl(text);
  if (!url || (url.protocol !== 'ws:' && url.protocol !== 'wss:')) return undefined;
  if (url.pathname !== '/' || url.search || url.hash || url.username || url.password)
    return undefined;
  const secure = url.protocol === 'wss:';
  const port = url.port === '' ? (secure ? 443 : 80) : Number(url.port);
  return { secure, host: url.hostname.replace(/^\[|\]$/g, ''), port };
}

function parseUrl(text: string): URL | undefined {
  try {
    return new URL(text);
  } catch {
    return undefined;
  }
}

/** Always with the port, IPv6 in brackets. */
export function showAddress({ secure, host, port }: Endpoint): string {
  return `${secure ? 'wss' : 'ws'}://${host.includes(':') ? `[${host}]` : host}:${port}`;
}

/** The one spelling by which addresses are compared; what is not an address stays as it is. */
export function normalAddress(text: string): string {
  const endpoint = readAddress(text);
  return endpoint === undefined ? text : showAddress(endpoint);
}

/** Is this an address that only processes of the same machine can reach? */
export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^(::ffff:)?127\.\d+\.\d+\.\d+$/.test(host);
}
