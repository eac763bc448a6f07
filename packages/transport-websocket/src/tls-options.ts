/** TLS as Node knows it, for both directions: what this node shows to others and what it asks of them. */
import type { Socket } from 'node:net';
import { type SecureContextOptions, TLSSocket } from 'node:tls';

/** One set of options for listening on and for dialling `wss://`. TLS 1.3 unless `minVersion` says otherwise. */
export interface TransportTls extends SecureContextOptions {
  /** Ask every dialer for a certificate that `ca` vouches for: mutual TLS. */
  readonly requestCert?: boolean;
  /** Only ever false in a test: a certificate that nobody vouches for is then good enough. */
  readonly rejectUnauthorized?: boolean;
  /** The name to ask for when an address is not a name that the certificate is made out to. */
  readonly servername?: string;
}

// Before 1.3 two connections could share what the proof of a secret is bound to.
export const withDefaults = (tls: TransportTls): TransportTls => ({
  minVersion: 'TLSv1.3',
  ...tls,
});

export const isMutual = (tls: TransportTls | undefined): boolean =>
  tls?.requestCert === true && tls.rejectUnauthorized !== false;

/** RFC 9266: what this TLS connection alone knows. Both ends get the same, anybody between another. */
export function bindingOf(socket: Socket): Uint8Array | undefined {
  if (!(socket instanceof TLSSocket)) return undefined;
  try {
    return socket.exportKeyingMaterial(32, 'EXPORTER-Channel-Binding', Buffer.alloc(0));
  } catch {
    // The socket has been destroyed meanwhile; what is said on it no longer matters.
    return undefined;
  }
}
