/**
 * The addresses that the node wants a link to, each with its machine, and the timers between dials.
 * A link to whoever answers satisfies the wish, whoever dialled it.
 */
import {
  type Address,
  addressOf,
  compareKeys,
  type Hello,
  type NodeKey,
  nodeKey,
} from '@rollcall/core';
import { normalAddress } from './address.js';
import { type Next, PeerLink } from './peer-link.js';
import type { TransportContext } from './transport-context.js';

export interface WantedLinksOwner {
  /** Who this node is; undefined while nobody is to be dialled. */
  readonly self: Hello | undefined;
  /** Peers with an open control link. */
  linkedPeers(): Iterable<NodeKey>;
  dial(address: Address): void;
}

interface Wish {
  readonly link: PeerLink;
  readonly normal: Address;
  cancelTimer(): void;
}

export class WantedLinks {
  readonly #context: TransportContext;
  readonly #owner: WantedLinksOwner;
  readonly #wishes = new Map<Address, Wish>();

  constructor(context: TransportContext, owner: WantedLinksOwner) {
    this.#context = context;
    this.#owner = owner;
  }

  add(address: Address): void {
    const known = this.#wishes.get(address);
    const link = known?.link ?? new PeerLink(this.#context.limits);
    const wish = known ?? { link, normal: normalAddress(address), cancelTimer: () => {} };
    this.#wishes.set(address, wish);
    if (link.state.kind !== 'resting' && link.state.kind !== 'refused') return;
    const peer = this.#peerAt(wish.normal);
    if (peer !== undefined) link.linked(peer, this.#context.clock.nowMs());
    else if (this.#owner.self) this.#follow(address, link.wanted(this.#courtesyMs(wish.normal)));
  }

  remove(address: Address): void {
    this.#wishes.get(address)?.cancelTimer();
    this.#wishes.delete(address);
  }

  /** Is there a wish that this peer satisfies? */
  wants(peer: NodeKey): boolean {
    const address = normalAddress(addressOf(peer));
    for (const { link, normal } of this.#wishes.values()) {
      if (normal === address || (link.state.kind === 'linked' && link.state.peer === peer))
        return true;
    }
    return false;
  }

  /** A link to this peer is open; `dialled` is the wish that led to it, if any. */
  linked(peer: NodeKey, dialled: Address | undefined): void {
    const normal = normalAddress(addressOf(peer));
    for (const [address, wish] of this.#wishes) {
      if (address !== dialled && wish.normal !== normal) continue;
      wish.cancelTimer();
      wish.link.linked(peer, this.#context.clock.nowMs());
    }
  }

  /** The last link to this peer is gone; another run of the same address may have taken its place. */
  unlinked(peer: NodeKey): void {
    const { clock, random } = this.#context;
    for (const [address, { link, normal }] of this.#wishes) {
      if (link.state.kind !== 'linked' || link.state.peer !== peer) continue;
      const other = this.#peerAt(normal);
      if (other !== undefined) link.linked(other, clock.nowMs());
      else this.#follow(address, link.lost(clock.nowMs(), random.next()));
    }
  }

  /** Is there a link to whoever answers there, by whatever dial? */
  isLinked(address: Address): boolean {
    return this.#wishes.get(address)?.link.state.kind === 'linked';
  }

  /** A dial came to nothing and is tried again later. */
  failed(address: Address): void {
    this.#follow(address, this.#wishes.get(address)?.link.failed(this.#context.random.next()));
  }

  /** A dial came to nothing that will not change. */
  refused(address: Address): void {
    this.#wishes.get(address)?.link.refused();
  }

  /** This node goes by a new name: every wish is dialled anew. */
  renew(): void {
    for (const [address, { link }] of this.#wishes) this.#follow(address, link.renewed());
  }

  clear(): void {
    for (const { cancelTimer } of this.#wishes.values()) cancelTimer();
    this.#wishes.clear();
  }

  #follow(address: Address, next: Next | undefined): void {
    const wish = this.#wishes.get(address);
    if (!wish || !next) return;
    wish.cancelTimer();
    const dial = (): void => {
      if (wish.link.dial()) this.#owner.dial(address);
    };
    if (next.do === 'dial') dial();
    else wish.cancelTimer = this.#context.clock.schedule(next.forMs, dial);
  }

  #peerAt(normal: Address): NodeKey | undefined {
    for (const peer of this.#owner.linkedPeers())
      if (normalAddress(addressOf(peer)) === normal) return peer;
    return undefined;
  }

  /**
   * Neighbours learn of each other at the same time, and each would dial the other. The higher key
   * lets the lower one go first for a moment; if nothing comes, it dials.
   */
  #courtesyMs(normal: Address): number {
    const self = this.#owner.self;
    const isLower = self === undefined || compareKeys(self.self, nodeKey(normal, '')) < 0;
    return isLower ? 0 : this.#context.limits.reconnectMin / 4;
  }
}
