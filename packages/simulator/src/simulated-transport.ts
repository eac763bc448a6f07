/**
 * Core's Transport over the simulated network: real bytes, copied; one control link per pair;
 * hellos judged by core's own rule. Simpler than the real one where the protocol cannot tell: a dial
 * takes one round trip, there is no congestion (so a frame's slot means nothing), and the user lane
 * shares the link and carries what JSON can carry.
 */
import {
  type Address,
  addressOf,
  ClusterError,
  checkHello,
  type DialFailure,
  type Hello,
  type NodeKey,
  type Slot,
  type Transport,
  type TransportEvents,
} from '@rollcall/core';
import { Dialler } from './dialler.js';
import { addressesOf, type Link, LinkTable } from './link-table.js';
import type { Packet } from './packet.js';
import type { SimulatedClock } from './simulated-clock.js';
import { SimulatedDatagrams } from './simulated-datagrams.js';
import type { SimulatedSocket, SocketOwner } from './simulated-socket.js';
import type { TransportWorld } from './transport-world.js';

export class SimulatedTransport implements Transport, SocketOwner {
  readonly clock: SimulatedClock;
  readonly #world: TransportWorld;
  readonly #dialler: Dialler;
  readonly #links: LinkTable;
  readonly #probes = new Map<SimulatedSocket, (found: Hello | undefined) => void>();
  /** Accepted, and no link: callers that only wanted to know who is here, or this node itself. */
  readonly #callers = new Set<SimulatedSocket>();
  readonly #datagrams: SimulatedDatagrams;
  #events: TransportEvents | undefined;
  #hello: Hello | undefined;
  #isClosed = false;
  /** Links that it closed, of which it has not been told yet. */
  readonly #untold: (() => void)[] = [];

  constructor(world: TransportWorld) {
    this.#world = world;
    this.clock = world.clock;
    this.#datagrams = new SimulatedDatagrams(world);
    this.#dialler = new Dialler(world, {
      socketOwner: this,
      hello: () => this.#hello,
      isLinked: (address) => this.#links.to(address) !== undefined,
      opened: (socket, peer, dialled) => this.#open(socket, peer, dialled),
      failed: (address, failure) => this.#failed(address, failure),
    });
    this.#links = new LinkTable({
      clock: world.clock,
      idleLinkMs: world.limits.idleLink,
      wants: (address) => this.#dialler.wants(address),
      lost: (link) => this.#lost(link),
    });
  }

  listen(events: TransportEvents): Promise<Address> {
    const { network, address, host, settleSoon } = this.#world;
    // The process was killed before it came to this: nobody is waiting for an answer.
    if (this.#isClosed) return new Promise(() => {});
    settleSoon();
    if (!network.listen(address, host, this)) {
      return Promise.reject(new ClusterError('cannotListen', `${address} is already in use`));
    }
    this.#events = events;
    return Promise.resolve(address);
  }

  identify(hello: Hello): void {
    const before = this.#hello?.self;
    this.#hello = this.#world.alterHello?.(hello) ?? hello;
    if (before === hello.self || this.#isClosed) return;
    this.#datagrams.identify(hello.self);
    for (const link of this.#links.closeAll())
      this.#tellSoon(() => this.#events?.linkDown(link.peer.self));
    this.#dialler.dialAnew();
  }

  link(address: Address): void {
    if (!this.#isClosed) this.#dialler.want(address);
  }

  unlink(address: Address): void {
    this.#dialler.unwant(address);
    this.#links.unwanted(address);
  }

  send(to: NodeKey, bytes: Uint8Array, _slot: Slot): void {
    const link = this.#links.with(to);
    if (link === undefined) return void this.#world.counters.framesUnsent++;
    if (bytes.length > this.#world.limits.frameBytes) {
      throw new Error(`bug: a control frame of ${bytes.length} bytes is above limits.frameBytes`);
    }
    this.#links.used(link);
    this.#world.counters.sent(bytes);
    link.socket.transmit('frame', new Uint8Array(bytes), undefined);
  }

  cast(to: NodeKey, bytes: Uint8Array): void {
    if (!this.#isClosed && !this.#datagrams.send(to, bytes)) this.send(to, bytes, 'urgent');
  }

  drop(peer: NodeKey, reason: string): void {
    const link = this.#links.with(peer);
    if (link === undefined) return;
    this.#world.trace.add(this.#world.host, 'drops', `${peer}: ${reason}`);
    this.#links.close(link);
    this.#tellSoon(() => this.#lost(link));
  }

  probe(address: Address, timeoutMs: number): Promise<Hello | undefined> {
    return new Promise((resolve) => {
      const socket = this.#world.network.connect(this.#world.host, address);
      socket.own(this);
      const settle = (found: Hello | undefined) => {
        this.#probes.delete(socket);
        socket.close();
        takeBack();
        this.#world.settleSoon();
        resolve(found);
      };
      const takeBack = this.clock.schedule(timeoutMs, () => settle(undefined));
      this.#probes.set(socket, settle);
      const hello = this.#hello;
      if (hello === undefined || this.#isClosed) settle(undefined);
      else socket.transmit('dial', undefined, { kind: 'call', hello, isProbe: true });
    });
  }

  prepare(to: NodeKey, value: unknown): () => Promise<void> {
    const text = JSON.stringify(value) ?? 'null';
    if (text.length <= this.#world.limits.messageBytes) return () => this.#post(to, text);
    const problem = `a message of ${text.length} characters is above limits.messageBytes`;
    throw new ClusterError('tooLarge', problem);
  }

  #post(to: NodeKey, text: string): Promise<void> {
    const { counters, settleSoon } = this.#world;
    settleSoon();
    if (to === this.#hello?.self && !this.#isClosed) {
      this.clock.schedule(0, () => this.#hand(to, JSON.parse(text)));
      return Promise.resolve();
    }
    const link = this.#links.with(to);
    if (link === undefined) {
      return Promise.reject(new ClusterError('noLink', `there is no link to ${to}`));
    }
    this.#links.used(link);
    counters.messagesSent++;
    link.socket.transmit('message', undefined, { kind: 'value', value: JSON.parse(text) });
    return Promise.resolve();
  }

  close(): Promise<void> {
    this.#world.settleSoon();
    for (const settle of [...this.#probes.values()]) settle(undefined);
    this.abort();
    return Promise.resolve();
  }

  /** What an operating system does for a process that is gone: every connection is closed, nobody is told within. */
  abort(): void {
    this.#isClosed = true;
    this.#untold.length = 0;
    this.#world.network.release(this.#world.address, this);
    this.#dialler.unwantAll();
    this.#links.closeAll();
    for (const socket of [...this.#probes.keys(), ...this.#callers]) socket.close();
    this.#probes.clear();
    this.#callers.clear();
  }

  socketCount(change: 1 | -1): void {
    this.#world.counters.connected(change);
  }

  accept(socket: SimulatedSocket, packet: Packet): void {
    const mine = this.#hello;
    if (packet.note?.kind !== 'call' || mine === undefined || this.#isClosed) {
      socket.close();
      return;
    }
    const { hello, isProbe } = packet.note;
    const refusal = isProbe ? undefined : checkHello(mine, hello);
    if (refusal !== undefined) {
      this.#refused('refuses', `${addressOf(hello.self)}: ${refusal.message}`);
      socket.transmit('answer', undefined, { kind: 'refused', hello: mine });
      socket.close(false);
    } else if (!isProbe && this.#hasPrecedence(mine, hello)) {
      socket.transmit('answer', undefined, { kind: 'crossed', hello: mine });
      socket.close(false);
    } else {
      socket.transmit('answer', undefined, { kind: 'welcome', hello: mine });
      if (isProbe || hello.self === mine.self) this.#callers.add(socket);
      else this.#open(socket, hello, undefined);
    }
  }

  arrived(socket: SimulatedSocket, packet: Packet): void {
    const { kind, bytes, note } = packet;
    if (kind === 'frame' && bytes !== undefined) this.#frame(socket, bytes);
    else if (kind === 'message') this.#message(socket, packet);
    else if (kind === 'close') this.#hungUp(socket);
    else if (kind === 'answer' && note !== undefined) this.#answered(socket, packet);
  }

  datagram(packet: Packet): void {
    this.#datagrams.arrived(packet, (from, bytes) => this.#events?.frame(from, bytes, true));
  }

  #frame(socket: SimulatedSocket, bytes: Uint8Array): void {
    const link = this.#links.over(socket);
    if (link !== undefined) this.#links.used(link);
    // No link: one end of a connection of this node to itself.
    const from = link?.peer.self ?? this.#hello?.self;
    this.#world.counters.framesReceived++;
    if (from !== undefined) this.#events?.frame(from, bytes);
  }

  /** What an application makes of it may be a promise, of which time is not to run ahead. */
  #hand(from: NodeKey, value: unknown): void {
    this.#events?.message(from, value);
    this.#world.settleSoon();
  }

  #message(socket: SimulatedSocket, { note }: Packet): void {
    const link = this.#links.over(socket);
    if (link === undefined || note?.kind !== 'value') return;
    this.#links.used(link);
    this.#hand(link.peer.self, note.value);
  }

  #hungUp(socket: SimulatedSocket): void {
    socket.close(false);
    this.#callers.delete(socket);
    this.#probes.get(socket)?.(undefined);
    const link = this.#links.over(socket);
    if (link === undefined) {
      this.#dialler.closed(socket);
    } else {
      this.#links.close(link);
      this.#lost(link);
    }
  }

  #answered(socket: SimulatedSocket, { note }: Packet): void {
    if (note === undefined || !('hello' in note) || note.kind === 'call') return;
    const settle = this.#probes.get(socket);
    if (settle === undefined) this.#dialler.answered(socket, note);
    else settle(note.hello);
  }

  /** Two dials crossed: both ends keep the one that the lower unique address made. */
  #hasPrecedence(mine: Hello, theirs: Hello): boolean {
    return mine.self < theirs.self && this.#dialler.isDialling(addressOf(theirs.self));
  }

  /** Never from inside a call to the transport; but in order, so before what comes in meanwhile. */
  #tellSoon(tell: () => void): void {
    this.#untold.push(tell);
    this.clock.schedule(0, () => this.#tellAll());
  }

  #tellAll(): void {
    for (const tell of this.#untold.splice(0)) tell();
  }

  #open(socket: SimulatedSocket, peer: Hello, dialled: Address | undefined): void {
    this.#tellAll();
    const link = this.#links.open(socket, peer, dialled);
    for (const address of addressesOf(link)) this.#dialler.satisfied(address);
    this.#datagrams.met(peer.self);
    this.#world.trace.add(this.#world.host, 'linkUp', peer.self);
    this.#events?.linkUp(peer, dialled);
  }

  /** An open link is gone; whoever wants one dials again. */
  #lost(link: Link): void {
    for (const address of addressesOf(link)) this.#dialler.lost(address);
    this.#world.trace.add(this.#world.host, 'linkDown', link.peer.self);
    this.#events?.linkDown(link.peer.self);
  }

  #failed(address: Address, failure: DialFailure): void {
    if (failure.code === 'refused') this.#refused('refused', `by ${address}: ${failure.message}`);
    else this.#world.trace.add(this.#world.host, 'dialFailed', failure.message);
    this.#events?.dialFailed(address, failure);
  }

  #refused(what: 'refuses' | 'refused', message: string): void {
    const { counters, trace, host } = this.#world;
    counters.refusals++;
    trace.add(host, what, message);
  }
}
