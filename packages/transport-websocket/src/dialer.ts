/** Makes the WebSocket of an outgoing connection, and says in one sentence why a dial came to nothing. */
import type { IncomingMessage } from 'node:http';
import type { Address, DialFailure, Hello } from '@rollcall/core';
import { type ClientOptions, WebSocket } from 'ws';
import { type Endpoint, showAddress } from './address.js';
import type { Connection, ConnectionEnd } from './connection.js';
import { HANDSHAKE_BYTES } from './handshake-message.js';
import { type Lane, pathOf, SUBPROTOCOL } from './lane.js';
import { type TransportTls, withDefaults } from './tls-options.js';
import type { TransportContext } from './transport-context.js';

/** May throw for options that TLS cannot use. */
export function dialSocket(
  endpoint: Endpoint,
  lane: Lane,
  tls: TransportTls | undefined,
  { limits }: TransportContext,
): WebSocket {
  const bytesMax = lane === 'user' ? limits.messageBytes : limits.frameBytes;
  const options: ClientOptions & { readonly closeTimeout: number } = {
    ...(endpoint.secure ? withDefaults(tls ?? {}) : {}),
    perMessageDeflate: false,
    followRedirects: false,
    maxPayload: Math.max(bytesMax, HANDSHAKE_BYTES),
    closeTimeout: limits.handshake,
  };
  return new WebSocket(`${showAddress(endpoint)}${pathOf[lane]}`, [SUBPROTOCOL], options);
}

/** Follows a WebSocket until it is open; `ready` is called when the handshake may begin. */
export function followDial(ws: WebSocket, connection: Connection, ready: () => void): void {
  ws.once('upgrade', (response) => {
    // Not before `open`: what arrives is to be read by the WebSocket first and counted after that.
    ws.once('open', () => {
      connection.attach(response.socket);
      ready();
    });
  });
  ws.on('unexpected-response', (request, response) => {
    readBody(response, (text) => {
      connection.fail(`it answers HTTP ${response.statusCode}${text === '' ? '' : `, ${text}`}`);
      request.destroy();
    });
  });
}

/** The first words of an answer that should not be one; only whoever listens there knows its size. */
function readBody(response: IncomingMessage, done: (text: string) => void): void {
  let text = '';
  response.setEncoding('utf8');
  response.on('data', (chunk: string) => {
    text += chunk;
    if (text.length > 200) response.destroy();
  });
  response.on('error', () => {});
  response.once('close', () => done(text.slice(0, 200).replace(/\s+/g, ' ').trim()));
}

/** Undefined when this end called the dial off itself. */
export function dialFailure(
  address: Address,
  end: ConnectionEnd,
  handshakeMs: number,
): DialFailure | undefined {
  switch (end.kind) {
    case 'refused': {
      const refusal = end.refusal.by === '' ? { ...end.refusal, by: address } : end.refusal;
      const message = `${address} refuses this node: ${refusal.message}`;
      return { code: 'refused', message, refusal };
    }
    case 'stopped':
      return notNeeded(address, end.why, end.peer);
    case 'timeout':
      return { code: 'timeout', message: `${address} said no hello within ${handshakeMs} ms` };
    case 'broken':
      return unreachable(`${address} does not speak ${SUBPROTOCOL}: ${end.message}`);
    case 'overLimit':
    case 'closed':
      return unreachable(`${address} cannot be reached: ${end.message}`);
    case 'dropped':
      return undefined;
  }
}

function notNeeded(address: Address, why: 'self' | 'linked' | 'other', peer: Hello): DialFailure {
  if (why === 'self') return { code: why, message: `${address} leads back to this node`, peer };
  if (why === 'other') return unreachable(`${address} is answered by ${peer.self} now`);
  return { code: why, message: `${address} leads to ${peer.self}, to which there is a link`, peer };
}

const unreachable = (message: string): DialFailure => ({ code: 'unreachable', message });
