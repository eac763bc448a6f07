/**
 * Runs one node: inputs go into the machine one at a time, its directives are obeyed in one place, and
 * what it publishes becomes streams. The driver has no opinions about membership.
 */
import { addressOf, type Digest, type NodeKey } from '@rollcall/convergence';
import { BehaviorSubject, Subject } from 'rxjs';
import type { Clock } from './clock.js';
import type { Ending } from './cluster.js';
import type { Logger } from './logger.js';
import type { ClusterEvent, StopReason } from './membership/cluster-event.js';
import { decode, encode } from './membership/codec.js';
import type { CommandProblem } from './membership/command-problem.js';
import type { Directive } from './membership/directive.js';
import { type Hello, PROTOCOL } from './membership/hello.js';
import type { Input, ResolvedSeed } from './membership/input.js';
import type { ClusterState } from './membership/member-view.js';
import { Membership } from './membership/membership.js';
import type { NodeOptions } from './membership/node.js';
import type { Random } from './membership/random.js';
import { eventsBetween } from './membership/replay.js';
import { agreedSettings } from './membership/settings.js';
import { Messenger } from './messenger.js';
import type { Ports } from './ports.js';
import { reasonOf } from './reason-of.js';
import { Timers } from './timers.js';

type Answer = (problem: CommandProblem | undefined) => void;

export class Driver {
  readonly options: NodeOptions;
  readonly machine: Membership;
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
  readonly states: BehaviorSubject<ClusterState>;
  readonly events = new Subject<ClusterEvent>();
  readonly degraded = new BehaviorSubject<ReadonlySet<NodeKey>>(new Set());
  readonly messenger: Messenger;
  /** Settles when the run is over and the transport is closed. */
  readonly ended: Promise<Ending>;

  readonly #ports: Ports;
  readonly #timers: Timers;
  /** Inputs that came while one was being worked on, from subscribers: at most what they ask for. */
  readonly #queue: Input[] = [];
  readonly #answers = new Map<number, Answer>();
  #settle: (ending: Ending) => void = () => {};
  #isStepping = false;
  #ending: Ending | undefined;
  #ticket = 0;
  /** Frames of no use, by why: many of one kind must not hide the first of the other. */
  readonly #unusable = { bad: 0, large: 0 };

  constructor(options: NodeOptions, ports: Ports) {
    this.options = options;
    this.#ports = ports;
    this.clock = ports.clock;
    this.random = ports.random;
    this.logger = ports.logger;
    this.machine = new Membership(options, ports.random);
    this.states = new BehaviorSubject(this.machine.state);
    this.messenger = this.#makeMessenger();
    this.#timers = new Timers(ports.clock, (timer) => this.step({ kind: 'timer', timer }));
    this.ended = new Promise((resolve) => {
      this.#settle = resolve;
    });
  }

  #makeMessenger(): Messenger {
    const self = (): NodeKey => this.machine.self;
    const isMember = (node: NodeKey): boolean =>
      this.states.value.members.some((each) => each.node === node && each.status !== 'down');
    const node = {
      get self() {
        return self();
      },
      isMember,
      correspond: (to: NodeKey) => this.step({ kind: 'write', to }),
    };
    return new Messenger(node, this.#ports, this.options.settings);
  }

  get isRunning(): boolean {
    return this.#ending === undefined;
  }

  /** Asks the machine for something about another member; the outcome comes as a directive. */
  ask(kind: 'down' | 'askToLeave', subject: NodeKey): Promise<CommandProblem | undefined> {
    const ticket = ++this.#ticket;
    return new Promise((resolve) => {
      this.#answers.set(ticket, resolve);
      this.step({ kind, subject, ticket });
    });
  }

  onFrame(from: NodeKey, bytes: Uint8Array, wasCast?: boolean): void {
    const most = this.machine.frameBytesFrom(from);
    if (bytes.length > most) {
      const what = `ignored a frame of ${bytes.length} bytes from ${addressOf(from)}`;
      return this.#complain(
        'large',
        from,
        `${what}, which is no member here: the limit for it is ${most}`,
      );
    }
    const message = decode(bytes);
    if (message.kind !== 'bad') return this.step({ kind: 'received', from, message, wasCast });
    this.#complain(
      'bad',
      from,
      `dropped the link to ${addressOf(from)}: a frame ${message.reason}`,
    );
    this.#ports.transport.drop(from, `a frame ${message.reason}`);
  }

  /** The first is told, the tenth, the hundredth: nobody can fill a log with them. */
  #complain(why: 'bad' | 'large', from: NodeKey, message: string): void {
    const count = ++this.#unusable[why];
    if (Number.isInteger(Math.log10(count)))
      this.#ports.logger.warn({ node: from, count }, message);
  }

  /** Inputs are taken one at a time: what a subscriber asks for meanwhile waits its turn. */
  step(input: Input): void {
    if (this.#ending !== undefined) return this.#refuseLate(input);
    this.#queue.push(input);
    if (this.#isStepping) return;
    this.#isStepping = true;
    try {
      for (let next = this.#queue.shift(); next !== undefined; next = this.#queue.shift()) {
        for (const directive of this.machine.step(next, this.#ports.clock.nowMs()))
          if (this.isRunning) this.#obey(directive);
      }
    } catch (error) {
      this.#ports.logger.error({ err: error }, 'met a bug of its own and stops');
      this.finish('failed', `stopped by a bug: ${reasonOf(error)}`);
    } finally {
      this.#isStepping = false;
    }
  }

  #refuseLate(input: Input): void {
    if (input.kind !== 'down' && input.kind !== 'askToLeave') return;
    this.#answers.get(input.ticket)?.({
      code: 'notMember',
      message: 'this node has stopped',
      data: {},
    });
    this.#answers.delete(input.ticket);
  }

  #obey(directive: Directive): void {
    const { transport } = this.#ports;
    switch (directive.kind) {
      case 'send':
        return transport.send(directive.to, encode(directive.message), directive.slot);
      case 'cast':
        return this.#cast(directive.to, encode(directive.message));
      case 'link':
        return transport.link(directive.address);
      case 'unlink':
        return transport.unlink(directive.address);
      case 'drop':
        return transport.drop(directive.peer, directive.reason);
      case 'arm':
        return this.#timers.arm(directive.timer, directive.afterMs);
      case 'identify':
        return transport.identify(this.#hello(directive.self));
      case 'resolve':
        return void this.#resolve(directive.seeds);
      case 'probe':
        return void this.#probe(directive.address);
      case 'askLease':
        return void this.#askLease(directive.configuration, directive.owner);
      case 'emit':
        this.events.next(directive.event);
        if (directive.event.type === 'memberRemoved')
          this.messenger.gone(directive.event.member.node);
        return;
      case 'publish':
        return this.states.next(directive.state);
      case 'degraded':
        return this.degraded.next(directive.nodes);
      case 'log':
        return this.#ports.logger[directive.level](directive.facts, directive.message);
      case 'answer':
        this.#answers.get(directive.ticket)?.(directive.problem);
        this.#answers.delete(directive.ticket);
        return;
      case 'stop':
        return this.finish(directive.reason, directive.message);
      default:
        directive satisfies never;
    }
  }

  #cast(to: NodeKey, bytes: Uint8Array): void {
    const { transport } = this.#ports;
    if (transport.cast === undefined) transport.send(to, bytes, 'urgent');
    else transport.cast(to, bytes);
  }

  #hello(self: NodeKey): Hello {
    return {
      cluster: this.options.name,
      protocol: PROTOCOL,
      self,
      settings: agreedSettings(this.options.settings),
    };
  }

  async #resolve(seeds: readonly string[]): Promise<void> {
    const one = async (seed: string): Promise<ResolvedSeed> => {
      try {
        const addresses = await this.#ports.resolver.resolve(seed);
        return { seed, addresses, problem: undefined };
      } catch (error) {
        const problem = reasonOf(error);
        return { seed, addresses: [], problem };
      }
    };
    this.step({ kind: 'resolved', seeds: await Promise.all(seeds.map(one)) });
  }

  async #probe(address: string): Promise<void> {
    const { handshake } = this.options.settings.limits;
    let hello: Hello | undefined;
    try {
      hello = await this.#ports.transport.probe(address, handshake);
    } catch {
      // Nobody there, for all that can be known.
    }
    this.step({ kind: 'probed', address, found: hello?.self });
  }

  async #askLease(configuration: Digest, owner: NodeKey): Promise<void> {
    let answer: unknown;
    let problem: string | undefined;
    try {
      answer = await this.#ports.lease?.acquire(configuration, owner);
    } catch (error) {
      problem = reasonOf(error);
    }
    this.step({ kind: 'leaseAnswered', configuration, answer, problem });
  }

  /** Subscribers learn first that this node is out, and then lose every member of its view, each once. */
  #tellEnd(reason: StopReason, why: string): void {
    const before = this.states.value;
    this.events.next({ type: 'selfRemoved', reason, why, state: before });
    const after = { ...before, members: Object.freeze([]), convergence: false };
    for (const event of eventsBetween(before, Object.freeze(after), 'this node is out')) {
      this.events.next(event);
    }
    this.events.complete();
    this.states.next(Object.freeze(after));
    this.states.complete();
    this.degraded.complete();
  }

  finish(reason: StopReason, message: string): void {
    if (this.#ending !== undefined) return;
    const ending = Object.freeze({ reason, message });
    this.#ending = ending;
    this.#timers.cancelAll();
    this.#queue.length = 0;
    try {
      this.#tellEnd(reason, message);
    } finally {
      this.#close(ending);
    }
  }

  #close(ending: Ending): void {
    const { message } = ending;
    for (const answer of this.#answers.values())
      answer({ code: 'notMember', message: `this node has stopped: ${message}`, data: {} });
    this.#answers.clear();
    this.messenger.end(message);
    const close = this.#ports.transport.close();
    close
      .catch((error) => this.#ports.logger.warn({ err: error }, 'closing the transport failed'))
      .then(() => this.#settle(ending));
  }
}
