/**
 * The addresses that a node wants links to: each is dialled until somebody answers, and again
 * whenever the link is lost, after pauses that grow and are jittered. A refusal ends it.
 */
import { type Address, checkHello, type DialFailure, type Hello } from '@rollcall/core';
import type { Note } from './packet.js';
import type { SimulatedSocket, SocketOwner } from './simulated-socket.js';
import type { TransportWorld } from './transport-world.js';

/** What a dialler asks of its transport, and tells it. */
export interface DiallerHost {
  readonly socketOwner: SocketOwner;
  /** Who this node is; undefined before it knows. */
  readonly hello: () => Hello | undefined;
  readonly isLinked: (address: Address) => boolean;
  readonly opened: (socket: SimulatedSocket, peer: Hello, dialled: Address) => void;
  readonly failed: (address: Address, failure: DialFailure) => void;
}

interface Wanted {
  readonly address: Address;
  /** The dial under way. */
  socket: SimulatedSocket | undefined;
  /** Dials in a row that came to nothing. */
  failures: number;
  /** Takes the running time-out or pause back. */
  takeBack: (() => void) | undefined;
}

export class Dialler {
  readonly #world: TransportWorld;
  readonly #host: DiallerHost;
  readonly #wanted = new Map<Address, Wanted>();

  constructor(world: TransportWorld, host: DiallerHost) {
    this.#world = world;
    this.#host = host;
  }

  wants(address: Address): boolean {
    return this.#wanted.has(address);
  }

  isDialling(address: Address): boolean {
    return this.#wanted.get(address)?.socket !== undefined;
  }

  want(address: Address): void {
    if (this.#wanted.has(address)) return;
    const wanted: Wanted = { address, socket: undefined, failures: 0, takeBack: undefined };
    this.#wanted.set(address, wanted);
    this.#dial(wanted);
  }

  unwant(address: Address): void {
    const wanted = this.#wanted.get(address);
    if (wanted === undefined) return;
    this.#wanted.delete(address);
    this.#abandon(wanted);
  }

  unwantAll(): void {
    for (const address of [...this.#wanted.keys()]) this.unwant(address);
  }

  /** This node goes by another name: every dial is made anew. */
  dialAnew(): void {
    for (const wanted of this.#wanted.values()) {
      this.#abandon(wanted);
      wanted.failures = 0;
      this.#dial(wanted);
    }
  }

  /** There is a link now, whoever dialled it. */
  satisfied(address: Address): void {
    const wanted = this.#wanted.get(address);
    if (wanted === undefined) return;
    this.#abandon(wanted);
    wanted.failures = 0;
  }

  /** The link to it is gone. */
  lost(address: Address): void {
    const wanted = this.#wanted.get(address);
    if (wanted !== undefined) this.#retry(wanted);
  }

  /** Somebody answered on a socket; one that nobody waits for any more is closed. */
  answered(socket: SimulatedSocket, note: Note): void {
    const wanted = this.#wanted.get(socket.address);
    const mine = this.#host.hello();
    if (wanted?.socket !== socket || mine === undefined) {
      socket.close();
    } else if (note.kind === 'welcome') {
      wanted.socket = undefined;
      this.satisfied(wanted.address);
      this.#host.opened(socket, note.hello, wanted.address);
    } else if (note.kind === 'refused') {
      socket.close(false);
      this.unwant(wanted.address);
      this.#host.failed(wanted.address, refusedBy(wanted.address, mine, note.hello));
    } else {
      socket.close(false);
      this.#retry(wanted);
    }
  }

  /** The other end hung up on a socket, or nobody was there. */
  closed(socket: SimulatedSocket): void {
    const wanted = this.#wanted.get(socket.address);
    if (wanted?.socket !== socket) return;
    this.#retry(wanted);
    const message = `${wanted.address} does not take connections`;
    this.#host.failed(wanted.address, { code: 'unreachable', message });
  }

  #dial(wanted: Wanted): void {
    const hello = this.#host.hello();
    if (hello === undefined || this.#host.isLinked(wanted.address)) return;
    const { network, host, counters, clock, limits } = this.#world;
    const socket = network.connect(host, wanted.address);
    socket.own(this.#host.socketOwner);
    counters.dials++;
    wanted.socket = socket;
    wanted.takeBack = clock.schedule(limits.handshake, () => {
      socket.close();
      this.#retry(wanted);
      const message = `${wanted.address} sent no hello within ${limits.handshake} ms`;
      this.#host.failed(wanted.address, { code: 'timeout', message });
    });
    socket.transmit('dial', undefined, { kind: 'call', hello, isProbe: false });
  }

  #retry(wanted: Wanted): void {
    const { clock, random, limits } = this.#world;
    this.#abandon(wanted);
    const pauseMs = Math.min(limits.reconnectMax, limits.reconnectMin * 2 ** wanted.failures);
    wanted.failures = Math.min(wanted.failures + 1, 30);
    wanted.takeBack = clock.schedule(pauseMs * (0.5 + 0.5 * random.next()), () => {
      this.#dial(wanted);
    });
  }

  #abandon(wanted: Wanted): void {
    wanted.takeBack?.();
    wanted.takeBack = undefined;
    wanted.socket?.close();
    wanted.socket = undefined;
  }
}

function refusedBy(address: Address, mine: Hello, theirs: Hello): DialFailure {
  const refusal = checkHello(mine, theirs);
  if (refusal === undefined) return { code: 'refused', message: `${address} refused the link` };
  return { code: 'refused', message: refusal.message, refusal };
}
