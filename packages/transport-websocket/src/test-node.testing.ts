/**
 * A live transport with everything it told written down, and a way to wait for a fact about it. Tests
 * wait for facts, never for a time.
 */
import { randomBytes } from 'node:crypto';
import {
  addressOf,
  agreedSettings,
  type Clock,
  type DialFailure,
  type GivenSettings,
  type Hello,
  type Logger,
  type NodeKey,
  nodeKey,
  PROTOCOL,
  type Random,
  readSettings,
  type TransportEvents,
} from '@rollcall/core';
import type { WebSocketTransportOptions } from './transport-options.js';
import { WebSocketTransport } from './websocket-transport.js';

export const systemClock: Clock = {
  nowMs: () => performance.now(),
  schedule: (afterMs, run) => {
    const timer = setTimeout(run, afterMs);
    return () => clearTimeout(timer);
  },
};

const systemRandom: Random = {
  next: () => randomBytes(4).readUInt32BE() / 2 ** 32,
  uid: () => randomBytes(8).toString('hex'),
};

/** Prepares and sends; what either says is one outcome. */
export async function post(
  transport: Pick<WebSocketTransport, 'prepare'>,
  to: NodeKey,
  value: unknown,
): Promise<void> {
  return transport.prepare(to, value)();
}

const patienceMs = 15_000;

/** Resolves as soon as `fact` holds; rejects, saying what was waited for, when it never does. */
export async function until(what: string, fact: () => boolean): Promise<void> {
  const deadlineMs = performance.now() + patienceMs;
  for (let turn = 0; !fact(); turn += 1) {
    if (performance.now() > deadlineMs) throw new Error(`never happened: ${what}`);
    // The first turns are for what is already under way; then the processor is left to others.
    if (turn < 50) await new Promise((resolve) => setImmediate(resolve));
    else await new Promise((resolve) => setTimeout(resolve, 2));
  }
}

export interface TestNodeOptions extends Partial<Omit<WebSocketTransportOptions, 'settings'>> {
  readonly settings?: GivenSettings;
  readonly cluster?: string;
  readonly uid?: string;
  readonly hello?: Partial<Hello>;
}

export interface LogLine {
  readonly level: string;
  readonly facts: Readonly<Record<string, unknown>>;
  readonly message: string;
}

export class TestNode implements TransportEvents {
  readonly transport: WebSocketTransport;
  readonly told: string[] = [];
  readonly ups: { readonly peer: Hello; readonly dialled: string | undefined }[] = [];
  readonly downs: NodeKey[] = [];
  readonly frames: { from: NodeKey; bytes: Uint8Array; wasCast: boolean }[] = [];
  readonly failures: { readonly address: string; readonly failure: DialFailure }[] = [];
  readonly messages: { readonly from: NodeKey; readonly value: unknown }[] = [];
  readonly unreadables: { from: NodeKey; head: readonly unknown[]; problem: string }[] = [];
  readonly log: LogLine[] = [];
  /** Peers that are up by what was told; a second up or down in a row is noted in `told`. */
  readonly up = new Set<NodeKey>();
  address = '';
  hello: Hello;
  onFrame: (from: NodeKey, bytes: Uint8Array) => void = () => {};
  readonly #options: TestNodeOptions;

  constructor(options: TestNodeOptions = {}) {
    this.#options = options;
    const note =
      (level: string) =>
      (facts: object, message: string): void => {
        this.log.push({ level, facts: facts as LogLine['facts'], message });
      };
    const logger: Logger = {
      debug: note('debug'),
      info: note('info'),
      warn: note('warn'),
      error: note('error'),
    };
    const settings = readSettings(options.settings ?? {});
    this.transport = new WebSocketTransport({
      listen: 'ws://127.0.0.1:0',
      clock: systemClock,
      random: systemRandom,
      logger,
      ...options,
      settings,
    });
    this.hello = {
      cluster: options.cluster ?? 'orders',
      protocol: PROTOCOL,
      self: '',
      settings: agreedSettings(settings),
      ...options.hello,
    };
  }

  get key(): NodeKey {
    return this.hello.self;
  }

  async listen(): Promise<this> {
    this.address = await this.transport.listen(this);
    return this;
  }

  identify(uid: string = systemRandom.uid()): this {
    this.hello = { ...this.hello, self: nodeKey(this.address, uid) };
    this.transport.identify(this.hello);
    return this;
  }

  async start(): Promise<this> {
    await this.listen();
    return this.identify(this.#options.uid);
  }

  send(to: TestNode, text: string, slot: 'heartbeat' | 'gossip' | 'urgent' = 'urgent'): void {
    this.transport.send(to.key, Buffer.from(text), slot);
  }

  cast(to: TestNode, text: string): void {
    this.transport.cast(to.key, Buffer.from(text));
  }

  /** What came beside the links. */
  get casts(): string[] {
    return this.frames
      .filter(({ wasCast }) => wasCast)
      .map(({ bytes }) => Buffer.from(bytes).toString());
  }

  texts(from?: TestNode): string[] {
    return this.frames
      .filter((frame) => !from || frame.from === from.key)
      .map(({ bytes }) => Buffer.from(bytes).toString());
  }

  linkUp(peer: Hello, dialled: string | undefined): void {
    this.told.push(`up ${addressOf(peer.self)}${this.up.has(peer.self) ? ' again' : ''}`);
    this.ups.push({ peer, dialled });
    this.up.add(peer.self);
  }

  linkDown(peer: NodeKey): void {
    this.told.push(`down ${addressOf(peer)}${this.up.has(peer) ? '' : ' again'}`);
    this.downs.push(peer);
    this.up.delete(peer);
  }

  frame(from: NodeKey, bytes: Uint8Array, wasCast = false): void {
    if (!this.up.has(from) && !wasCast) this.told.push(`frame of ${from}, which has no link`);
    this.frames.push({ from, bytes, wasCast });
    this.onFrame(from, bytes);
  }

  dialFailed(address: string, failure: DialFailure): void {
    this.failures.push({ address, failure });
  }

  message(from: NodeKey, value: unknown): void {
    this.messages.push({ from, value });
  }

  unreadable(from: NodeKey, head: readonly unknown[], problem: string): void {
    this.unreadables.push({ from, head, problem });
  }

  warnings(kind: RegExp): LogLine[] {
    return this.log.filter(({ level, message }) => level === 'warn' && kind.test(message));
  }
}

/** Nodes of one test; all are closed at its end, whatever became of it. */
export class TestNodes {
  readonly #nodes: TestNode[] = [];

  make(options: TestNodeOptions = {}): TestNode {
    const node = new TestNode(options);
    this.#nodes.push(node);
    return node;
  }

  get last(): TestNode | undefined {
    return this.#nodes.at(-1);
  }

  start(options: TestNodeOptions = {}): Promise<TestNode> {
    return this.make(options).start();
  }

  async pair(a: TestNodeOptions = {}, b: TestNodeOptions = {}): Promise<[TestNode, TestNode]> {
    const nodes: [TestNode, TestNode] = [await this.start(a), await this.start(b)];
    nodes[0].transport.link(nodes[1].address);
    await linked(...nodes);
    return nodes;
  }

  async close(): Promise<void> {
    await Promise.all(this.#nodes.splice(0).map((node) => node.transport.close()));
  }
}

export const linked = (a: TestNode, b: TestNode): Promise<void> =>
  until(`a link between ${a.address} and ${b.address}`, () => a.up.has(b.key) && b.up.has(a.key));
