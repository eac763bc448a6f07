/**
 * One end of a simulated connection: what an operating system keeps for a process. It waits while
 * the process stands still, and answers with a reset once the process is gone.
 */
import type { Note, Packet } from './packet.js';
import type { PacketKind } from './rule.js';
import type { SimulatedClock } from './simulated-clock.js';
import type { SimulatedNetwork } from './simulated-network.js';

/** Who holds a socket: a transport. */
export interface SocketOwner {
  readonly clock: SimulatedClock;
  /** Somebody dialled the address this owner listens at; the socket is its end of the connection. */
  accept(socket: SimulatedSocket, packet: Packet): void;
  /** Something arrived on an open socket. */
  arrived(socket: SimulatedSocket, packet: Packet): void;
  /** A datagram for the address this owner listens at. */
  datagram(packet: Packet): void;
  /** A socket of its own came to be, or ended. */
  socketCount(change: 1 | -1): void;
}

export class SimulatedSocket {
  /** The node at this end, for rules and traces. */
  readonly host: string;
  /** The other end; set once, right after both were made. */
  other!: SimulatedSocket;
  isOpen = true;
  /** Nothing that keeps its order arrives here before this. */
  notBeforeMs = 0;
  readonly #network: SimulatedNetwork;
  /** Undefined at the far end until somebody accepts. */
  #owner: SocketOwner | undefined;
  /** The address that was dialled to get to this end. */
  readonly #dialledAs: string;

  constructor(network: SimulatedNetwork, host: string, dialledAs: string) {
    this.#network = network;
    this.host = host;
    this.#dialledAs = dialledAs;
  }

  get address(): string {
    return this.#dialledAs;
  }

  own(owner: SocketOwner): void {
    this.#owner = owner;
    owner.socketCount(1);
  }

  transmit(kind: PacketKind, bytes: Uint8Array | undefined, note: Note | undefined): void {
    this.#network.transmit(kind, this.other, bytes, note);
  }

  /** Ends the connection; the other end is told unless it said so itself. */
  close(tell = true): void {
    if (!this.isOpen) return;
    this.isOpen = false;
    this.#owner?.socketCount(-1);
    if (tell) this.transmit('close', undefined, undefined);
  }

  receive(packet: Packet): void {
    const owner = this.#owner ?? this.#network.listenerAt(this.#dialledAs);
    if (owner?.clock.isPaused === true) {
      owner.clock.holdPacket(packet);
    } else if (packet.kind === 'datagram') {
      if (owner?.clock.isStopped === false) owner.datagram(packet);
    } else if (owner === undefined || !this.isOpen || owner.clock.isStopped) {
      this.isOpen = false;
      if (packet.kind !== 'close') this.transmit('close', undefined, undefined);
    } else if (this.#owner !== undefined) {
      owner.arrived(this, packet);
    } else if (packet.kind === 'dial') {
      this.own(owner);
      owner.accept(this, packet);
    }
  }
}
