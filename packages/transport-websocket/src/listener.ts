/**
 * The listening socket: takes connections, and turns away at once, with a reason, what is too much or
 * does not belong here. A connection that gets through the upgrade is handed on; whether it is a peer
 * is for the handshake to find out.
 */
import { createServer, type IncomingMessage, type Server, STATUS_CODES } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { ClusterError } from '@rollcall/core';
import { type ServerOptions, type WebSocket, WebSocketServer } from 'ws';
import { type Endpoint, showAddress } from './address.js';
import { Admission, type AdmissionLimit, type Ticket } from './admission.js';
import { HANDSHAKE_BYTES } from './handshake-message.js';
import { type Lane, lanesOf, SUBPROTOCOL } from './lane.js';
import { type TransportTls, withDefaults } from './tls-options.js';
import type { TransportContext } from './transport-context.js';

export interface Arrival {
  readonly ws: WebSocket;
  readonly socket: Socket;
  readonly lanes: readonly Lane[];
  readonly ticket: Ticket;
  /** By then it has proved itself, counted from the first packet. */
  readonly deadlineMs: number;
}

export interface ListenerOptions {
  readonly endpoint: Endpoint;
  readonly tls: TransportTls | undefined;
  readonly allowedOrigins: readonly string[];
}

interface Waiting {
  readonly ticket: Ticket;
  readonly deadlineMs: number;
  cancelTimer(): void;
}

interface Answer {
  readonly status: number;
  readonly text: string;
}

export class Listener {
  readonly #options: ListenerOptions;
  readonly #context: TransportContext;
  readonly #accept: (arrival: Arrival) => void;
  readonly #admission: Admission;
  readonly #sockets = new Set<Socket>();
  /** Connections before their upgrade, by remote address and port: that is the same with and without TLS. */
  readonly #waiting = new Map<string, Waiting>();
  readonly #upgrades: Readonly<Record<'/' | '/user', WebSocketServer>>;
  #server: Server | undefined;
  #isStopped = false;

  constructor(
    options: ListenerOptions,
    context: TransportContext,
    accept: (arrival: Arrival) => void,
  ) {
    this.#options = options;
    this.#context = context;
    this.#accept = accept;
    this.#admission = new Admission(context.limits);
    const { frameBytes, messageBytes } = context.limits;
    this.#upgrades = {
      '/': upgradeServer(frameBytes, context),
      '/user': upgradeServer(messageBytes, context),
    };
  }

  get connections(): number {
    return this.#admission.connections;
  }

  /** Resolves with where it is bound. */
  async listen(): Promise<AddressInfo> {
    const { host, port } = this.#options.endpoint;
    const server = this.#createServer();
    this.#server = server;
    await new Promise<void>((resolve, reject) => {
      server.once('error', (cause) => reject(this.#cannotListen(cause)));
      server.listen(port, host, resolve);
    });
    server.on('error', (error) => this.#warn('server', {}, error.message));
    return server.address() as AddressInfo;
  }

  /** Takes nobody any more; those who are here stay. */
  stop(): void {
    this.#isStopped = true;
  }

  async close(): Promise<void> {
    this.stop();
    const server = this.#server;
    const isListening = server?.listening === true;
    const closed = new Promise<void>((resolve) => {
      if (server && isListening) server.close(() => resolve());
      else resolve();
    });
    for (const socket of this.#sockets) socket.destroy();
    await closed;
  }

  #createServer(): Server {
    const { endpoint, tls } = this.#options;
    const server = endpoint.secure ? this.#createTlsServer(tls ?? {}) : createServer();
    server.on('connection', (socket: Socket) => this.#arrive(socket));
    server.on('request', (_, response) => {
      const headers = { Connection: 'close', Upgrade: 'websocket', 'Content-Type': 'text/plain' };
      response.writeHead(426, headers).end(`This is a Rollcall node: ${SUBPROTOCOL} alone.\n`);
    });
    server.on('upgrade', (request, socket, head) => this.#upgrade(request, socket, head));
    server.on('clientError', (_, socket) => answer(socket, { status: 400, text: 'not HTTP' }));
    // What fails in TLS has no peer to be told; the socket is destroyed by whoever emits this.
    server.on('tlsClientError', (error: Error, socket: Socket) => {
      this.#warn(
        'tls',
        { remote: socket.remoteAddress },
        `a TLS handshake failed: ${error.message}`,
      );
    });
    return server;
  }

  #createTlsServer(tls: TransportTls): Server {
    try {
      return createTlsServer(withDefaults(tls));
    } catch (cause) {
      const why = cause instanceof Error ? cause.message : String(cause);
      throw new ClusterError('badSetting', `tls cannot be used: ${why}`, { setting: 'tls' }, cause);
    }
  }

  #cannotListen(cause: Error): ClusterError {
    const address = showAddress(this.#options.endpoint);
    const message = `cannot listen on ${address}: ${cause.message}`;
    return new ClusterError('cannotListen', message, { address }, cause);
  }

  /** A TCP connection: counted from its first packet, so that doing nothing is no way around a limit. */
  #arrive(socket: Socket): void {
    socket.on('error', () => {});
    const remote = socket.remoteAddress ?? '';
    const ticket = this.#isStopped ? 'stopped' : this.#admission.admit(remote);
    if (typeof ticket === 'string') {
      this.#turnAway(socket, ticket);
      return;
    }
    const { clock, limits } = this.#context;
    const cancelTimer = clock.schedule(limits.handshake, () => socket.destroy());
    const deadlineMs = clock.nowMs() + limits.handshake;
    const key = keyOf(socket);
    this.#sockets.add(socket);
    this.#waiting.set(key, { ticket, deadlineMs, cancelTimer });
    socket.once('close', () => {
      ticket.released();
      cancelTimer();
      this.#sockets.delete(socket);
      this.#waiting.delete(key);
    });
  }

  #turnAway(socket: Socket, limit: AdmissionLimit | 'stopped'): void {
    const isStopped = limit === 'stopped';
    const text = isStopped ? 'this node is closing' : this.#overLimit(limit, socket.remoteAddress);
    // Under TLS nothing can be said before its handshake, and that is the work being avoided.
    if (this.#options.endpoint.secure) socket.destroy();
    else answer(socket, { status: limit === 'connectionsPerAddress' ? 429 : 503, text });
  }

  #overLimit(limit: AdmissionLimit, remote: string | undefined): string {
    const text = `limits.${limit}: no more than ${this.#context.limits[limit]}`;
    this.#context.counts.overLimit += 1;
    this.#warn(limit, { remote }, `turned a connection away: ${text}`);
    return text;
  }

  #upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    socket.on('error', () => {});
    const waiting = this.#waiting.get(keyOf(request.socket));
    const path = (request.url ?? '').split('?')[0] ?? '';
    const lanes = lanesOf(path);
    const refusal = this.#judge(request, lanes);
    if (refusal || !lanes || !waiting) {
      answer(socket, refusal ?? { status: 503, text: 'this node is closing' });
      return;
    }
    const { ticket, deadlineMs, cancelTimer } = waiting;
    this.#upgrades[path as '/'].handleUpgrade(request, socket, head, (ws) => {
      cancelTimer();
      this.#accept({ ws, socket: request.socket, lanes, ticket, deadlineMs });
    });
  }

  #judge(request: IncomingMessage, lanes: readonly Lane[] | undefined): Answer | undefined {
    const { headers } = request;
    const origin = headers.origin ?? headers['sec-websocket-origin'];
    if (origin !== undefined && !this.#options.allowedOrigins.includes(String(origin))) {
      const remote = request.socket.remoteAddress;
      this.#warn('origin', { remote, origin }, `turned a web page away: origin '${origin}'`);
      return { status: 403, text: `the origin '${origin}' is not allowed to speak to this node` };
    }
    if (!lanes) return { status: 404, text: `a Rollcall node serves '/' and '/user'` };
    const offered = (headers['sec-websocket-protocol'] ?? '').split(',').map((s) => s.trim());
    if (!offered.includes(SUBPROTOCOL))
      return { status: 400, text: `the subprotocol here is ${SUBPROTOCOL}` };
    return this.#isStopped ? { status: 503, text: 'this node is closing' } : undefined;
  }

  #warn(kind: string, facts: object, message: string): void {
    this.#context.log.warn(kind, facts, message);
  }
}

function upgradeServer(bytesMax: number, { limits }: TransportContext): WebSocketServer {
  const options: ServerOptions & { readonly closeTimeout: number } = {
    noServer: true,
    clientTracking: false,
    perMessageDeflate: false,
    maxPayload: Math.max(bytesMax, HANDSHAKE_BYTES),
    closeTimeout: limits.handshake,
    handleProtocols: () => SUBPROTOCOL,
  };
  return new WebSocketServer(options);
}

const keyOf = (socket: Socket): string => `${socket.remoteAddress} ${socket.remotePort}`;

/** A last word in HTTP, before anything else was agreed on. */
function answer(socket: Duplex, { status, text }: Answer): void {
  if (!socket.writable) {
    socket.destroy();
    return;
  }
  const body = `${text}\n`;
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    'Connection: close',
    'Content-Type: text/plain; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
  ];
  socket.once('finish', () => socket.destroy());
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`);
}
