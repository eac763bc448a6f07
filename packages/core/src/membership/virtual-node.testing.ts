/**
 * One machine of a virtual cluster: obeys its directives by way of the network, keeps what it said
 * for the test to look at, and checks what it tells subscribers.
 */
import { addressOf, type NodeKey } from '@rollcall/convergence';
import type { ClusterEvent } from './cluster-event.js';
import { decode, encode } from './codec.js';
import type { Directive } from './directive.js';
import { EventAudit } from './event-audit.testing.js';
import { type Hello, PROTOCOL } from './hello.js';
import type { Input, TimerKind } from './input.js';
import type { ClusterState, MemberStatus } from './member-view.js';
import { Membership } from './membership.js';
import type { Message } from './message.js';
import type { NodeOptions } from './node.js';
import type { Random } from './random.js';
import { agreedSettings } from './settings.js';

/** What a node needs of whatever carries its messages. */
export interface Network {
  readonly nowMs: number;
  later(afterMs: number, run: () => void): () => void;
  carry(
    from: VirtualNode,
    to: VirtualNode,
    message: Message,
    arrive: () => void,
    isCast?: boolean,
  ): void;
  dial(from: VirtualNode, address: string): void;
  at(address: string): VirtualNode | undefined;
  isCut(from: VirtualNode, to: VirtualNode): boolean;
  askLease(from: VirtualNode, matter: string, owner: NodeKey, answer: Answer): void;
}

type Answer = (holder: NodeKey | undefined) => void;

export const LATENCY_MS = 1;

type Stopped = Extract<Directive, { kind: 'stop' }>;
type Of<T extends ClusterEvent['type']> = ClusterEvent & { readonly type: T };

export class VirtualNode {
  readonly name: string;
  readonly options: NodeOptions;
  readonly machine: Membership;
  readonly #network: Network;
  readonly wanted = new Set<string>();
  readonly links = new Map<NodeKey, VirtualNode>();
  readonly events: ClusterEvent[] = [];
  readonly logs: Extract<Directive, { kind: 'log' }>[] = [];
  readonly answers: Extract<Directive, { kind: 'answer' }>[] = [];
  readonly sent: { readonly to: string; readonly message: Message; readonly bytes: number }[] = [];
  ending: Stopped | undefined;
  /** When it began, and when it was up. */
  readonly startMs: number;
  upMs = Number.POSITIVE_INFINITY;
  uid: NodeKey | undefined;
  readonly #timers = new Map<TimerKind, () => void>();
  #isKilled = false;
  /** What came in since it was paused. */
  #backlog: Input[] | undefined;
  readonly #audit: EventAudit;

  constructor(name: string, options: NodeOptions, network: Network, random: Random) {
    this.name = name;
    this.options = options;
    this.#network = network;
    this.machine = new Membership(options, random);
    this.#audit = new EventAudit(name, this.machine.state);
    this.startMs = network.nowMs;
  }

  get address(): string {
    return this.options.address;
  }

  get key(): NodeKey {
    return this.machine.self;
  }

  get state(): ClusterState {
    return this.machine.state;
  }

  get isRunning(): boolean {
    return this.uid !== undefined && !this.#isKilled && this.ending === undefined;
  }

  get hello(): Hello {
    const { name, settings } = this.options;
    return {
      cluster: name,
      protocol: PROTOCOL,
      self: this.key,
      settings: agreedSettings(settings),
    };
  }

  /** What it shows of another node's present run: its status, or undefined. */
  statusOf(other: VirtualNode): MemberStatus | undefined {
    return this.state.members.find((member) => member.node === other.key)?.status;
  }

  reachabilityOf(other: VirtualNode) {
    return this.state.members.find((member) => member.node === other.key)?.reachability;
  }

  told<T extends ClusterEvent['type']>(type: T): Of<T>[] {
    return this.events.filter((event) => event.type === type) as Of<T>[];
  }

  /** What it has sent, by kind. */
  said<K extends Message['kind']>(kind: K, to?: VirtualNode): Extract<Message, { kind: K }>[] {
    const isWanted = (each: { to: string; message: Message }) =>
      each.message.kind === kind && (to === undefined || each.to === to.name);
    return this.sent.filter(isWanted).map((each) => each.message) as Extract<
      Message,
      { kind: K }
    >[];
  }

  begin(): void {
    this.take({ kind: 'start' });
  }

  leave(subject: VirtualNode = this): void {
    if (subject === this) this.take({ kind: 'leave' });
    else this.take({ kind: 'askToLeave', subject: subject.key, ticket: 0 });
  }

  down(subject: VirtualNode | NodeKey): Extract<Directive, { kind: 'answer' }>['problem'] {
    const key = typeof subject === 'string' ? subject : subject.key;
    this.take({ kind: 'down', subject: key, ticket: this.answers.length });
    return this.answers.at(-1)?.problem;
  }

  /** Gone in a moment, and its sockets with it; with `silently` nobody is told that they are. */
  kill({ silently = false } = {}): void {
    this.#isKilled = true;
    this.#stopTimers();
    for (const other of [...this.links.values()]) this.disconnect(other, { silently });
  }

  /** The process is not run; its sockets stay open and fill up. */
  pause(): void {
    this.#backlog ??= [];
  }

  /** Timers that fell due come first, then what has arrived, as an event loop would have it. */
  resume(): void {
    const backlog = this.#backlog ?? [];
    this.#backlog = undefined;
    const [timers, rest] = [true, false].map((isTimer) =>
      backlog.filter((input) => (input.kind === 'timer') === isTimer),
    );
    for (const input of [...(timers ?? []), ...(rest ?? [])]) this.take(input);
  }

  take(input: Input): void {
    if (this.#isKilled || this.ending !== undefined) return;
    if (this.#backlog !== undefined) {
      this.#backlog.push(input);
      return;
    }
    for (const directive of this.machine.step(input, this.#network.nowMs)) this.#obey(directive);
  }

  // Links.

  isLinkedTo(address: string): boolean {
    return [...this.links.keys()].some((key) => addressOf(key) === address);
  }

  connect(to: VirtualNode, dialled: string): void {
    if (this.links.has(to.key) || to === this) return;
    this.links.set(to.key, to);
    to.links.set(this.key, this);
    this.take({ kind: 'linkUp', peer: to.hello, dialled });
    to.take({ kind: 'linkUp', peer: this.hello, dialled: undefined });
  }

  /** Both ends lose the link, and redial if they want it. */
  disconnect(other: VirtualNode, { silently = false } = {}): void {
    const [mine, theirs] = [this.#nameFor(other), other.#nameFor(this)];
    if (mine === undefined || theirs === undefined) return;
    this.links.delete(mine);
    other.links.delete(theirs);
    this.#lost(mine);
    if (!silently) other.#lost(theirs);
  }

  #nameFor(other: VirtualNode): NodeKey | undefined {
    return [...this.links].find(([, node]) => node === other)?.[0];
  }

  #lost(key: NodeKey): void {
    this.#network.later(LATENCY_MS, () => {
      this.take({ kind: 'linkDown', peer: key });
      if (this.wanted.has(addressOf(key))) this.#network.dial(this, addressOf(key));
    });
  }

  // Directives.

  #obey(directive: Directive): void {
    switch (directive.kind) {
      case 'send':
        return this.#send(directive.to, directive.message);
      case 'cast':
        return this.#cast(directive.to, directive.message);
      case 'link':
        this.wanted.add(directive.address);
        return this.#network.dial(this, directive.address);
      case 'unlink':
        this.wanted.delete(directive.address);
        return;
      case 'drop': {
        const peer = this.links.get(directive.peer);
        // Over a cut the other end does not learn of it, and is told when it is dialled anew.
        if (peer !== undefined)
          this.disconnect(peer, { silently: this.#network.isCut(this, peer) });
        return;
      }
      case 'arm': {
        const { timer, afterMs } = directive;
        this.#timers.get(timer.kind)?.();
        const fire = () => this.take({ kind: 'timer', timer });
        this.#timers.set(timer.kind, this.#network.later(afterMs, fire));
        return;
      }
      case 'identify':
        return this.#identify(directive.self);
      case 'resolve': {
        const seeds = directive.seeds.map((seed) => ({
          seed,
          addresses: [seed],
          problem: undefined,
        }));
        this.#network.later(LATENCY_MS, () => this.take({ kind: 'resolved', seeds }));
        return;
      }
      case 'probe': {
        const { address } = directive;
        const found = () => this.#network.at(address)?.key;
        this.#network.later(2 * LATENCY_MS, () =>
          this.take({ kind: 'probed', address, found: found() }),
        );
        return;
      }
      case 'askLease': {
        const { configuration, owner } = directive;
        return this.#network.askLease(this, configuration, owner, (holder) => {
          const problem = holder === undefined ? 'it cannot be reached' : undefined;
          this.take({ kind: 'leaseAnswered', configuration, answer: holder, problem });
        });
      }
      case 'emit':
        return this.#emit(directive.event);
      case 'publish':
        return this.#audit.published(directive.state);
      case 'log':
        this.logs.push(directive);
        return;
      case 'answer':
        this.answers.push(directive);
        return;
      case 'stop':
        return this.#end(directive);
    }
  }

  /** What was sent before is flushed; sockets close behind it. */
  #end(ending: Stopped): void {
    this.ending = ending;
    this.#stopTimers();
    this.#network.later(2 * LATENCY_MS, () => {
      for (const other of [...this.links.values()]) this.disconnect(other);
    });
  }

  /** Beside the links: to whoever runs there by that name. */
  #cast(to: NodeKey, message: Message): void {
    const peer = this.#network.at(addressOf(to));
    if (peer?.key !== to) return;
    const arrived = this.#noted(peer, message);
    const from = this.key;
    const arrive = () => peer.take({ kind: 'received', from, message: arrived, wasCast: true });
    this.#network.carry(this, peer, message, arrive, true);
  }

  #noted(peer: VirtualNode, message: Message): Message {
    const bytes = encode(message);
    const arrived = decode(bytes);
    if (arrived.kind === 'bad') throw new Error(`${this.name} sent a frame that ${arrived.reason}`);
    this.sent.push({ to: peer.name, message, bytes: bytes.length });
    return arrived;
  }

  #send(to: NodeKey, message: Message): void {
    const peer = this.links.get(to);
    if (peer === undefined) return;
    const arrived = this.#noted(peer, message);
    const from = this.key;
    this.#network.carry(this, peer, message, () => {
      if (peer.links.has(from)) peer.take({ kind: 'received', from, message: arrived });
    });
  }

  #identify(self: NodeKey): void {
    for (const other of [...this.links.values()]) this.disconnect(other);
    this.uid = self;
    for (const address of this.wanted) this.#network.dial(this, address);
  }

  #stopTimers(): void {
    for (const cancel of this.#timers.values()) cancel();
  }

  #emit(event: ClusterEvent): void {
    this.events.push(event);
    if (event.type === 'selfUp') this.upMs = this.#network.nowMs;
    this.#audit.told(event);
  }
}
