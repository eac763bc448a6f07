/**
 * The Transport port: links between nodes, with a hello at their start and two lanes on them.
 * A transport knows addresses, links and bytes; who is a member and what that means is none of
 * its business. Loss is always allowed (the next heartbeat's digest repairs it); so are late,
 * doubled and reordered frames.
 */
import type { NodeKey } from '@rollcall/convergence';
import type { Hello, Refusal } from './membership/hello.js';

/** `ws://host:port` or `wss://host:port`. */
export type Address = string;

/** Why a dial came to nothing. */
export interface DialFailure {
  /**
   * `unreachable`: no connection or it broke; `timeout`: no hello in time; `refused`: see `refusal`.
   * Two are no failures, and nothing is tried again while they hold: `self`, the address leads back
   * to this node; `linked`, it is another name of `peer`, to which there is a link already.
   */
  readonly code: 'unreachable' | 'timeout' | 'refused' | 'self' | 'linked';
  /** One sentence for an operator; names the address and the cause. */
  readonly message: string;
  readonly refusal?: Refusal;
  /** Who answered at `address`, for `self` and `linked`. */
  readonly peer?: Hello;
}

/** What a transport tells its node. Each call is made from the event loop, never from inside a call to the transport. */
export interface TransportEvents {
  /** A control link to `peer` is open. `dialled` is the address this side dialled, absent on an accepted link. */
  linkUp(peer: Hello, dialled: Address | undefined): void;
  /** The last control link to `peer` is gone. */
  linkDown(peer: NodeKey): void;
  /** One control frame from an authenticated peer; `wasCast` if it came beside the links. The bytes belong to the receiver. */
  frame(from: NodeKey, bytes: Uint8Array, wasCast?: boolean): void;
  /** A dial asked for by `link` failed. A refusal ends the redialling of that address; anything else is tried again. */
  dialFailed(address: Address, failure: DialFailure): void;
  /** One user message (the user lane). */
  message(from: NodeKey, value: unknown): void;
  /**
   * A user message that could not be read, although it was one: it has a class in it that nobody named here, say. `head` is
   * what came before the value, unchecked: its kind and, of an ask or an answer, its number.
   */
  unreadable?(from: NodeKey, head: readonly unknown[], problem: string): void;
}

/**
 * A queued control frame is replaced by a newer one of its slot while the link is congested:
 * newer gossip contains older. `urgent` frames are queued in order, up to the outbox limit.
 */
export type Slot = 'heartbeat' | 'gossip' | 'urgent';

export interface Transport {
  /** Binds the listening socket. Resolves with the address to dial (the bound port when 0 was asked for). Nobody is let in before `identify`. */
  listen(events: TransportEvents): Promise<Address>;
  /**
   * Who this node is from now on. Every link made under another unique address is closed and
   * `linkDown` told; wanted links are dialled anew.
   */
  identify(hello: Hello): void;
  /** Wants one control link to whoever answers at `address`: dials unless there is one, redials with jittered back-off until `unlink`. */
  link(address: Address): void;
  /** Wants it no longer: stops redialling. An open link goes when neither end has used it for the idle limit. */
  unlink(address: Address): void;
  /** Sends on the control lane; the bytes must not be changed afterwards; silently nothing when there is no link or the outbox is full. */
  send(to: NodeKey, bytes: Uint8Array, slot: Slot): void;
  /**
   * Sends one small frame beside the links, as a datagram: it waits for nothing, nobody sends it again, and it gets to a peer whose link
   * was lost. To one that takes none it goes on the link, as an urgent one; so does all where a transport leaves this out.
   */
  cast?(to: NodeKey, bytes: Uint8Array): void;
  /** Closes the links to a peer that does not keep to the protocol, telling it why. A wanted one is redialled with back-off. */
  drop(peer: NodeKey, reason: string): void;
  /** Dials `address` once for its hello and hangs up. Undefined when nobody answers within `timeoutMs`. */
  probe(address: Address, timeoutMs: number): Promise<Hello | undefined>;
  /**
   * Copies a value for the user lane as it is now, whenever it will go: whoever sent it may change it afterwards. Throws TypeError for what
   * cannot be sent and ClusterError `tooLarge`. What it returns sends the copy, once; to itself without a wire. That resolves when the frame was handed to the
   * socket and rejects with a ClusterError (`noLink`, `backPressure`, `stopped`).
   */
  prepare(to: NodeKey, value: unknown): () => Promise<void>;
  /** Flushes what is queued (bounded), closes every link and the listening socket. Idempotent. */
  close(): Promise<void>;
}
