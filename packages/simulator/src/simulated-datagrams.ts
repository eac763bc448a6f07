/** Frames beside the links: each lost, late or doubled by itself, and in no order. */
import { addressOf, type NodeKey } from '@rollcall/core';
import type { Packet } from './packet.js';
import type { TransportWorld } from './transport-world.js';

export class SimulatedDatagrams {
  readonly #world: TransportWorld;
  /** Who may be sent some: each end tells the other how when a link opens. */
  readonly #met = new Set<NodeKey>();
  #self: NodeKey | undefined;

  constructor(world: TransportWorld) {
    this.#world = world;
  }

  /** Another run, which nobody has been told of. */
  identify(self: NodeKey): void {
    this.#self = self;
    this.#met.clear();
  }

  met(peer: NodeKey): void {
    this.#met.add(peer);
  }

  /** False to whom it does not know how. */
  send(to: NodeKey, bytes: Uint8Array): boolean {
    const from = this.#self;
    if (from === undefined || !this.#met.has(to)) return false;
    const { counters, network, host } = this.#world;
    counters.sent(bytes);
    // A socket for each: it is sockets that keep an order.
    const socket = network.connect(host, addressOf(to));
    socket.transmit('datagram', new Uint8Array(bytes), { kind: 'cast', from, to });
    return true;
  }

  /** One for an earlier run at this address is none. */
  arrived({ bytes, note }: Packet, tell: (from: NodeKey, bytes: Uint8Array) => void): void {
    if (note?.kind !== 'cast' || note.to !== this.#self || bytes === undefined) return;
    this.#world.counters.framesReceived++;
    tell(note.from, bytes);
  }
}
