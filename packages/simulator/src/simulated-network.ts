/**
 * The network between simulated nodes: who listens where, what is in flight, and the rules that
 * decide what becomes of each packet. Links keep their order, as TCP does, unless a rule says otherwise.
 */
import type { Random } from '@rollcall/core';
import { hostOf } from './node-name.js';
import { type Note, Packet } from './packet.js';
import { type Distribution, type PacketKind, type Rule, sample } from './rule.js';
import type { Scheduler } from './scheduler.js';
import { SimulatedSocket, type SocketOwner } from './simulated-socket.js';
import type { Trace } from './trace.js';

/** What became of all packets so far. */
export interface NetworkCounters {
  sent: number;
  dropped: number;
  duplicated: number;
}

export class SimulatedNetwork {
  readonly counters: NetworkCounters = { sent: 0, dropped: 0, duplicated: 0 };
  readonly #scheduler: Scheduler;
  readonly #random: Random;
  readonly #trace: Trace;
  readonly #latency: Distribution;
  readonly #rules = new Set<Rule>();
  readonly #listeners = new Map<string, SocketOwner>();
  readonly #hosts = new Map<string, string>();
  readonly #dark = new Set<string>();

  constructor(scheduler: Scheduler, random: Random, trace: Trace, oneWay: Distribution) {
    this.#scheduler = scheduler;
    this.#random = random;
    this.#trace = trace;
    this.#latency = oneWay;
  }

  /** Adds a fault; the returned function takes it out again. */
  addRule(rule: Rule): () => void {
    this.#rules.add(rule);
    return () => void this.#rules.delete(rule);
  }

  /** Takes every fault out. The latency stays. */
  clearRules(): void {
    this.#rules.clear();
  }

  /** From now on this node answers there. False when somebody else does. */
  listen(address: string, host: string, owner: SocketOwner): boolean {
    if (this.#listeners.has(address)) return false;
    this.#listeners.set(address, owner);
    this.#hosts.set(address, host);
    return true;
  }

  release(address: string, owner: SocketOwner): void {
    if (this.#listeners.get(address) === owner) this.#listeners.delete(address);
  }

  listenerAt(address: string): SocketOwner | undefined {
    return this.#listeners.get(address);
  }

  /** A machine without power: nothing leaves it, nothing comes back from it, not even a reset. */
  setDark(host: string, isDark: boolean): void {
    if (isDark) this.#dark.add(host);
    else this.#dark.delete(host);
  }

  /** The near end of a new connection to whoever answers at `address`; nobody knows of it until it dials. */
  connect(host: string, address: string): SimulatedSocket {
    const near = new SimulatedSocket(this, host, address);
    const far = new SimulatedSocket(this, this.#hosts.get(address) ?? hostOf(address), address);
    near.other = far;
    far.other = near;
    return near;
  }

  transmit(
    kind: PacketKind,
    to: SimulatedSocket,
    bytes: Uint8Array | undefined,
    note: Note | undefined,
  ): void {
    const packet = new Packet(kind, to, this.#scheduler.nowMs, bytes, note);
    this.counters.sent++;
    if (this.#dark.size > 0 && (this.#dark.has(packet.from) || this.#dark.has(packet.to))) {
      this.#drop(packet);
    } else if (this.#rules.size === 0) {
      this.#deliverInOrder(packet, sample(this.#latency, this.#random));
    } else {
      this.#judge(packet);
    }
  }

  #judge(packet: Packet): void {
    let delayMs = sample(this.#latency, this.#random);
    let mayBeOvertaken = false;
    let copies: number[] | undefined;
    for (const rule of this.#rules) {
      const verdict = rule(packet, this.#random);
      if (verdict === 'pass') continue;
      if (verdict === 'drop') {
        this.#drop(packet);
        return;
      }
      if (verdict.kind === 'delay') {
        delayMs += verdict.delayMs;
        mayBeOvertaken ||= verdict.mayBeOvertaken;
      } else {
        copies ??= [];
        copies.push(verdict.afterMs);
      }
    }
    if (mayBeOvertaken) this.#deliver(packet, this.#scheduler.nowMs + delayMs);
    else this.#deliverInOrder(packet, delayMs);
    for (const afterMs of copies ?? []) {
      this.counters.duplicated++;
      this.#deliver(packet.copy(), this.#scheduler.nowMs + delayMs + afterMs);
    }
  }

  #deliverInOrder(packet: Packet, delayMs: number): void {
    const { socket } = packet;
    const atMs = Math.max(this.#scheduler.nowMs + delayMs, socket.notBeforeMs);
    socket.notBeforeMs = atMs;
    this.#deliver(packet, atMs);
  }

  #deliver(packet: Packet, atMs: number): void {
    if (this.#trace.showsFrames) this.#trace.packet(packet, atMs);
    this.#scheduler.at(atMs, packet);
  }

  #drop(packet: Packet): void {
    this.counters.dropped++;
    if (this.#trace.showsFrames) this.#trace.packet(packet, undefined);
  }
}
