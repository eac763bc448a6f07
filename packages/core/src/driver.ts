/**
 * Runs one node: inputs go into the machine one at a time, its directives are obeyed in one place, and
 * what it publishes becomes streams. The driver has no opinions about membership.
 */
import { addressOf, type NodeKey, uidOf } from '@rollcall/convergence';
import {
  BehaviorSubject,
  distinctUntilChanged,
  endWith,
  filter,
  ignoreElements,
  map,
  merge,
  Observable,
  Subject,
  takeUntil,
} from 'rxjs';
import type { Cluster, Ending, Self } from './cluster.js';
import { ClusterError } from './errors.js';
import type { ClusterEvent, StopReason } from './membership/cluster-event.js';
import { decode, encode } from './membership/codec.js';
import type { CommandProblem, Directive } from './membership/directive.js';
import { type Hello, PROTOCOL } from './membership/hello.js';
import type { Input, ResolvedSeed } from './membership/input.js';
import type { ClusterState, Member, MemberView } from './membership/member-view.js';
import { Membership } from './membership/membership.js';
import type { NodeOptions } from './membership/node.js';
import { agreedSettings } from './membership/settings.js';
import type { Ports } from './ports.js';
import { findMember, memberStream, memberStreams, ticks } from './streams.js';
import { Timers } from './timers.js';

/** A node's options; `advertise` defaults to the address that was bound. */
export type StartOptions = Omit<NodeOptions, 'address'> & {
  readonly advertise?: string | undefined;
};

/**
 * Listens, begins to join, and returns at once; `up()` waits. Rejects with ClusterError `cannotListen`
 * when the socket cannot be bound; nothing is left running then.
 */
export async function startCluster(options: StartOptions, ports: Ports): Promise<Cluster> {
  let driver: Driver | undefined;
  const take = (input: Input) => driver?.step(input);
  const bound = await ports.transport.listen({
    linkUp: (peer, dialled) => take({ kind: 'linkUp', peer, dialled }),
    linkDown: (peer) => take({ kind: 'linkDown', peer }),
    frame: (from, bytes) => driver?.onFrame(from, bytes),
    dialFailed: (address, { message, refusal }) =>
      take({ kind: 'dialFailed', address, reason: message, refusal }),
    message: (from, value) => driver?.onUserMessage(from, value),
  });
  driver = new Driver({ ...options, address: options.advertise ?? bound }, ports);
  driver.step({ kind: 'start' });
  return driver;
}

class Driver implements Cluster {
  readonly name: string;
  readonly settings: NodeOptions['settings'];
  readonly state$: Observable<ClusterState>;
  readonly events$: Observable<ClusterEvent>;
  readonly members$: Cluster['members$'];
  readonly blockers$: Cluster['blockers$'];
  readonly ended: Promise<Ending>;

  readonly #options: NodeOptions;
  readonly #ports: Ports;
  readonly #timers: Timers;
  readonly #machine: Membership;
  readonly #states: BehaviorSubject<ClusterState>;
  readonly #events = new Subject<ClusterEvent>();
  /** Inputs that came while one was being worked on, from subscribers: at most what they ask for. */
  readonly #queue: Input[] = [];
  readonly #answers = new Map<number, (problem: CommandProblem | undefined) => void>();
  readonly #end: (ending: Ending) => void;
  #isStepping = false;
  #ending: Ending | undefined;
  #ticket = 0;
  #badFrames = 0;

  constructor(options: NodeOptions, ports: Ports) {
    this.#options = options;
    this.#ports = ports;
    this.name = options.name;
    this.settings = options.settings;
    this.#machine = new Membership(options, ports.random);
    this.#timers = new Timers(ports.clock, (timer) => this.step({ kind: 'timer', timer }));
    this.#states = new BehaviorSubject(this.#machine.state);
    this.state$ = this.#states.asObservable();
    this.events$ = this.#events.asObservable();
    this.members$ = memberStreams(this.state$, this.#view);
    this.blockers$ = this.#blockers();
    let end: (ending: Ending) => void = () => {};
    this.ended = new Promise((resolve) => {
      end = resolve;
    });
    this.#end = end;
  }

  // What subscribers and callers see.

  get state(): ClusterState {
    return this.#states.value;
  }

  get self(): Self {
    const node = this.#machine.self;
    const member = this.state.members.find((each) => each.node === node);
    const { roles, appVersion } = this.#options;
    const status = this.#ending === undefined ? (member?.status ?? 'joining') : 'removed';
    return { node, address: addressOf(node), uid: uidOf(node), roles, appVersion, status };
  }

  get blockers() {
    return this.#ending === undefined ? this.#machine.blockers : [];
  }

  get links() {
    return this.#ending === undefined ? this.#machine.links(this.#ports.clock.nowMs()) : [];
  }

  member$(node: NodeKey | string): Observable<MemberView> {
    return memberStream(this.state$, node, this.#view);
  }

  phi$(node: NodeKey | string): Observable<number> {
    const { clock } = this.#ports;
    return new Observable((subscriber) => {
      const key = findMember(this.state, node)?.node;
      if (key === undefined) return subscriber.complete();
      const gone$ = this.member$(key).pipe(ignoreElements(), endWith(undefined));
      return ticks(clock, this.settings.heartbeat.interval / 4)
        .pipe(
          takeUntil(gone$),
          map(() => this.#machine.suspicion(key, clock.nowMs())),
          filter((phi) => phi !== undefined),
        )
        .subscribe(subscriber);
    });
  }

  #blockers(): Cluster['blockers$'] {
    const done$ = this.state$.pipe(ignoreElements(), endWith(undefined));
    const text = (each: unknown) => JSON.stringify(each);
    return merge(this.state$, ticks(this.#ports.clock, this.settings.heartbeat.interval)).pipe(
      takeUntil(done$),
      map(() => this.blockers),
      distinctUntilChanged((a, b) => text(a) === text(b)),
    );
  }

  readonly #view = (member: Member): MemberView =>
    Object.freeze({
      ...member,
      phi: this.#machine.suspicion(member.node, this.#ports.clock.nowMs()),
    });

  // What callers ask for.

  async up({ signal }: { readonly signal?: AbortSignal } = {}): Promise<void> {
    if (
      this.self.status !== 'joining' &&
      this.self.status !== 'weaklyUp' &&
      this.#ending === undefined
    )
      return;
    await abortable(signal, (resolve, reject) => {
      const subscription = this.events$.subscribe((event) => {
        if (event.type === 'selfUp') resolve();
      });
      this.ended.then((ending) => reject(joinError(ending)), reject);
      return () => subscription.unsubscribe();
    });
  }

  async leave({
    node,
    signal,
  }: {
    readonly node?: NodeKey | string;
    readonly signal?: AbortSignal;
  } = {}): Promise<void> {
    const self = this.#machine.self;
    const subject = node === undefined ? self : this.#known(node).node;
    this.step({ kind: 'leave', subject });
    if (subject !== self) return;
    await abortable(signal, (resolve) => {
      this.ended.then(() => resolve());
    });
  }

  async down(node: NodeKey | string): Promise<void> {
    const subject = this.#known(node).node;
    const ticket = ++this.#ticket;
    const problem = await new Promise<CommandProblem | undefined>((resolve) => {
      this.#answers.set(ticket, resolve);
      this.step({ kind: 'down', subject, ticket });
    });
    if (problem !== undefined) throw new ClusterError(problem.code, problem.message, problem.data);
  }

  #known(node: NodeKey | string): Member {
    if (this.#ending !== undefined)
      throw new ClusterError('stopped', `this node has stopped: ${this.#ending.message}`);
    const member = findMember(this.state, node);
    if (member === undefined)
      throw new ClusterError('unknownMember', `no member ${node} is known here`, { node });
    return member;
  }

  async stop(): Promise<void> {
    this.#finish('stopped', 'stopped by its program, telling nobody');
    await this.ended;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.leave();
  }

  // What comes in.

  onFrame(from: NodeKey, bytes: Uint8Array): void {
    const message = decode(bytes);
    if (message.kind !== 'bad') return this.step({ kind: 'received', from, message });
    const count = ++this.#badFrames;
    if (Number.isInteger(Math.log10(count))) {
      this.#ports.logger.warn(
        { node: from, count },
        `dropped the link to ${addressOf(from)}: a frame ${message.reason}`,
      );
    }
    this.#ports.transport.drop(from, `a frame ${message.reason}`);
  }

  onUserMessage(from: NodeKey, _value: unknown): void {
    this.#ports.logger.debug({ node: from }, 'a user message arrived and nobody listens');
  }

  /** Inputs are taken one at a time: what a subscriber asks for meanwhile waits its turn. */
  step(input: Input): void {
    if (this.#ending !== undefined) return this.#refuseLate(input);
    this.#queue.push(input);
    if (this.#isStepping) return;
    this.#isStepping = true;
    try {
      for (let next = this.#queue.shift(); next !== undefined; next = this.#queue.shift()) {
        for (const directive of this.#machine.step(next, this.#ports.clock.nowMs()))
          this.#obey(directive);
      }
    } catch (error) {
      this.#ports.logger.error({ err: error }, 'met a bug of its own and stops');
      this.#finish(
        'failed',
        `stopped by a bug: ${error instanceof Error ? error.message : String(error)}`,
      );
    } finally {
      this.#isStepping = false;
    }
  }

  #refuseLate(input: Input): void {
    if (input.kind !== 'down') return;
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
      case 'link':
        return transport.link(directive.address);
      case 'unlink':
        return transport.unlink(directive.address);
      case 'arm':
        return this.#timers.arm(directive.timer, directive.afterMs);
      case 'identify':
        return transport.identify(this.#hello(directive.self));
      case 'resolve':
        return void this.#resolve(directive.seeds);
      case 'probe':
        return void this.#probe(directive.address);
      case 'emit':
        return this.#events.next(directive.event);
      case 'publish':
        return this.#states.next(directive.state);
      case 'log':
        return this.#ports.logger[directive.level](directive.facts, directive.message);
      case 'answer':
        this.#answers.get(directive.ticket)?.(directive.problem);
        this.#answers.delete(directive.ticket);
        return;
      case 'stop':
        return this.#finish(directive.reason, directive.message);
      default:
        directive satisfies never;
    }
  }

  #hello(self: NodeKey): Hello {
    return {
      cluster: this.name,
      protocol: PROTOCOL,
      self,
      settings: agreedSettings(this.settings),
    };
  }

  async #resolve(seeds: readonly string[]): Promise<void> {
    const { resolver } = this.#ports;
    const one = (seed: string): Promise<ResolvedSeed> =>
      resolver.resolve(seed).then(
        (addresses) => ({ seed, addresses, problem: undefined }),
        (error) => ({
          seed,
          addresses: [],
          problem: error instanceof Error ? error.message : String(error),
        }),
      );
    this.step({ kind: 'resolved', seeds: await Promise.all(seeds.map(one)) });
  }

  async #probe(address: string): Promise<void> {
    const hello = await this.#ports.transport
      .probe(address, this.settings.limits.handshake)
      .catch(() => undefined);
    this.step({ kind: 'probed', address, found: hello?.self });
  }

  #finish(reason: StopReason, message: string): void {
    if (this.#ending !== undefined) return;
    const ending = Object.freeze({ reason, message });
    this.#ending = ending;
    this.#timers.cancelAll();
    this.#queue.length = 0;
    this.#events.next({ type: 'selfRemoved', reason, why: message, state: this.state });
    this.#events.complete();
    this.#states.complete();
    for (const answer of this.#answers.values())
      answer({ code: 'notMember', message: `this node has stopped: ${message}`, data: {} });
    this.#answers.clear();
    const close = this.#ports.transport.close();
    close
      .catch((error) => this.#ports.logger.warn({ err: error }, 'closing the transport failed'))
      .then(() => this.#end(ending));
  }
}

/** Why `up()` will never come true. */
function joinError({ reason, message }: Ending): ClusterError {
  const code =
    reason === 'refused' ? 'joinRefused' : reason === 'gaveUp' ? 'joinTimedOut' : 'stopped';
  return new ClusterError(code, message, { reason });
}

/** A wait that the caller may give up. `wait` returns what undoes it. */
async function abortable(
  signal: AbortSignal | undefined,
  wait: (resolve: () => void, reject: (error: unknown) => void) => (() => void) | void,
): Promise<void> {
  const undo: (() => void)[] = [];
  try {
    await new Promise<void>((resolve, reject) => {
      const onAbort = () =>
        reject(new ClusterError('aborted', 'the wait was given up', {}, signal?.reason));
      if (signal?.aborted) return onAbort();
      signal?.addEventListener('abort', onAbort, { once: true });
      undo.push(
        () => signal?.removeEventListener('abort', onAbort),
        wait(resolve, reject) ?? (() => {}),
      );
    });
  } finally {
    for (const each of undo) each();
  }
}
