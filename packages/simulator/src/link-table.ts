/**
 * The open links of one transport, one per peer, and the rule that a link nobody uses goes after a
 * while unless this node wants it.
 */
import { type Address, addressOf, type Clock, type Hello, type NodeKey } from '@rollcall/core';
import type { SimulatedSocket } from './simulated-socket.js';

/** An open, authenticated connection. */
export interface Link {
  readonly socket: SimulatedSocket;
  readonly peer: Hello;
  /** The address this side dialled; undefined on an accepted link. */
  readonly dialled: Address | undefined;
  lastUsedMs: number;
  isIdleWatched: boolean;
}

/** The addresses a link answers for. */
export const addressesOf = (link: Link): readonly Address[] => {
  const advertised = addressOf(link.peer.self);
  if (link.dialled === undefined || link.dialled === advertised) return [advertised];
  return [link.dialled, advertised];
};

export interface LinkKeeping {
  readonly clock: Clock;
  readonly idleLinkMs: number;
  readonly wants: (address: Address) => boolean;
  /** The table let an idle link go. */
  readonly lost: (link: Link) => void;
}

export class LinkTable {
  readonly #keeping: LinkKeeping;
  readonly #byPeer = new Map<NodeKey, Link>();
  readonly #bySocket = new Map<SimulatedSocket, Link>();

  constructor(keeping: LinkKeeping) {
    this.#keeping = keeping;
  }

  with(peer: NodeKey): Link | undefined {
    return this.#byPeer.get(peer);
  }

  over(socket: SimulatedSocket): Link | undefined {
    return this.#bySocket.get(socket);
  }

  to(address: Address): Link | undefined {
    for (const link of this.#byPeer.values()) {
      if (addressesOf(link).includes(address)) return link;
    }
    return undefined;
  }

  /** A new link; one to the same peer from before makes room for it. */
  open(socket: SimulatedSocket, peer: Hello, dialled: Address | undefined): Link {
    const lastUsedMs = this.#keeping.clock.nowMs();
    const link: Link = { socket, peer, dialled, lastUsedMs, isIdleWatched: false };
    const before = this.#byPeer.get(peer.self);
    if (before !== undefined) this.close(before);
    this.#byPeer.set(peer.self, link);
    this.#bySocket.set(socket, link);
    this.#watch(link);
    return link;
  }

  /** Takes a link out and hangs up. */
  close(link: Link): void {
    link.socket.close();
    this.#bySocket.delete(link.socket);
    if (this.#byPeer.get(link.peer.self) === link) this.#byPeer.delete(link.peer.self);
  }

  /** Hangs up on everybody; says on whom. */
  closeAll(): readonly Link[] {
    const links = [...this.#byPeer.values()];
    for (const link of links) this.close(link);
    return links;
  }

  used(link: Link): void {
    link.lastUsedMs = this.#keeping.clock.nowMs();
  }

  /** This address is wanted no longer: its link may grow idle. */
  unwanted(address: Address): void {
    for (const link of this.#byPeer.values()) {
      if (addressesOf(link).includes(address)) this.#watch(link);
    }
  }

  #watch(link: Link): void {
    const { clock, idleLinkMs, wants, lost } = this.#keeping;
    if (link.isIdleWatched || addressesOf(link).some(wants)) return;
    link.isIdleWatched = true;
    const { lastUsedMs } = link;
    clock.schedule(Math.max(0, lastUsedMs + idleLinkMs - clock.nowMs()), () => {
      link.isIdleWatched = false;
      if (!link.socket.isOpen || addressesOf(link).some(wants)) return;
      if (link.lastUsedMs !== lastUsedMs) {
        this.#watch(link);
        return;
      }
      this.close(link);
      lost(link);
    });
  }
}
