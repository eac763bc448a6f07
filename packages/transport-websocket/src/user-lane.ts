/**
 * The user lane: a connection of its own between peers that exchange user messages, dialled for the
 * first of them and closed when none has passed for long. Messages wait, in order and in a bounded
 * outbox, while the socket has enough; a sender hears of every message what became of it.
 */
import { ClusterError, type Hello, type NodeKey } from '@rollcall/core';
import type { Connection } from './connection.js';
import { CLOSE } from './lane.js';
import { OpenLinks } from './open-links.js';
import { UserOutbox } from './outbox.js';
import type { TransportContext } from './transport-context.js';
import type { Decoded } from './user-message.js';

export interface UserLaneOwner {
  /** Dials the user lane to a peer that has a control link; false when it has none. */
  dialUser(peer: NodeKey): boolean;
  message(from: NodeKey, value: unknown): void;
  unreadable(from: NodeKey, head: readonly unknown[], problem: string): void;
}

/** A message as it goes over the wire. */
export interface Written {
  readonly text: string;
  readonly bytes: number;
}

interface Letter extends Written {
  resolve(): void;
  reject(error: ClusterError): void;
}

interface Correspondence {
  readonly outbox: UserOutbox<Letter>;
  isDialling: boolean;
}

export class UserLane {
  readonly #context: TransportContext;
  readonly #owner: UserLaneOwner;
  readonly #links: OpenLinks;
  /** Peers with messages that no socket has taken yet. */
  readonly #waiting = new Map<NodeKey, Correspondence>();
  /** The connection that took the last message for a peer. The next goes the same way, or waits until it is closed: only so do messages arrive in order. */
  readonly #last = new Map<NodeKey, Connection>();

  constructor(context: TransportContext, owner: UserLaneOwner) {
    this.#context = context;
    this.#owner = owner;
    this.#links = new OpenLinks(context, {
      linked: (connection) => this.#pump(connection.peerKey),
      unlinked: (peer) => this.#redial(peer),
      wants: () => false,
    });
  }

  current(peer: NodeKey): Connection | undefined {
    return this.#links.current(peer);
  }

  opened(self: Hello, connection: Connection): void {
    const waiting = this.#waiting.get(connection.peerKey);
    if (waiting && connection.isDialled) waiting.isDialling = false;
    this.#links.opened(self, connection);
  }

  ended(connection: Connection): void {
    const { peerKey } = connection;
    if (this.#last.get(peerKey) === connection) this.#last.delete(peerKey);
    this.#links.ended(connection);
    this.#pump(peerKey);
  }

  /** The dial that `dialUser` began came to nothing. */
  dialFailed(peer: NodeKey, why: string | undefined): void {
    const waiting = this.#waiting.get(peer);
    if (!waiting?.isDialling) return;
    waiting.isDialling = false;
    // The peer has dialled meanwhile, and its connection serves both ways.
    if (this.#links.current(peer)) this.#pump(peer);
    else this.#refuseAll(peer, why ?? `the link to ${peer} is gone`);
  }

  end(peer: NodeKey, code: number, reason: string): void {
    this.#links.end(peer, code, reason);
  }

  endAll(code: number, reason: string): void {
    for (const peer of [...this.#waiting.keys()]) this.#refuseAll(peer, reason);
    this.#links.endAll(code, reason);
  }

  post(to: NodeKey, written: Written): Promise<void> {
    return new Promise<void>((resolve, reject) => {
      this.#put(to, { ...written, resolve, reject });
    });
  }

  /** Without a wire, and yet a copy: what a node tells itself is no more shared than what it tells others. */
  async postToSelf(self: NodeKey, { text }: Written): Promise<void> {
    const decoded = this.#context.codec.decode(text);
    if ('problem' in decoded)
      throw new TypeError(`this message cannot be sent: it ${decoded.problem}`);
    this.#owner.message(self, decoded.value);
    await new Promise<void>((resolve) => setImmediate(resolve));
  }

  /** Throws TypeError for what cannot be sent, and ClusterError `tooLarge`. */
  write(to: NodeKey, value: unknown): Written {
    const { messageBytes } = this.#context.limits;
    const text = this.#context.codec.encode(value);
    const bytes = Buffer.byteLength(text);
    if (bytes <= messageBytes) return { text, bytes };
    const message = `a message of ${bytes} bytes is above limits.messageBytes (${messageBytes})`;
    throw new ClusterError('tooLarge', message, { to, bytes, max: messageBytes });
  }

  #put(to: NodeKey, letter: Letter): void {
    const { userOutbox } = this.#context.limits;
    const known = this.#waiting.get(to);
    const waiting = known ?? { outbox: new UserOutbox<Letter>(userOutbox), isDialling: false };
    if (!this.#links.current(to) && !waiting.isDialling) {
      if (!this.#owner.dialUser(to)) throw noLink(to, `there is no link to ${to}`);
      waiting.isDialling = true;
    }
    if (!waiting.outbox.put(letter)) {
      const message = `the outbox to ${to} is full: limits.userOutbox is ${userOutbox}`;
      throw new ClusterError('backPressure', message, { to, max: userOutbox });
    }
    if (!known) this.#waiting.set(to, waiting);
    this.#pump(to);
  }

  received(connection: Connection, data: Buffer): void {
    const { codec, counts } = this.#context;
    const decoded = codec.decode(data.toString());
    if ('problem' in decoded) return this.#unreadable(connection, decoded);
    counts.messagesReceived += 1;
    counts.messageBytesReceived += data.length;
    this.#owner.message(connection.peerKey, decoded.value);
  }

  /** What another version of the application says costs its message; what is no message of this protocol the connection. */
  #unreadable(
    connection: Connection,
    { problem, isForeign, head }: Exclude<Decoded, { value: unknown }>,
  ): void {
    if (isForeign) return connection.undecodable(CLOSE.undecodable, `a user message ${problem}`);
    this.#context.counts.messagesUnreadable += 1;
    this.#owner.unreadable(connection.peerKey, head, problem);
  }

  /** Hands every queued message to its socket, room or not: nothing will come after it. */
  flush(): void {
    for (const [peer, { outbox }] of this.#waiting) {
      const connection = this.#sendable(peer);
      for (let letter = outbox.take(); letter; letter = outbox.take()) {
        if (connection?.canSend) this.#write(connection, letter);
        else letter.reject(stopped(peer));
      }
    }
    this.#waiting.clear();
  }

  #sendable(peer: NodeKey): Connection | undefined {
    return this.#last.get(peer) ?? this.#links.current(peer);
  }

  #pump(peer: NodeKey): void {
    const waiting = this.#waiting.get(peer);
    const connection = this.#sendable(peer);
    if (!waiting || !connection) return;
    const { userBuffered } = this.#context.limits;
    while (connection.canSend && connection.bufferedBytes < userBuffered) {
      const letter = waiting.outbox.take();
      if (!letter) break;
      this.#write(connection, letter);
    }
    if (waiting.outbox.length === 0 && !waiting.isDialling) this.#waiting.delete(peer);
  }

  #write(connection: Connection, letter: Letter): void {
    const { counts } = this.#context;
    counts.messagesSent += 1;
    counts.messageBytesSent += letter.bytes;
    this.#last.set(connection.peerKey, connection);
    connection.sendText(letter.text, (error) => {
      const peer = connection.peerKey;
      if (error) letter.reject(noLink(peer, `the link to ${peer} broke: ${error.message}`, error));
      // A socket that takes everything at once must not let a loop of posts keep the node from its heartbeats.
      else setImmediate(letter.resolve);
      this.#pump(peer);
    });
  }

  /** The lane went while messages waited, for example because it was idle at the other end. */
  #redial(peer: NodeKey): void {
    const waiting = this.#waiting.get(peer);
    if (!waiting || waiting.isDialling || waiting.outbox.length === 0) return;
    if (this.#owner.dialUser(peer)) waiting.isDialling = true;
    else this.#refuseAll(peer, `the link to ${peer} is gone`);
  }

  #refuseAll(peer: NodeKey, why: string): void {
    const waiting = this.#waiting.get(peer);
    this.#waiting.delete(peer);
    if (!waiting) return;
    for (let letter = waiting.outbox.take(); letter; letter = waiting.outbox.take())
      letter.reject(noLink(peer, why));
  }
}

const noLink = (to: NodeKey, message: string, cause?: unknown): ClusterError =>
  new ClusterError('noLink', message, { to }, cause);

export const stopped = (to: NodeKey): ClusterError =>
  new ClusterError('stopped', `this node was stopped; ${to} was sent nothing`, { to });
