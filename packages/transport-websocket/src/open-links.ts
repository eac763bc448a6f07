/**
 * The open connections of one lane: a table of them, the end of those that lost to another of the
 * same pair, and the end of those that nobody has used for long.
 */
import type { Hello, NodeKey } from '@rollcall/core';
import type { Connection } from './connection.js';
import { CLOSE } from './lane.js';
import { LinkTable } from './link-table.js';
import type { TransportContext } from './transport-context.js';

export interface OpenLinksOwner {
  /** A first link, or a better one, is there. */
  linked(connection: Connection, isFirst: boolean): void;
  /** The last link to this peer is gone. */
  unlinked(peer: NodeKey): void;
  /** Does somebody here want a link to this peer, used or not? */
  wants(peer: NodeKey): boolean;
}

export class OpenLinks {
  readonly #context: TransportContext;
  readonly #owner: OpenLinksOwner;
  readonly #table = new LinkTable<Connection>();
  /** Each open link has a timer: for one that lost to another, when to lose patience; else when it may be idle. */
  readonly #cancelTimer = new Map<Connection, () => void>();

  constructor(context: TransportContext, owner: OpenLinksOwner) {
    this.#context = context;
    this.#owner = owner;
  }

  current(peer: NodeKey): Connection | undefined {
    return this.#table.current(peer);
  }

  peers(): Iterable<NodeKey> {
    return this.#table.peers();
  }

  opened(self: Hello, connection: Connection): void {
    const { isFirst, losers, decides } = this.#table.opened(self.self, connection);
    this.#watchIdle(connection, this.#context.limits.idleLink);
    for (const loser of losers) {
      if (decides) this.#giveUp(loser, CLOSE.duplicate, 'another link of this pair stays');
      else this.#outlive(loser);
    }
    this.#owner.linked(connection, isFirst);
  }

  ended(connection: Connection): void {
    this.#forget(connection);
  }

  /** Every link to this peer is closed and reported gone. */
  end(peer: NodeKey, code: number, reason: string): void {
    for (const connection of this.#table.links())
      if (connection.peerKey === peer) connection.end(code, reason);
  }

  /** Every link is closed and reported gone. */
  endAll(code: number, reason: string): void {
    for (const connection of this.#table.links()) connection.end(code, reason);
  }

  /** The peer is to close the loser. If it does not, it does not know of it: a half-open connection. */
  #outlive(loser: Connection): void {
    this.#arm(loser, this.#context.limits.handshake, () => {
      const hasLost = this.#table.current(loser.peerKey) !== loser;
      if (hasLost) this.#giveUp(loser, CLOSE.duplicate, 'a newer link of this pair stays');
      else this.#watchIdle(loser, this.#context.limits.idleLink);
    });
  }

  #watchIdle(connection: Connection, afterMs: number): void {
    this.#arm(connection, afterMs, () => this.#checkIdle(connection));
  }

  #arm(connection: Connection, afterMs: number, run: () => void): void {
    this.#cancelTimer.get(connection)?.();
    this.#cancelTimer.set(connection, this.#context.clock.schedule(afterMs, run));
  }

  #checkIdle(connection: Connection): void {
    const { clock, limits } = this.#context;
    const isWanted = this.#owner.wants(connection.peerKey);
    const idleMs = isWanted ? 0 : clock.nowMs() - connection.lastUsedMs;
    if (idleMs < limits.idleLink) this.#watchIdle(connection, limits.idleLink - idleMs);
    else this.#giveUp(connection, CLOSE.done, 'idle');
  }

  #giveUp(connection: Connection, code: number, reason: string): void {
    connection.drain(code, reason);
    this.#forget(connection);
  }

  #forget(connection: Connection): void {
    this.#cancelTimer.get(connection)?.();
    this.#cancelTimer.delete(connection);
    if (this.#table.closed(connection)) this.#owner.unlinked(connection.peerKey);
  }
}
