/**
 * Who may ask, and who may change something. A browser on the operator's machine reaches
 * loopback as well, so a page of somebody else's must not: not by a cross-origin request, and not by a
 * name of its own that resolves to this machine.
 */
import { createHash, timingSafeEqual } from 'node:crypto';
import { refuse } from './answer.js';

export interface Access {
  /** May `PUT` and `DELETE` change anything. */
  readonly write: boolean;
  /** When given, changes need `Authorization: Bearer …` with it. */
  readonly token?: string | undefined;
  /** Only loopback can reach this; then the name asked for must be a loopback one too. */
  readonly loopback: boolean;
}

/** Answers 403 when the name in the URL could be one that a foreign page chose. */
export function checkHost(url: URL, access: Access): void {
  if (!access.loopback || isAddress(url.hostname) || /(^|\.)localhost$/.test(url.hostname)) return;
  refuse(403, `this node is managed as localhost or by its IP address, not as '${url.hostname}'`);
}

/** Answers 405, 403 or 401 unless this request may change something. `allow` is what may be asked without. */
export function checkWrite(request: Request, url: URL, access: Access, allow: string): void {
  if (!access.write) {
    refuse(405, `${request.method} is switched off here: start the node with --management-write`, {
      headers: { allow },
    });
  }
  checkOrigin(request, url);
  if (access.token === undefined) return;
  const [, given] = /^Bearer +(.+)$/i.exec(request.headers.get('authorization') ?? '') ?? [];
  if (given === undefined || !sameSecret(given, access.token)) {
    refuse(
      401,
      'this needs the header Authorization: Bearer with the token of --management-token-file',
      {
        headers: { 'www-authenticate': 'Bearer realm="rollcall"' },
      },
    );
  }
}

function checkOrigin(request: Request, url: URL): void {
  const origin = request.headers.get('origin');
  if (origin !== null && hostOf(origin) !== url.host) {
    refuse(403, `a page of ${origin} may not change this cluster`);
  }
  const site = request.headers.get('sec-fetch-site');
  if (site !== null && site !== 'same-origin' && site !== 'none') {
    refuse(403, `a ${site} page may not change this cluster`);
  }
}

/** Of the page's origin; a proxy may have taken off its TLS, so the scheme does not count. */
const hostOf = (origin: string): string | undefined =>
  URL.canParse(origin) ? new URL(origin).host : undefined;

/** Takes the same time wherever the two differ, in length too. */
function sameSecret(a: string, b: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(a), digest(b));
}

const isAddress = (hostname: string): boolean =>
  hostname.startsWith('[') || /^\d{1,3}(\.\d{1,3}){3}$/.test(hostname);
