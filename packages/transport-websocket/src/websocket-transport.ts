/**
 * Core's Transport over WebSockets: one listening socket, one control link per pair of nodes and a
 * user lane where there are user messages. This file joins the parts; each decides its own matter.
 */
import {
  type Address,
  addressOf,
  type Hello,
  type NodeKey,
  type Slot,
  steadyLogger,
  type Transport,
  type TransportEvents,
} from '@rollcall/core';
import { type Endpoint, isLoopback, normalAddress, readAddress, showAddress } from './address.js';
import type { ConnectionEnd } from './connection.js';
import { Connections, type Dial } from './connections.js';
import { ControlLane } from './control-lane.js';
import { CountedLog } from './counted-log.js';
import { Datagrams } from './datagrams.js';
import { dialFailure } from './dialer.js';
import { CLOSE } from './lane.js';
import { Listener } from './listener.js';
import { Teller } from './teller.js';
import { isMutual } from './tls-options.js';
import type { TransportContext } from './transport-context.js';
import { noCounts, type TransportCounts } from './transport-counts.js';
import { badSetting, endpointOf, type WebSocketTransportOptions } from './transport-options.js';
import { stopped, UserLane } from './user-lane.js';
import { MessageCodec } from './user-message.js';
import { WantedLinks } from './wanted-links.js';

export class WebSocketTransport implements Transport {
  readonly #options: WebSocketTransportOptions;
  readonly #listen: Endpoint;
  readonly #advertise: Endpoint;
  readonly #context: TransportContext;
  readonly #control: ControlLane;
  readonly #user: UserLane;
  readonly #wanted: WantedLinks;
  readonly #connections: Connections;
  readonly #listener: Listener;
  #events: TransportEvents | undefined;
  #hello: Hello | undefined;
  #closing: Promise<void> | undefined;

  /** Throws ClusterError (`badSetting`) for an address, a secret or TLS options that cannot be used. */
  constructor(given: WebSocketTransportOptions) {
    const options = { ...given, logger: steadyLogger(given.logger) };
    const { clock, random, settings, secret, tls, logger, allowedOrigins = [] } = options;
    const codec = new MessageCodec(options.classes);
    this.#options = options;
    this.#listen = endpointOf('listen', options.listen);
    this.#advertise = endpointOf('advertise', options.advertise ?? options.listen);
    if (secret === '') throw badSetting('secret', 'the secret is empty');
    if (this.#listen.secure && !(tls?.key && tls.cert) && !tls?.pfx)
      throw badSetting('tls', `listening on ${options.listen} takes tls with a key and a cert`);
    const log = new CountedLog(logger, clock);
    const { limits } = settings;
    const teller = new Teller();
    const counts = noCounts();
    const shared = { clock, random, limits, secret, log, codec, teller, counts };
    const datagrams = new Datagrams(shared, {
      frame: (from, bytes) => this.#tellFrame(from, bytes, true),
      unsendable: (to, bytes) => this.#control.send(to, bytes, 'urgent'),
      isLinked: (peer) => this.#control.current(peer) !== undefined,
    });
    this.#context = { ...shared, datagrams };
    this.#control = this.#makeControlLane();
    this.#user = this.#makeUserLane();
    this.#wanted = this.#makeWantedLinks();
    this.#connections = new Connections(this.#context, tls, this.#control, this.#user);
    const endpoint = this.#listen;
    this.#listener = new Listener({ endpoint, tls, allowedOrigins }, this.#context, (arrival) =>
      this.#connections.accept(arrival),
    );
  }

  /** Counted since this transport was made. */
  get counts(): Readonly<TransportCounts> {
    return this.#context.counts;
  }

  /** Connections that are open or being made, of either direction and any lane. */
  get connections(): number {
    return this.#connections.size;
  }

  async listen(events: TransportEvents): Promise<Address> {
    this.#events = events;
    this.#warnIfOpen();
    const bound = await this.#listener.listen();
    await this.#context.datagrams.open(bound);
    return showAddress({ ...this.#advertise, port: this.#advertise.port || bound.port });
  }

  identify(hello: Hello): void {
    if (this.#closing) return;
    const before = this.#hello;
    this.#hello = hello;
    this.#context.datagrams.identify(hello);
    if (before?.self === hello.self) {
      this.#connections.identified(hello);
      return;
    }
    if (before) {
      const reason = `${before.self} goes by another unique address now`;
      this.#connections.endHandshakes(CLOSE.identity, reason);
      this.#control.endAll(CLOSE.identity, reason);
      this.#user.endAll(CLOSE.identity, reason);
    }
    this.#connections.identified(hello);
    this.#wanted.renew();
  }

  link(address: Address): void {
    if (!this.#closing) this.#wanted.add(address);
  }

  unlink(address: Address): void {
    this.#wanted.remove(address);
    this.#connections.callOff(address);
  }

  send(to: NodeKey, bytes: Uint8Array, slot: Slot): void {
    if (!this.#closing) this.#control.send(to, bytes, slot);
  }

  cast(to: NodeKey, bytes: Uint8Array): void {
    if (this.#closing || this.#context.datagrams.send(to, bytes)) return;
    this.#control.send(to, bytes, 'urgent');
  }

  drop(peer: NodeKey, reason: string): void {
    this.#user.end(peer, CLOSE.badFrame, reason);
    this.#control.end(peer, CLOSE.badFrame, reason);
  }

  probe(address: Address, timeoutMs: number): Promise<Hello | undefined> {
    if (this.#closing || !this.#hello) return Promise.resolve(undefined);
    return new Promise((resolve) => {
      const deadlineMs = this.#context.clock.nowMs() + timeoutMs;
      this.#dial({
        address,
        lane: 'probe',
        deadlineMs,
        consider: undefined,
        opened: (connection) => {
          resolve(connection.peer);
          connection.end(CLOSE.done, 'probed');
        },
        failed: () => resolve(undefined),
      });
    });
  }

  prepare(to: NodeKey, value: unknown): () => Promise<void> {
    const letter = this.#user.write(to, value);
    return async () => {
      if (this.#closing) throw stopped(to);
      if (to === this.#hello?.self) return this.#user.postToSelf(to, letter);
      return this.#user.post(to, letter);
    };
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    this.#context.teller.mute();
    this.#wanted.clear();
    this.#listener.stop();
    this.#context.datagrams.close();
    this.#control.flush();
    this.#user.flush();
    await this.#connections.close();
    await this.#listener.close();
  }

  #dial(dial: Dial): void {
    const endpoint = readAddress(dial.address);
    const hello = this.#hello;
    if (hello && endpoint) this.#connections.dial(endpoint, hello, dial);
    else {
      const message = 'it is not an address such as ws://host:port';
      queueMicrotask(() => dial.failed({ kind: 'closed', code: 1006, message }));
    }
  }

  #makeControlLane(): ControlLane {
    const { teller } = this.#context;
    return new ControlLane(this.#context, {
      linkUp: ({ peer, peerKey, dialled }) => {
        this.#wanted.linked(peerKey, dialled);
        if (peer) teller.tell(() => this.#events?.linkUp(peer, dialled));
      },
      linkDown: (peer) => {
        this.#wanted.unlinked(peer);
        teller.tell(() => this.#events?.linkDown(peer));
      },
      frame: (from, bytes) => this.#tellFrame(from, bytes, false),
      wants: (peer) => this.#wanted.wants(peer),
    });
  }

  #tellFrame(from: NodeKey, bytes: Uint8Array, wasCast: boolean): void {
    const { teller } = this.#context;
    if (teller.isIdle) this.#events?.frame(from, bytes, wasCast);
    else teller.tell(() => this.#events?.frame(from, bytes, wasCast));
  }

  #makeUserLane(): UserLane {
    const { teller } = this.#context;
    return new UserLane(this.#context, {
      dialUser: (peer) => this.#dialUser(peer),
      message: (from, value) => {
        // Never from inside a call to the transport, as a message to oneself would be.
        if (teller.isIdle && from !== this.#hello?.self) this.#events?.message(from, value);
        else teller.tell(() => this.#events?.message(from, value));
      },
      unreadable: (...what) => teller.tell(() => this.#events?.unreadable?.(...what)),
    });
  }

  #makeWantedLinks(): WantedLinks {
    const self = (): Hello | undefined => this.#hello;
    return new WantedLinks(this.#context, {
      get self() {
        return self();
      },
      linkedPeers: () => this.#control.peers(),
      dial: (address) => this.#dialWanted(address),
    });
  }

  #dialWanted(address: Address): void {
    const deadlineMs = this.#context.clock.nowMs() + this.#context.limits.handshake;
    this.#dial({
      address,
      lane: 'control',
      deadlineMs,
      // A second name of a peer that has a link: the peer is told nothing, the node is.
      consider: (peer) =>
        this.#control.current(peer.self) || this.#connections.isProving(peer.self)
          ? 'linked'
          : undefined,
      opened: () => {},
      failed: (end) => this.#dialFailed(address, end),
    });
  }

  #dialFailed(address: Address, end: ConnectionEnd): void {
    const { limits, teller } = this.#context;
    const failure = dialFailure(address, end, limits.handshake);
    // The peer may have dialled meanwhile; then nothing has failed.
    const isLinked = this.#wanted.isLinked(address) && failure?.code !== 'linked';
    if (!failure || isLinked) return;
    if (failure.code === 'linked' && failure.peer) {
      const { self } = failure.peer;
      // If the other dial is still on its way, whether it arrives is seen at the next try.
      if (!this.#control.current(self)) return this.#wanted.failed(address);
      this.#wanted.linked(self, address);
      // Of a link to the very address that it asked for the node has been told already.
      if (normalAddress(addressOf(self)) === normalAddress(address)) return;
    } else if (failure.code === 'refused' || failure.code === 'self') this.#wanted.refused(address);
    else this.#wanted.failed(address);
    teller.tell(() => this.#events?.dialFailed(address, failure));
  }

  #dialUser(peer: NodeKey): boolean {
    const link = this.#control.current(peer);
    if (!link) return false;
    const { clock, limits } = this.#context;
    const address = link.dialled ?? addressOf(peer);
    this.#dial({
      address,
      lane: 'user',
      deadlineMs: clock.nowMs() + limits.handshake,
      consider: ({ self }) => {
        if (self !== peer) return 'other';
        return this.#user.current(peer) ? 'linked' : undefined;
      },
      opened: () => {},
      failed: (end) =>
        this.#user.dialFailed(peer, dialFailure(address, end, limits.handshake)?.message),
    });
    return true;
  }

  #warnIfOpen(): void {
    const { secret, tls, logger } = this.#options;
    if (secret !== undefined || isMutual(tls) || isLoopback(this.#listen.host)) return;
    const address = showAddress(this.#listen);
    const message = `listening on ${address} with neither a secret nor mutual TLS: whoever reaches it can join`;
    logger.warn({ address }, message);
  }
}
