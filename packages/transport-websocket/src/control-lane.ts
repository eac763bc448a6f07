/**
 * The control lane: one link per peer, frames straight to the socket while it takes them and into a
 * bounded outbox while it does not.
 */
import type { Hello, NodeKey, Slot } from '@rollcall/core';
import type { Connection } from './connection.js';
import { OpenLinks } from './open-links.js';
import { ControlOutbox } from './outbox.js';
import type { TransportContext } from './transport-context.js';

export interface ControlLaneOwner {
  linkUp(connection: Connection): void;
  linkDown(peer: NodeKey): void;
  frame(from: NodeKey, bytes: Uint8Array): void;
  wants(peer: NodeKey): boolean;
}

export class ControlLane {
  readonly #context: TransportContext;
  readonly #owner: ControlLaneOwner;
  readonly #links: OpenLinks;
  readonly #outboxes = new Map<NodeKey, ControlOutbox>();

  constructor(context: TransportContext, owner: ControlLaneOwner) {
    this.#context = context;
    this.#owner = owner;
    this.#links = new OpenLinks(context, {
      linked: (connection, isFirst) => {
        if (isFirst) owner.linkUp(connection);
        this.#pump(connection.peerKey);
      },
      unlinked: (peer) => {
        this.#outboxes.delete(peer);
        owner.linkDown(peer);
      },
      wants: (peer) => owner.wants(peer),
    });
  }

  current(peer: NodeKey): Connection | undefined {
    return this.#links.current(peer);
  }

  peers(): Iterable<NodeKey> {
    return this.#links.peers();
  }

  opened(self: Hello, connection: Connection): void {
    this.#links.opened(self, connection);
  }

  ended(connection: Connection): void {
    this.#links.ended(connection);
    this.#pump(connection.peerKey);
  }

  end(peer: NodeKey, code: number, reason: string): void {
    this.#links.end(peer, code, reason);
  }

  endAll(code: number, reason: string): void {
    this.#links.endAll(code, reason);
  }

  send(to: NodeKey, bytes: Uint8Array, slot: Slot): void {
    const connection = this.#links.current(to);
    if (!connection) return;
    const { counts, limits, log } = this.#context;
    if (bytes.length > limits.frameBytes) {
      counts.framesDropped += 1;
      const message = `a control frame of ${bytes.length} bytes is above limits.frameBytes`;
      log.warn('frameBytes', { to, slot }, message);
      return;
    }
    const outbox = this.#outboxes.get(to);
    if (!outbox && this.#hasRoom(connection)) this.#write(connection, bytes);
    else this.#queue(to, bytes, slot, outbox);
  }

  /** A link that lost to another still delivers what was sent on it, as long as the peer has a link. */
  received(connection: Connection, data: Buffer): void {
    const { counts } = this.#context;
    counts.framesReceived += 1;
    counts.bytesReceived += data.length;
    if (this.#links.current(connection.peerKey) === undefined) return;
    // Not the Buffer itself: its `slice` shares memory where that of a Uint8Array copies.
    const bytes = new Uint8Array(data.buffer, data.byteOffset, data.length);
    this.#owner.frame(connection.peerKey, bytes);
  }

  written(connection: Connection): void {
    if (this.#outboxes.size > 0) this.#pump(connection.peerKey);
  }

  /** Hands every queued frame to its socket, room or not: nothing will come after it. */
  flush(): void {
    for (const [peer, outbox] of this.#outboxes) {
      const connection = this.#links.current(peer);
      for (let bytes = outbox.take(); bytes && connection; bytes = outbox.take())
        this.#write(connection, bytes);
    }
    this.#outboxes.clear();
  }

  #queue(to: NodeKey, bytes: Uint8Array, slot: Slot, before: ControlOutbox | undefined): void {
    const { counts, limits, log } = this.#context;
    const outbox = before ?? new ControlOutbox(limits.controlOutbox);
    if (!before) this.#outboxes.set(to, outbox);
    if (outbox.put(bytes, slot)) return;
    counts.framesDropped += 1;
    log.warn('controlOutbox', { to, slot }, `dropped a frame: limits.controlOutbox is reached`);
  }

  /** An outbox exists only while something is in it. */
  #pump(peer: NodeKey): void {
    const outbox = this.#outboxes.get(peer);
    const connection = this.#links.current(peer);
    if (!outbox || !connection) return;
    while (this.#hasRoom(connection)) {
      const bytes = outbox.take();
      if (!bytes) break;
      this.#write(connection, bytes);
    }
    if (outbox.length === 0) this.#outboxes.delete(peer);
  }

  #hasRoom(connection: Connection): boolean {
    return connection.canSend && connection.bufferedBytes < this.#context.limits.controlBuffered;
  }

  #write(connection: Connection, bytes: Uint8Array): void {
    const { counts } = this.#context;
    counts.framesSent += 1;
    counts.bytesSent += bytes.length;
    connection.sendFrame(bytes);
  }
}
