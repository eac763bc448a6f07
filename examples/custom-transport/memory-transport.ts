/**
 * A Transport without sockets: nodes of one process on a network that is an object. What is said arrives in a later turn of
 * the event loop, in order, and as a copy, so that nodes cannot tell it from a wire.
 */
import { deserialize, serialize } from 'node:v8';
import {
  type Address,
  addressOf,
  type Clock,
  ClusterError,
  checkHello,
  type DialFailure,
  type Hello,
  type NodeKey,
  type Random,
  type Settings,
  type Slot,
  type Transport,
  type TransportEvents,
} from '@rollcall/core';

/** Who listens where. */
export class MemoryNetwork {
  readonly #listening = new Map<Address, MemoryTransport>();

  at(address: Address): MemoryTransport | undefined {
    return this.#listening.get(address);
  }

  add(address: Address, transport: MemoryTransport): void {
    if (this.#listening.has(address))
      throw new ClusterError('cannotListen', `${address} is in use on this network`);
    this.#listening.set(address, transport);
  }

  remove(address: Address, transport: MemoryTransport): void {
    if (this.#listening.get(address) === transport) this.#listening.delete(address);
  }
}

export interface MemoryTransportOptions {
  readonly network: MemoryNetwork;
  readonly listen: Address;
  readonly settings: Settings;
  readonly clock: Clock;
  readonly random: Random;
}

/** One end of an open link; both ends come and go together. */
interface End {
  readonly owner: MemoryTransport;
  readonly peer: Hello;
  readonly dialled: Address | undefined;
  isOpen: boolean;
  usedAtMs: number;
  other: End | undefined;
  cancel: () => void;
}

interface Wish {
  /** Dials in a row that came to nothing. */
  failures: number;
  cancel: () => void;
}

export class MemoryTransport implements Transport {
  hello: Hello | undefined;
  readonly #options: MemoryTransportOptions;
  readonly #wishes = new Map<Address, Wish>();
  readonly #ends = new Map<NodeKey, End>();
  #events: TransportEvents | undefined;
  #isClosed = false;

  constructor(options: MemoryTransportOptions) {
    this.#options = options;
  }

  async listen(events: TransportEvents): Promise<Address> {
    this.#options.network.add(this.#options.listen, this);
    this.#events = events;
    return this.#options.listen;
  }

  identify(hello: Hello): void {
    const before = this.hello?.self;
    if (this.#isClosed || before === hello.self) return;
    this.hello = hello;
    for (const end of this.#ends.values()) hangUp(end);
    for (const address of this.#wishes.keys()) this.#dial(address);
  }

  link(address: Address): void {
    if (this.#isClosed || this.#wishes.has(address)) return;
    this.#wishes.set(address, { failures: 0, cancel: () => {} });
    this.#dial(address);
  }

  unlink(address: Address): void {
    this.#wishes.get(address)?.cancel();
    this.#wishes.delete(address);
  }

  send(to: NodeKey, bytes: Uint8Array, _slot: Slot): void {
    const end = this.#use(to);
    if (end?.other === undefined) return;
    const { owner, peer } = end.other;
    const copy = Uint8Array.from(bytes);
    // What was sent before a link goes arrives before that is told: a node that is done says so and closes.
    owner.#tell((events) => events.frame(peer.self, copy));
  }

  drop(peer: NodeKey, _reason: string): void {
    const end = this.#ends.get(peer);
    if (end !== undefined) hangUp(end);
  }

  probe(address: Address): Promise<Hello | undefined> {
    const answer = () => (this.#isClosed ? undefined : this.#options.network.at(address)?.hello);
    return new Promise((resolve) => setImmediate(() => resolve(answer())));
  }

  prepare(to: NodeKey, value: unknown): () => Promise<void> {
    // Structured clones: Date, Map, Set, BigInt and Error survive, a function is refused.
    const bytes = serialize(value);
    const { messageBytes } = this.#options.settings.limits;
    if (bytes.length > messageBytes) {
      const what = `a message of ${bytes.length} bytes is above limits.messageBytes`;
      throw new ClusterError('tooLarge', what);
    }
    return async () => this.#post(to, bytes);
  }

  #post(to: NodeKey, bytes: Uint8Array): void {
    const isSelf = to === this.hello?.self && !this.#isClosed;
    const receiver = isSelf ? this : this.#use(to)?.other?.owner;
    const from = this.hello?.self;
    if (receiver === undefined || from === undefined)
      throw new ClusterError('noLink', `there is no link to ${to}`);
    receiver.#tell((events) => events.message(from, deserialize(bytes)));
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#options.network.remove(this.#options.listen, this);
    for (const address of [...this.#wishes.keys()]) this.unlink(address);
    for (const end of this.#ends.values()) hangUp(end);
  }

  /** In a later turn, never from inside a call; not at all once it is closed. */
  #tell(event: (events: TransportEvents) => unknown): void {
    setImmediate(() => {
      if (!this.#isClosed && this.#events !== undefined) event(this.#events);
    });
  }

  #use(to: NodeKey): End | undefined {
    const end = this.#ends.get(to);
    if (end !== undefined) end.usedAtMs = this.#options.clock.nowMs();
    return this.#isClosed ? undefined : end;
  }

  #dial(address: Address): void {
    this.#wishes.get(address)?.cancel();
    this.#tell((events) => this.#dialNow(address, events));
  }

  #dialNow(address: Address, events: TransportEvents): void {
    const { hello: mine } = this;
    if (mine === undefined || !this.#wishes.has(address) || this.#isLinked(address)) return;
    const peer = this.#options.network.at(address);
    // Nobody is let in by a node that does not know who it is.
    if (peer?.hello === undefined) return this.#retry(address, events);
    const fail = (failure: Omit<DialFailure, 'message'>, message: string) =>
      events.dialFailed(address, { ...failure, message });
    if (peer === this) return fail({ code: 'self', peer: mine }, `${address} is this node`);
    const theirs = peer.hello;
    const refusal = checkHello(mine, theirs);
    if (refusal !== undefined) {
      this.unlink(address);
      return fail({ code: 'refused', refusal }, refusal.message);
    }
    if (this.#ends.has(theirs.self))
      return fail({ code: 'linked', peer: theirs }, `${address} is ${theirs.self}`);
    this.#connect(mine, peer, theirs, address);
  }

  #connect(mine: Hello, peer: MemoryTransport, theirs: Hello, dialled: Address): void {
    const usedAtMs = this.#options.clock.nowMs();
    const fresh = { isOpen: true, usedAtMs, cancel: () => {} };
    const near: End = { ...fresh, owner: this, peer: theirs, dialled, other: undefined };
    const far: End = { ...fresh, owner: peer, peer: mine, dialled: undefined, other: near };
    near.other = far;
    for (const { owner, peer, dialled } of [near, far])
      owner.#tell((events) => events.linkUp(peer, dialled));
    this.#ends.set(theirs.self, near);
    peer.#ends.set(mine.self, far);
    const wish = this.#wishes.get(dialled);
    if (wish !== undefined) wish.failures = 0;
    this.#watchIdle(near);
  }

  #retry(address: Address, events: TransportEvents): void {
    const message = `${address}: nobody listens there`;
    this.#again(address);
    events.dialFailed(address, { code: 'unreachable', message });
  }

  #again(address: Address): void {
    const wish = this.#wishes.get(address);
    if (wish === undefined) return;
    const { clock, random, settings } = this.#options;
    const { reconnectMin, reconnectMax } = settings.limits;
    const pauseMs = Math.min(reconnectMax, reconnectMin * 2 ** wish.failures);
    wish.failures = Math.min(wish.failures + 1, 30);
    wish.cancel = clock.schedule(pauseMs * (0.5 + random.next() / 2), () => this.#dial(address));
  }

  #isLinked(address: Address): boolean {
    return [...this.#ends.values()].some((end) => addressesOf(end).includes(address));
  }

  #watchIdle(end: End): void {
    const { clock, settings } = this.#options;
    const { idleLink } = settings.limits;
    end.cancel = clock.schedule(idleLink, () => {
      const ends = [end, end.other ?? end];
      const isWanted = ends.some((each) => each.owner.#wants(each));
      const isUsed = ends.some(({ usedAtMs }) => clock.nowMs() - usedAtMs < idleLink);
      if (isWanted || isUsed) this.#watchIdle(end);
      else hangUp(end);
    });
  }

  #wants(end: End): boolean {
    return addressesOf(end).some((address) => this.#wishes.has(address));
  }

  /** Its link is gone: the node is told, and what is still wanted is dialled again. */
  lose(end: End): void {
    end.isOpen = false;
    end.cancel();
    this.#ends.delete(end.peer.self);
    this.#tell((events) => {
      events.linkDown(end.peer.self);
      for (const address of addressesOf(end)) this.#again(address);
    });
  }
}

/** The addresses that a link answers for. */
const addressesOf = ({ dialled, peer }: End): readonly Address[] => {
  const advertised = addressOf(peer.self);
  return dialled === undefined || dialled === advertised ? [advertised] : [dialled, advertised];
};

function hangUp(end: End): void {
  for (const each of [end, end.other ?? end]) if (each.isOpen) each.owner.lose(each);
}
