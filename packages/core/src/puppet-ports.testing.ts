/**
 * Ports that do what a test says, and one node on them. The test plays the network: it calls what a
 * transport would call, and reads what the node asked of it.
 */
import { apply, diff, f, introduce, type NodeKey, type State } from '@rollcall/convergence';
import type { Cluster } from './cluster.js';
import { HandClock } from './hand-clock.js';
import { MemoryLease } from './lease.js';
import type { Logger } from './logger.js';
import { decode, encode } from './membership/codec.js';
import { type Hello, PROTOCOL } from './membership/hello.js';
import type { Message } from './membership/message.js';
import { rulesOf } from './membership/rules-of.js';
import { agreedSettings, readSettings } from './membership/settings.js';
import type { Ports } from './ports.js';
import { startCluster } from './start-cluster.js';
import type { Slot, Transport, TransportEvents } from './transport.js';

type Said<K extends Message['kind']> = Extract<Message, { kind: K }>;

/** Notes what is asked of it; `throws` makes the next call of that name fail as only a bug would. */
export class PuppetTransport implements Transport {
  readonly calls: string[] = [];
  readonly sent: { readonly to: NodeKey; readonly message: Message; readonly slot: Slot }[] = [];
  readonly hellos: Hello[] = [];
  events: TransportEvents | undefined;
  found: Hello | undefined | Error;
  throws: string | undefined;

  #note(call: string): void {
    this.calls.push(call);
    if (this.throws !== undefined && call.startsWith(this.throws))
      throw new Error(`${call} failed`);
  }
  async listen(events: TransportEvents) {
    this.#note('listen');
    this.events = events;
    return 'ws://m:7000';
  }
  identify(hello: Hello) {
    this.#note('identify');
    this.hellos.push(hello);
  }
  link(address: string) {
    this.#note(`link ${address}`);
  }
  unlink(address: string) {
    this.#note(`unlink ${address}`);
  }
  send(to: NodeKey, bytes: Uint8Array, slot: Slot) {
    const message = decode(bytes);
    if (message.kind === 'bad') throw new Error(`sent a frame that ${message.reason}`);
    this.#note(`send ${message.kind}`);
    this.sent.push({ to, message, slot });
  }
  /** A transport need not have it. */
  cast?: (to: NodeKey, bytes: Uint8Array) => void;
  drop(peer: NodeKey, reason: string) {
    this.#note(`drop ${peer}: ${reason}`);
  }
  probe(address: string) {
    this.#note(`probe ${address}`);
    return this.found instanceof Error ? Promise.reject(this.found) : Promise.resolve(this.found);
  }
  readonly posted: { readonly to: NodeKey; readonly value: unknown }[] = [];
  refusesNextPost: Error | undefined;
  prepare(to: NodeKey, given: unknown) {
    const value: unknown = structuredClone(given);
    return async () => {
      this.#note(`post ${to}`);
      const refusal = this.refusesNextPost;
      this.refusesNextPost = undefined;
      if (refusal !== undefined) throw refusal;
      this.posted.push({ to, value });
    };
  }
  async close() {
    this.#note('close');
  }
}

export interface Logged {
  readonly level: string;
  readonly message: string;
}

export class PuppetPorts implements Ports {
  readonly transport = new PuppetTransport();
  readonly clock = new HandClock();
  lease = new MemoryLease(this.clock);
  readonly lines: Logged[] = [];
  #uids = 0;
  readonly random = {
    next: () => 0.5,
    uid: () => (++this.#uids).toString(16).padStart(16, '0'),
  };
  resolver = { resolve: async (seed: string): Promise<readonly string[]> => [seed] };
  readonly logger: Logger = {
    debug: (_, message) => this.lines.push({ level: 'debug', message }),
    info: (_, message) => this.lines.push({ level: 'info', message }),
    warn: (_, message) => this.lines.push({ level: 'warn', message }),
    error: (_, message) => this.lines.push({ level: 'error', message }),
  };
}

/** Lets what was promised come true. */
export const settled = () => new Promise<void>((resolve) => setImmediate(resolve));

export interface NodeGiven {
  readonly seeds?: readonly string[];
  readonly settings?: Record<string, unknown>;
}

/** A node on puppet ports; by default it lists itself alone, and has founded. */
export async function puppetNode({ seeds = ['ws://m:7000'], settings = {} }: NodeGiven = {}) {
  const ports = new PuppetPorts();
  const options = { name: 'test', seeds, roles: ['worker'], appVersion: '1' };
  const cluster = await startCluster({ ...options, settings: readSettings(settings) }, ports);
  await settled();
  return { cluster, ports, transport: ports.transport, clock: ports.clock };
}

/** Another node, played: lets itself be let in, and agrees to whatever follows. */
export class PuppetPeer {
  readonly key: NodeKey;
  readonly #cluster: Cluster;
  readonly #transport: PuppetTransport;
  #beats = 0;

  constructor(key: NodeKey, cluster: Cluster, transport: PuppetTransport) {
    this.key = key;
    this.#cluster = cluster;
    this.#transport = transport;
  }

  get hello(): Hello {
    const settings = agreedSettings(this.#cluster.settings);
    return { cluster: 'test', protocol: PROTOCOL, self: this.key, settings };
  }

  says(message: Message): void {
    this.#transport.events?.frame(this.key, encode(message));
  }

  /** The last that the node said to it, of one kind. */
  heard<K extends Message['kind']>(kind: K): Said<K> {
    const isIt = (each: { to: NodeKey; message: Message }) =>
      each.to === this.key && each.message.kind === kind;
    const last = this.#transport.sent.findLast(isIt);
    if (last === undefined) throw new Error(`it heard no ${kind}`);
    return last.message as Said<K>;
  }

  /** Introduces itself, and has seen all that follows. */
  joins(): State {
    return this.agrees(this.introduces());
  }

  /** Links, asks, and writes itself in. */
  introduces(): State {
    this.#transport.events?.linkUp(this.hello, undefined);
    this.says({ kind: 'join', roles: [], appVersion: '1' });
    const { token, patch } = this.heard('welcome');
    const before = apply(null, patch) as State;
    const { state } = introduce(before, { key: this.key, roles: [], appVersion: '1' });
    this.says({ kind: 'introduce', token, patch: diff(before, state) });
    return state;
  }

  agrees(state: State): State {
    const rules = rulesOf(this.#cluster.settings);
    for (let now = state; ; ) {
      this.says({
        kind: 'status',
        status: { epoch: now.epoch, digest: now.digest, seen: 'all' },
        want: false,
      });
      const next = f(now, rules);
      if (next === null) return now;
      now = next;
    }
  }

  /** It has heard the last heartbeat, if there was one. */
  beats(): void {
    const isBeat = (each: { to: NodeKey; message: Message }) =>
      each.to === this.key && each.message.kind === 'heartbeat';
    const last = this.#transport.sent.findLast(isBeat)?.message;
    const echo = last?.kind === 'heartbeat' ? last.seq : 0;
    const { epoch, digest } = this.#cluster.state;
    const seq = ++this.#beats;
    this.says({
      kind: 'heartbeat',
      seq,
      echo,
      observes: true,
      status: { epoch, digest, seen: 'all' },
    });
  }
}
