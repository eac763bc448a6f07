/**
 * One WebSocket with its handshake and its limits: what happens on the socket becomes a handful of
 * calls to its owner, each once and none of them an exception. Which connections a node wants, and
 * what it says on them, is decided elsewhere.
 */
import { randomBytes } from 'node:crypto';
import type { Socket } from 'node:net';
import type { Address, Hello, NodeKey } from '@rollcall/core';
import { type RawData, WebSocket } from 'ws';
import { Handshake, type HandshakeOutcome, type HandshakeStep } from './handshake.js';
import { HANDSHAKE_BYTES } from './handshake-message.js';
import type { Role } from './handshake-proof.js';
import { CLOSE, closeReason, type Lane } from './lane.js';
import type { LinkFacts } from './link-table.js';
import { readSlower } from './read-slower.js';
import { bindingOf } from './tls-options.js';
import { TokenBucket } from './token-bucket.js';
import type { TransportContext } from './transport-context.js';

/** Why a connection is no use any more. */
export type ConnectionEnd =
  | Exclude<HandshakeOutcome, { readonly kind: 'open' }>
  | { readonly kind: 'timeout' }
  | { readonly kind: 'overLimit'; readonly message: string }
  /** The peer or the network closed it; `code` is a close code, 1006 for none. */
  | { readonly kind: 'closed'; readonly code: number; readonly message: string }
  /** This end closed it on purpose. */
  | { readonly kind: 'dropped' };

export interface ConnectionOwner {
  /** The handshake is through: `peer` and `lane` are known. */
  opened(connection: Connection): void;
  /** One control frame, or the text of one user message. */
  received(connection: Connection, data: Buffer): void;
  /** Something was written out: there may be room for more. */
  written(connection: Connection): void;
  /** Told once, before or after `opened`. Nothing is received any more. */
  ended(connection: Connection, end: ConnectionEnd): void;
  /** Its socket is closed. */
  gone(connection: Connection): void;
}

export interface ConnectionOptions {
  readonly id: number;
  readonly role: Role;
  readonly lanes: readonly Lane[];
  /** The address that was dialled. */
  readonly dialled: Address | undefined;
  readonly deadlineMs: number;
}

export type Consider = (peer: Hello, lane: Lane) => 'self' | 'linked' | 'other' | undefined;

/** A peer that has not proved itself may make this end read so much and no more. */
const unprovedBytesMax = 4 * HANDSHAKE_BYTES;
const keepAliveMs = 15_000;

export class Connection implements LinkFacts {
  readonly id: number;
  readonly isDialled: boolean;
  readonly dialled: Address | undefined;
  readonly startedMs: number;
  openedMs = 0;
  lastUsedMs: number;
  lane: Lane;
  peer: Hello | undefined;
  peerKey: NodeKey = '';
  /** What it takes to send datagrams there. */
  token: string | undefined;
  readonly #options: ConnectionOptions;
  readonly #context: TransportContext;
  readonly #owner: ConnectionOwner;
  readonly #ws: WebSocket;
  readonly #bucket: TokenBucket;
  #socket: Socket | undefined;
  #binding: Uint8Array | undefined;
  #handshake: Handshake | undefined;
  /** `draining`: this end has said goodbye and still takes what is under way. */
  #state: 'handshake' | 'open' | 'draining' | 'ended' = 'handshake';
  #unprovedBytes = 0;
  #problem = '';
  readonly #cancelTimer: () => void;

  constructor(
    ws: WebSocket,
    options: ConnectionOptions,
    context: TransportContext,
    owner: ConnectionOwner,
  ) {
    this.#ws = ws;
    this.#options = options;
    this.#context = context;
    this.#owner = owner;
    this.id = options.id;
    this.dialled = options.dialled;
    this.isDialled = options.role === 'dialer';
    this.lane = options.lanes[0] ?? 'control';
    this.startedMs = context.clock.nowMs();
    this.lastUsedMs = this.startedMs;
    this.#bucket = new TokenBucket(context.limits.framesPerSecond, this.startedMs);
    const leftMs = Math.max(0, options.deadlineMs - this.startedMs);
    this.#cancelTimer = context.clock.schedule(leftMs, () => this.#timeOut());
    ws.on('message', (data, isBinary) => this.#receive(data, isBinary));
    ws.on('ping', () => this.#isWithinRate());
    ws.on('pong', () => this.#isWithinRate());
    ws.on('error', (error) => this.#broke(error));
    ws.on('close', (code, reason) => this.#closed(code, reason.toString()));
  }

  get isOpen(): boolean {
    return this.#state === 'open';
  }

  /** Can it take a frame now, or has the peer said goodbye? */
  get canSend(): boolean {
    return this.#state === 'open' && this.#ws.readyState === WebSocket.OPEN;
  }

  /** The IP at its other end. */
  get remoteAddress(): string | undefined {
    return this.#socket?.remoteAddress;
  }

  get bufferedBytes(): number {
    return this.#ws.bufferedAmount;
  }

  /** The socket below, as soon as it is known. */
  attach(socket: Socket): void {
    this.#socket = socket;
    this.#binding = bindingOf(socket);
    socket.setKeepAlive(true, keepAliveMs);
    socket.on('data', this.#countUnproved);
  }

  /** Who this node is has been decided: shake hands. */
  begin(hello: Hello, consider?: Consider): void {
    if (this.#state !== 'handshake' || this.#handshake) return;
    const { role, lanes } = this.#options;
    const nonce = randomBytes(32).toString('base64url');
    const { secret, datagrams } = this.#context;
    const binding = this.#binding;
    const tokenFor = (peer: NodeKey) => datagrams.tokenFor(peer);
    const options = { role, lanes, hello, nonce, secret, binding, consider, tokenFor };
    this.#handshake = new Handshake(options);
    this.#apply(this.#handshake.start());
  }

  /** Before `begin`: what the peer says has to wait. */
  pause(): void {
    this.#ws.pause();
  }

  resume(): void {
    this.#ws.resume();
  }

  /** Its owner is told when a frame is written out. */
  sendFrame(bytes: Uint8Array): void {
    this.lastUsedMs = this.#context.clock.nowMs();
    this.#ws.send(bytes, this.#wroteFrame);
  }

  sendText(text: string, done: (error?: Error | null) => void): void {
    this.lastUsedMs = this.#context.clock.nowMs();
    this.#ws.send(text, done);
  }

  readonly #wroteFrame = (): void => this.#owner.written(this);

  /** Says goodbye and still takes what the peer has sent before it hears of it. */
  drain(code: number, reason: string): void {
    if (this.#state !== 'open') return;
    this.#state = 'draining';
    this.#ws.close(code, closeReason(reason));
  }

  /** Says goodbye and hears nothing more. */
  end(code: number, reason: string, end: ConnectionEnd = { kind: 'dropped' }): void {
    if (!this.#finish(end)) return;
    this.#ws.close(code, closeReason(reason));
  }

  /** The dial came to nothing before there was a WebSocket. */
  fail(message: string): void {
    this.#finish({ kind: 'closed', code: 1006, message });
    this.#ws.terminate();
  }

  /** Destroys the socket without a word. */
  terminate(): void {
    this.#finish({ kind: 'dropped' });
    this.#ws.terminate();
  }

  #finish(end: ConnectionEnd): boolean {
    if (this.#state === 'ended') return false;
    this.#state = 'ended';
    this.#cancelTimer();
    this.#socket?.off('data', this.#countUnproved);
    // A paused socket would never read the peer's goodbye.
    this.#ws.resume();
    this.#owner.ended(this, end);
    return true;
  }

  #apply({ send, outcome }: HandshakeStep): void {
    for (const text of send) this.#ws.send(text);
    if (!outcome) return;
    if (outcome.kind === 'open') this.#open(outcome);
    else if (outcome.kind === 'stopped') this.end(CLOSE.duplicate, outcome.why, outcome);
    else if (outcome.kind === 'refused')
      this.end(CLOSE.refused, `${outcome.refusal.code}: ${outcome.refusal.message}`, outcome);
    else this.end(CLOSE.badFrame, outcome.message, outcome);
  }

  #open({ peer, lane, token }: Extract<HandshakeOutcome, { kind: 'open' }>): void {
    this.#state = 'open';
    this.#cancelTimer();
    this.#socket?.off('data', this.#countUnproved);
    this.openedMs = this.#context.clock.nowMs();
    this.lastUsedMs = this.openedMs;
    this.peer = peer;
    this.peerKey = peer.self;
    this.lane = lane;
    this.token = token;
    this.#owner.opened(this);
  }

  #receive(raw: RawData, isBinary: boolean): void {
    if (this.#state === 'ended') return;
    const data = raw as Buffer;
    if (this.#state === 'handshake') return this.#shake(data, isBinary);
    if (!this.#isWithinRate()) return;
    if (isBinary !== (this.lane === 'control')) {
      const what = `${isBinary ? 'a binary frame' : 'text'} on the ${this.lane} lane`;
      this.undecodable(CLOSE.wrongKind, what);
      return;
    }
    this.#owner.received(this, data);
  }

  #shake(data: Buffer, isBinary: boolean): void {
    if (isBinary)
      this.undecodable(CLOSE.badFrame, 'a binary frame before the handshake was through');
    else if (this.#handshake) this.#apply(this.#handshake.receive(data.toString()));
  }

  /** The peer sent what nobody can read: counted, logged, and the end of the connection. */
  undecodable(code: number, message: string): void {
    this.end(code, message, { kind: 'broken', message });
  }

  /** Above the rate the control lane is closed; user messages, which come as fast as a program sends them, are read more slowly. */
  #isWithinRate(): boolean {
    const { clock, limits } = this.#context;
    this.lastUsedMs = clock.nowMs();
    if (this.lane === 'user') readSlower(this.#ws, this.#bucket.owe(this.lastUsedMs), clock);
    if (this.lane === 'user' || this.#bucket.take(this.lastUsedMs)) return true;
    this.overLimit(
      `limits.framesPerSecond: more than ${limits.framesPerSecond} frames in a second`,
    );
    return false;
  }

  /** The peer is told which limit it broke. */
  overLimit(message: string): void {
    this.end(CLOSE.overLimit, message, { kind: 'overLimit', message });
  }

  readonly #countUnproved = (chunk: Buffer): void => {
    if (this.#state !== 'handshake') return;
    this.#unprovedBytes += chunk.length;
    if (this.#unprovedBytes > unprovedBytesMax)
      this.overLimit(`more than ${unprovedBytesMax} bytes before the handshake was through`);
  };

  #timeOut(): void {
    const most = this.#context.limits.handshake;
    this.end(CLOSE.timeout, `limits.handshake: no hello and proof within ${most} ms`, {
      kind: 'timeout',
    });
  }

  /** Always followed by `close`. A socket error is noted; what the peer sent wrong ends it here. */
  #broke(error: Error & { readonly code?: string }): void {
    this.#problem = error.message || error.code || 'the connection broke';
    if (error.code?.startsWith('WS_ERR_')) this.#finish({ kind: 'broken', message: this.#problem });
  }

  #closed(code: number, reason: string): void {
    const said = reason === '' ? '' : ` '${reason}'`;
    const message = this.#problem || `the connection was closed with ${code}${said}`;
    this.#finish({ kind: 'closed', code, message });
    this.#owner.gone(this);
  }
}
