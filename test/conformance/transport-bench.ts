/**
 * A transport under test with everything it told, and the few of them that one test puts on a
 * network. That nothing is told from inside a call, twice, or of a link that is not there holds for
 * every test, and is asked at its end.
 */
import {
  type Address,
  agreedSettings,
  type DialFailure,
  type GivenSettings,
  type Hello,
  type NodeKey,
  nodeKey,
  PROTOCOL,
  readSettings,
  type Transport,
  type TransportEvents,
} from '@rollcall/core';
import { expect } from 'vitest';

export interface TransportNetwork {
  /** A transport that does not listen yet; at `address` again when one was there before. */
  create(options: { readonly settings: GivenSettings; readonly address?: Address }): Transport;
  /** An address where nobody listens. */
  readonly nobody: Address;
  /** Resolves once `fact` holds; rejects, naming `what`, when it does not come to hold. */
  until(what: string, fact: () => boolean): Promise<void>;
  close(): Promise<void>;
}

export interface PeerOptions {
  readonly cluster?: string;
  readonly settings?: GivenSettings;
  readonly address?: Address;
}

const quick = { 'limits.reconnectMin': 10, 'limits.reconnectMax': 40 };

/** A transport with what it told, and whether it told it from inside one of our calls. */
export class Peer implements TransportEvents {
  readonly transport: Transport;
  readonly ups: { readonly peer: NodeKey; readonly dialled: Address | undefined }[] = [];
  readonly downs: NodeKey[] = [];
  readonly frames: { readonly from: NodeKey; readonly bytes: Uint8Array }[] = [];
  readonly failures: { readonly address: Address; readonly failure: DialFailure }[] = [];
  readonly messages: { readonly from: NodeKey; readonly value: unknown }[] = [];
  readonly linked = new Set<NodeKey>();
  readonly wrong: string[] = [];
  address: Address = '';
  hello: Hello;
  #isInside = false;

  constructor(
    network: TransportNetwork,
    { cluster = 'orders', settings = {}, address }: PeerOptions,
  ) {
    const given = { ...quick, ...settings };
    this.transport = network.create(address ? { settings: given, address } : { settings: given });
    const agreed = agreedSettings(readSettings(given));
    this.hello = { cluster, protocol: PROTOCOL, self: '', settings: agreed };
  }

  get key(): NodeKey {
    return this.hello.self;
  }

  async listen(): Promise<this> {
    this.address = await this.transport.listen(this);
    return this;
  }

  identify(uid: string): this {
    this.hello = { ...this.hello, self: nodeKey(this.address, uid) };
    this.call((transport) => transport.identify(this.hello));
    return this;
  }

  /** Nothing may be told before this returns. */
  call(run: (transport: Transport) => void): void {
    this.#isInside = true;
    run(this.transport);
    this.#isInside = false;
  }

  texts(): string[] {
    return this.frames.map(({ bytes }) => new TextDecoder().decode(bytes));
  }

  linkUp({ self }: Hello, dialled: Address | undefined): void {
    this.#note('linkUp');
    if (this.linked.has(self)) this.wrong.push(`linkUp of ${self} twice`);
    this.linked.add(self);
    this.ups.push({ peer: self, dialled });
  }

  linkDown(peer: NodeKey): void {
    this.#note('linkDown');
    if (!this.linked.delete(peer)) this.wrong.push(`linkDown of ${peer} without a linkUp`);
    this.downs.push(peer);
  }

  frame(from: NodeKey, bytes: Uint8Array, wasCast = false): void {
    this.#note('frame');
    if (!this.linked.has(from) && !wasCast) this.wrong.push(`a frame of ${from} without a link`);
    this.frames.push({ from, bytes });
  }

  dialFailed(address: Address, failure: DialFailure): void {
    this.#note('dialFailed');
    this.failures.push({ address, failure });
  }

  message(from: NodeKey, value: unknown): void {
    this.#note('message');
    this.messages.push({ from, value });
  }

  #note(what: string): void {
    if (this.#isInside) this.wrong.push(`${what} from inside a call to the transport`);
  }
}

/** The peers of one test on one network. */
export class Bench {
  readonly #network: TransportNetwork;
  readonly #peers: Peer[] = [];
  #uids = 0;

  constructor(network: TransportNetwork) {
    this.#network = network;
  }

  get nobody(): Address {
    return this.#network.nobody;
  }

  make(options: PeerOptions = {}): Peer {
    const peer = new Peer(this.#network, options);
    this.#peers.push(peer);
    return peer;
  }

  async start(options: PeerOptions = {}): Promise<Peer> {
    const peer = this.make(options);
    await this.settled(peer.listen());
    this.#uids += 1;
    return peer.identify(`uid${this.#uids}`);
  }

  async pair(settings: GivenSettings = {}): Promise<[Peer, Peer]> {
    const [a, b] = [await this.start({ settings }), await this.start({ settings })];
    a.call((transport) => transport.link(b.address));
    await this.linked(a, b);
    return [a, b];
  }

  until(what: string, fact: () => boolean): Promise<void> {
    return this.#network.until(what, fact);
  }

  linked(a: Peer, b: Peer): Promise<void> {
    const fact = (): boolean => a.linked.has(b.key) && b.linked.has(a.key);
    return this.until(`a link between ${a.key} and ${b.key}`, fact);
  }

  /** Lets time pass until a promise is settled: under virtual time nothing else moves it. */
  async settled<T>(promise: Promise<T>): Promise<T> {
    let isSettled = false;
    const note = (): void => {
      isSettled = true;
    };
    promise.then(note, note);
    await this.until('an answer', () => isSettled);
    return promise;
  }

  async close(): Promise<void> {
    const wrong = this.#peers.flatMap((peer) => peer.wrong);
    await this.settled(Promise.all(this.#peers.map(({ transport }) => transport.close())));
    await this.#network.close();
    expect(wrong).toEqual([]);
  }
}
