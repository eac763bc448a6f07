/**
 * Every connection of a transport from its first packet to its last: makes those that are dialled,
 * takes those that arrive, hands each to its lane once its handshake is through, and says in the log
 * what became of the others.
 */
import type { Address, Hello, NodeKey } from '@rollcall/core';
import type { WebSocket } from 'ws';
import type { Endpoint } from './address.js';
import type { Ticket } from './admission.js';
import {
  Connection,
  type ConnectionEnd,
  type ConnectionOwner,
  type Consider,
} from './connection.js';
import type { ControlLane } from './control-lane.js';
import { dialSocket, followDial } from './dialer.js';
import { CLOSE, type Lane } from './lane.js';
import type { Arrival } from './listener.js';
import type { TransportTls } from './tls-options.js';
import type { TransportContext } from './transport-context.js';
import type { UserLane } from './user-lane.js';

export interface Dial {
  readonly address: Address;
  readonly lane: Lane;
  readonly deadlineMs: number;
  readonly consider: Consider | undefined;
  /** One of the two is called, once, unless the dial was called off. Never before `dial` returns. */
  opened(connection: Connection): void;
  failed(end: ConnectionEnd): void;
}

interface Entry {
  readonly dial: Dial | undefined;
  readonly ticket: Ticket | undefined;
  readonly remote: string;
  /** Who answered a dial that has not been let in yet. */
  proving: NodeKey | undefined;
}

/** Codes with which a peer says that it was our fault. */
const complaints: ReadonlySet<number> = new Set([
  CLOSE.badFrame,
  CLOSE.wrongKind,
  CLOSE.undecodable,
  CLOSE.overLimit,
  CLOSE.tooBig,
]);

export class Connections implements ConnectionOwner {
  readonly #context: TransportContext;
  readonly #tls: TransportTls | undefined;
  readonly #control: ControlLane;
  readonly #user: UserLane;
  readonly #entries = new Map<Connection, Entry>();
  #hello: Hello | undefined;
  #lastId = 0;
  #allGone: (() => void) | undefined;

  constructor(
    context: TransportContext,
    tls: TransportTls | undefined,
    control: ControlLane,
    user: UserLane,
  ) {
    this.#context = context;
    this.#tls = tls;
    this.#control = control;
    this.#user = user;
  }

  get size(): number {
    return this.#entries.size;
  }

  /** Is a dial to this peer about to be let in? */
  isProving(peer: NodeKey): boolean {
    for (const { proving } of this.#entries.values()) if (proving === peer) return true;
    return false;
  }

  /** Those who arrived before this node knew who it is are spoken to now. */
  identified(hello: Hello): void {
    const isFirst = this.#hello === undefined;
    this.#hello = hello;
    if (!isFirst) return;
    for (const [connection, { dial }] of this.#entries) {
      if (dial) continue;
      connection.begin(hello);
      connection.resume();
    }
  }

  dial(endpoint: Endpoint, hello: Hello, dial: Dial): void {
    let ws: WebSocket;
    try {
      ws = dialSocket(endpoint, dial.lane, this.#tls, this.#context);
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      queueMicrotask(() => dial.failed({ kind: 'closed', code: 1006, message }));
      return;
    }
    const { address, lane, deadlineMs, consider } = dial;
    const connection = this.#make(ws, {
      role: 'dialer' as const,
      lanes: [lane],
      dialled: address,
      deadlineMs,
    });
    const entry: Entry = { dial, ticket: undefined, remote: address, proving: undefined };
    this.#entries.set(connection, entry);
    followDial(ws, connection, () =>
      connection.begin(hello, (peer, of) => {
        const why = consider?.(peer, of);
        if (!why && of === 'control') entry.proving = peer.self;
        return why;
      }),
    );
  }

  accept({ ws, socket, lanes, ticket, deadlineMs }: Arrival): void {
    const connection = this.#make(ws, { role: 'acceptor', lanes, dialled: undefined, deadlineMs });
    const remote = `${socket.remoteAddress}:${socket.remotePort}`;
    this.#entries.set(connection, { dial: undefined, ticket, remote, proving: undefined });
    connection.attach(socket);
    if (this.#hello) connection.begin(this.#hello);
    else connection.pause();
  }

  /** Dials of this address that nobody waits for any more. */
  callOff(address: Address): void {
    for (const [connection, { dial }] of this.#entries)
      if (dial?.address === address && dial.lane === 'control' && connection.openedMs === 0)
        connection.end(CLOSE.done, 'called off');
  }

  endHandshakes(code: number, reason: string): void {
    for (const [connection, { dial }] of this.#entries)
      if (connection.openedMs === 0 && dial?.lane !== 'probe') connection.end(code, reason);
  }

  /** Says goodbye on all of them and gives them `limits.flush` to write out what they hold. */
  async close(): Promise<void> {
    const { clock, limits } = this.#context;
    for (const connection of this.#entries.keys())
      connection.end(CLOSE.goingAway, 'this node is closing');
    if (this.#entries.size === 0) return;
    const allGone = new Promise<void>((resolve) => {
      this.#allGone = resolve;
    });
    const cancel = clock.schedule(limits.flush, () => {
      for (const connection of this.#entries.keys()) connection.terminate();
    });
    await allGone;
    cancel();
  }

  opened(connection: Connection): void {
    const entry = this.#entries.get(connection);
    const hello = this.#hello;
    if (!entry || !hello) return;
    entry.ticket?.proved();
    entry.proving = undefined;
    if (connection.lane === 'control') {
      const { peerKey: peer, token, remoteAddress: remote, isDialled } = connection;
      this.#context.datagrams.met({ peer, token, remote, isDialled });
      this.#control.opened(hello, connection);
    } else if (connection.lane === 'user') this.#user.opened(hello, connection);
    // Whoever probed has its answer with our last word, and owes us none.
    else if (!entry.dial) connection.drain(CLOSE.done, 'probed');
    entry.dial?.opened(connection);
  }

  received(connection: Connection, data: Buffer): void {
    if (connection.lane === 'control') this.#control.received(connection, data);
    else if (connection.lane === 'user') this.#user.received(connection, data);
  }

  written(connection: Connection): void {
    this.#control.written(connection);
  }

  ended(connection: Connection, end: ConnectionEnd): void {
    const entry = this.#entries.get(connection);
    if (!entry) return;
    entry.proving = undefined;
    this.#note(connection, entry, end);
    if (connection.openedMs === 0) entry.dial?.failed(end);
    else if (connection.lane === 'control') this.#control.ended(connection);
    else if (connection.lane === 'user') this.#user.ended(connection);
  }

  gone(connection: Connection): void {
    this.#entries.delete(connection);
    if (this.#entries.size === 0) this.#allGone?.();
  }

  #make(
    ws: WebSocket,
    options: Omit<ConstructorParameters<typeof Connection>[1], 'id'>,
  ): Connection {
    this.#lastId += 1;
    return new Connection(ws, { ...options, id: this.#lastId }, this.#context, this);
  }

  /** A line for what a peer did wrong. What became of a dial the node is told, and says itself. */
  #note(connection: Connection, { dial, remote }: Entry, end: ConnectionEnd): void {
    const { counts, log } = this.#context;
    const peer = connection.peer?.self ?? remote;
    if (end.kind === 'broken') {
      counts.undecodable += 1;
      log.warn('undecodable', { peer }, `closed the connection of ${peer}: ${end.message}`);
    } else if (end.kind === 'overLimit') {
      counts.overLimit += 1;
      log.warn('overLimit', { peer }, `closed the connection of ${peer}: ${end.message}`);
    } else if (end.kind === 'timeout' && !dial) {
      log.warn('timeout', { peer }, `closed the connection of ${peer}: it did not prove itself`);
    } else if (end.kind === 'refused' && !dial) {
      const { code, message } = end.refusal;
      const who = end.peer?.self ?? remote;
      if (end.ours) counts.refused += 1;
      const verb = end.ours ? 'refused' : 'was refused by';
      log.warn(`refused ${code}`, { peer: who, code }, `${verb} ${who}: ${message}`);
    } else if (end.kind === 'closed' && connection.openedMs > 0 && complaints.has(end.code)) {
      log.warn('closedByPeer', { peer, code: end.code }, `${peer} hung up: ${end.message}`);
    }
  }
}
