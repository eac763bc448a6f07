/**
 * The connections of one server, so that none is held for ever by a client that says, reads or closes
 * nothing, and so that a newcomer finds a place: at the limit the oldest goes that waits for its client.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { timer } from 'rxjs';

interface Exchange {
  readonly incoming: IncomingMessage;
  readonly outgoing: ServerResponse;
}

export class Connections {
  /** The oldest first, each with what is asked on it and not yet answered to its end. */
  readonly #open = new Map<Socket, Set<Exchange>>();
  readonly #parting = new WeakSet<Socket>();
  readonly #most: number;
  readonly #partingMs: number;

  constructor(most: number, partingMs: number) {
    this.#most = most;
    this.#partingMs = partingMs;
  }

  admit(socket: Socket): void {
    if (this.#open.size >= this.#most && !this.#makeRoom()) {
      socket.destroy();
      return;
    }
    this.#open.set(socket, new Set());
    socket.once('close', () => this.#open.delete(socket));
  }

  asked(incoming: IncomingMessage, outgoing: ServerResponse): void {
    const exchanges = this.#open.get(incoming.socket);
    if (exchanges === undefined) return;
    const exchange = { incoming, outgoing };
    exchanges.add(exchange);
    outgoing.once('close', () => exchanges.delete(exchange));
  }

  /** One line of HTTP for what is none or comes too slowly; then the connection ends, also when the client does nothing. */
  refuse(socket: Socket, status: string): void {
    if (this.#parting.has(socket)) return;
    const isAnswered = [...(this.#open.get(socket) ?? [])].some(
      (each) => each.outgoing.headersSent,
    );
    if (!socket.writable || isAnswered) {
      socket.destroy();
      return;
    }
    this.#parting.add(socket);
    socket.end(`HTTP/1.1 ${status}\r\nconnection: close\r\ncontent-length: 0\r\n\r\n`);
    // At once would take the line back from a client that is still sending.
    const parting = timer(this.#partingMs).subscribe(() => socket.destroy());
    socket.once('close', () => parting.unsubscribe());
  }

  #makeRoom(): boolean {
    for (const [socket, exchanges] of this.#open) {
      if (!waitsForClient(socket, exchanges)) continue;
      this.#open.delete(socket);
      socket.destroy();
      return true;
    }
    return false;
  }
}

/** Nothing is asked, or not to its end, or what was answered is not taken: this node owes it nothing. */
function waitsForClient(socket: Socket, exchanges: ReadonlySet<Exchange>): boolean {
  if (exchanges.size === 0 || socket.writableLength > 0) return true;
  return [...exchanges].every(({ incoming }) => !incoming.complete);
}
