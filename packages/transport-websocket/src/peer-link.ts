/**
 * One wanted address, as a machine: resting, waiting, dialling, linked or refused. It says when to
 * dial and how long to wait; the dialling itself, the timers and the links are its owner's.
 *
 *              dial                    opened
 *     waiting ------> dialling ----------------> linked
 *        ^               |  |                      |
 *        |    failed     |  | refused              | lost
 *        +---------------+  +---> refused          |
 *        +-----------------------------------------+
 *
 * An accepted link satisfies a wish too, whatever state it is in.
 */
import type { NodeKey } from '@rollcall/core';
import { type ReconnectLimits, reconnectDelay } from './reconnect-delay.js';

/** What its owner is to do next: dial at once, or after a time unless it has become pointless. */
export type Next = { readonly do: 'dial' } | { readonly do: 'wait'; readonly forMs: number };

export type PeerLinkState =
  | { readonly kind: 'resting' }
  | { readonly kind: 'waiting' }
  | { readonly kind: 'dialling' }
  | { readonly kind: 'linked'; readonly peer: NodeKey }
  | { readonly kind: 'refused' };

export class PeerLink {
  readonly #limits: ReconnectLimits;
  #state: PeerLinkState = { kind: 'resting' };
  /** Dials that failed, and links that did not last, since the last one that did. */
  #failures = 0;
  #linkedMs = 0;

  constructor(limits: ReconnectLimits) {
    this.#limits = limits;
  }

  get state(): PeerLinkState {
    return this.#state;
  }

  /** Somebody wants it, perhaps again: a refusal is forgotten. `courtesyMs` lets the peer go first. */
  wanted(courtesyMs: number): Next | undefined {
    if (this.#state.kind !== 'resting' && this.#state.kind !== 'refused') return undefined;
    this.#failures = 0;
    return this.#wait(courtesyMs);
  }

  /** The wait is over. False when there is nothing to dial for any more: a late timer is harmless. */
  dial(): boolean {
    if (this.#state.kind !== 'waiting') return false;
    this.#state = { kind: 'dialling' };
    return true;
  }

  /** There is a link to whoever answers here, by this dial or another. */
  linked(peer: NodeKey, nowMs: number): void {
    if (this.#state.kind !== 'linked') this.#linkedMs = nowMs;
    this.#state = { kind: 'linked', peer };
  }

  /** The dial came to nothing. */
  failed(chance: number): Next | undefined {
    if (this.#state.kind !== 'dialling') return undefined;
    return this.#backOff(chance);
  }

  /** The peer will not have us, and asking again would not change its mind. */
  refused(): void {
    if (this.#state.kind === 'dialling') this.#state = { kind: 'refused' };
  }

  /** The link that satisfied it is gone. Only one that lasted was a success: a peer that lets us in and hangs up at once is dialled ever more slowly. */
  lost(nowMs: number, chance: number): Next {
    if (nowMs - this.#linkedMs >= this.#limits.reconnectMax) this.#failures = 0;
    return this.#backOff(chance);
  }

  /** This node goes by another name: everything starts anew. */
  renewed(): Next {
    this.#failures = 0;
    return this.#wait(0);
  }

  #backOff(chance: number): Next {
    const forMs = reconnectDelay(this.#failures, chance, this.#limits);
    this.#failures += 1;
    return this.#wait(forMs);
  }

  #wait(forMs: number): Next {
    this.#state = { kind: 'waiting' };
    return forMs > 0 ? { do: 'wait', forMs } : { do: 'dial' };
  }
}
