/**
 * The proof that an end of a connection knows the cluster's secret: HMAC-SHA256 over everything that
 * makes this handshake different from any other.
 */
import { createHmac, timingSafeEqual } from 'node:crypto';
import { SUBPROTOCOL } from './lane.js';

export type Role = 'dialer' | 'acceptor';

/** What both ends have seen alike, if nobody is between them. */
export interface Transcript {
  /** The hellos as they crossed the wire: nonces, unique addresses, lane, settings. */
  readonly dialerHello: string;
  readonly acceptorHello: string;
  /** Keying material that the TLS connection alone knows; undefined without TLS. */
  readonly binding: Uint8Array | undefined;
}

/** The prover's role is part of it, so that no end takes its own proof for the other's. */
export function proofOf(secret: string, prover: Role, transcript: Transcript): string {
  const mac = createHmac('sha256', secret);
  const parts = [
    Buffer.from(`${SUBPROTOCOL} ${prover}`),
    Buffer.from(transcript.dialerHello),
    Buffer.from(transcript.acceptorHello),
    transcript.binding ?? new Uint8Array(0),
  ];
  for (const part of parts) {
    // With its length before it no part can pass for the beginning of the next.
    const length = Buffer.alloc(4);
    length.writeUInt32BE(part.length);
    mac.update(length).update(part);
  }
  return mac.digest('base64url');
}

/** Takes as long for a near miss as for nonsense. */
export function isProof(claimed: string, expected: string): boolean {
  const [a, b] = [Buffer.from(claimed), Buffer.from(expected)];
  return a.length === b.length && timingSafeEqual(a, b);
}
