/**
 * What a user holds, over a driver: its streams, today's values, and the commands as promises. Nothing
 * is decided here.
 */
import { addressOf, type NodeKey, uidOf } from '@rollcall/convergence';
import {
  distinctUntilChanged,
  endWith,
  filter,
  ignoreElements,
  map,
  merge,
  Observable,
  skip,
  takeUntil,
} from 'rxjs';
import { abortable } from './abortable.js';
import type { Cluster, ClusterHealth, Ending, Self } from './cluster.js';
import { healthOf } from './cluster-health.js';
import {
  checkAsk,
  checkAvoid,
  checkHandler,
  checkLeave,
  checkNode,
  checkPhi,
  checkStream,
  checkUp,
} from './command-arguments.js';
import type { Driver } from './driver.js';
import { ClusterError } from './errors.js';
import { Guard } from './guarded.js';
import type { Asked, IncomingMessage } from './incoming-message.js';
import type { ClusterEvent } from './membership/cluster-event.js';
import type { ClusterState, Member, MemberView } from './membership/member-view.js';
import type { AskOptions } from './pending-asks.js';
import {
  avoided,
  findMember,
  memberStream,
  memberStreams,
  sameKeys,
  ticks,
  type View,
} from './streams.js';

export class RunningCluster implements Cluster {
  readonly name: string;
  readonly settings: Cluster['settings'];
  readonly clock: Cluster['clock'];
  readonly random: Cluster['random'];
  readonly state$: Observable<ClusterState>;
  readonly events$: Observable<ClusterEvent>;
  readonly members$: Cluster['members$'];
  readonly blockers$: Cluster['blockers$'];
  readonly messages$: Observable<IncomingMessage>;
  readonly health: ClusterHealth;
  readonly ended: Promise<Ending>;
  readonly #driver: Driver;
  readonly #guard: Guard;

  constructor(driver: Driver) {
    this.#driver = driver;
    this.name = driver.options.name;
    this.settings = driver.options.settings;
    this.clock = driver.clock;
    this.random = driver.random;
    const { clock, logger } = driver;
    const guard = new Guard({ clock, logger, slowMs: this.settings.pause.after });
    this.#guard = guard;
    this.state$ = guard.over('state$', driver.states);
    this.events$ = guard.over('events$', driver.events);
    const members$ = memberStreams(this.#shown$(), this.#view, (one) =>
      guard.over('members$', one),
    );
    this.members$ = guard.over('members$', members$);
    this.health = healthOf(driver, guard);
    this.blockers$ = guard.over('blockers$', this.#blockers());
    this.messages$ = guard.over('messages$', driver.messenger.messages);
    this.ended = driver.ended;
  }

  guarded<T>(name: string, stream: Observable<T>): Observable<T> {
    checkStream(name, stream);
    return this.#guard.over(name, stream);
  }

  get state(): ClusterState {
    return this.#driver.states.value;
  }

  get self(): Self {
    const node = this.#driver.machine.self;
    const member = this.state.members.find((each) => each.node === node);
    const { roles, appVersion } = this.#driver.options;
    const status = this.#driver.isRunning ? (member?.status ?? 'joining') : 'removed';
    return { node, address: addressOf(node), uid: uidOf(node), roles, appVersion, status };
  }

  get blockers() {
    return this.#driver.isRunning ? this.#driver.machine.blockers : [];
  }

  get links() {
    return this.#driver.isRunning ? this.#driver.machine.links(this.#driver.clock.nowMs()) : [];
  }

  get gaps() {
    return this.#driver.isRunning ? this.#driver.machine.gaps : [];
  }

  member$(node: NodeKey | string): Observable<MemberView> {
    checkNode(node);
    return this.#guard.over('member$', memberStream(this.#shown$(), node, this.#view));
  }

  phi$(node: NodeKey | string): Observable<number> {
    checkNode(node);
    const { clock } = this.#driver;
    const phi$ = new Observable<number>((subscriber) => {
      const key = findMember(this.state, node)?.node;
      if (key === undefined) return subscriber.complete();
      const gone$ = this.member$(key).pipe(ignoreElements(), endWith(undefined));
      return ticks(clock, this.settings.heartbeat.interval / 4)
        .pipe(
          takeUntil(gone$),
          map(() => this.#driver.machine.suspicion(key, clock.nowMs())),
          filter((phi) => phi !== undefined),
        )
        .subscribe(subscriber);
    });
    return this.#guard.over('phi$', phi$);
  }

  phi(node: NodeKey | string, options: { readonly pauseMs?: number } = {}): number | undefined {
    checkNode(node);
    checkPhi(options, this.settings.detector.acceptablePause);
    const key = node.includes('#') ? node : findMember(this.state, node)?.node;
    return key === undefined ? undefined : this.#suspicion(key, options.pauseMs);
  }

  /** With less patience a silence counts as if it had lasted so much longer. */
  #suspicion(node: NodeKey, pauseMs: number | undefined): number | undefined {
    if (!this.#driver.isRunning) return undefined;
    const { clock, machine } = this.#driver;
    const { kind, acceptablePause } = this.settings.detector;
    const knowsPause = kind !== 'phi-exponential';
    const aheadMs = knowsPause && pauseMs !== undefined ? acceptablePause - pauseMs : 0;
    return machine.suspicion(node, clock.nowMs() + aheadMs);
  }

  avoid$(options: Parameters<Cluster['avoid$']>[0]): Observable<ReadonlySet<NodeKey>> {
    checkAvoid(options, this.settings.detector.acceptablePause);
    const { phi, pauseMs } = options;
    const { clock, machine } = this.#driver;
    const isSuspect = (node: NodeKey) => (this.#suspicion(node, pauseMs) ?? 0) >= phi;
    const ticks$ = ticks(clock, this.settings.heartbeat.interval / 4);
    const avoid$ = merge(this.state$, ticks$).pipe(
      takeUntil(this.#done()),
      map(() => {
        const observed = this.#driver.isRunning ? machine.observed : [];
        return avoided(this.state, observed, isSuspect);
      }),
      distinctUntilChanged(sameKeys),
    );
    return this.#guard.over('avoid$', avoid$);
  }

  /** Emits when the node stops, after the last state. */
  #done(): Observable<unknown> {
    return this.state$.pipe(ignoreElements(), endWith(undefined));
  }

  #blockers(): Cluster['blockers$'] {
    const text = (each: unknown) => JSON.stringify(each);
    return merge(this.state$, ticks(this.#driver.clock, this.settings.heartbeat.interval)).pipe(
      takeUntil(this.#done()),
      map(() => this.blockers),
      distinctUntilChanged((a, b) => text(a) === text(b)),
    );
  }

  /** Today's state at once, and again whenever anything changes in what is shown of a member. */
  #shown$(): Observable<ClusterState> {
    const { states, degraded } = this.#driver;
    const changed$ = degraded.pipe(
      skip(1),
      map(() => states.value),
    );
    return merge(states, changed$);
  }

  readonly #view: View = {
    of: (member) => {
      const { clock, machine } = this.#driver;
      const phi = machine.suspicion(member.node, clock.nowMs());
      return Object.freeze({ ...member, phi, degraded: this.#view.mark(member) });
    },
    mark: ({ node }) => this.#driver.degraded.value.has(node),
  };

  async up(options: NonNullable<Parameters<Cluster['up']>[0]> = {}): Promise<void> {
    checkUp(options);
    const { signal } = options;
    const { status } = this.self;
    if (this.#driver.isRunning && status !== 'joining' && status !== 'weaklyUp') return;
    await abortable(signal, (resolve, reject) => {
      const subscription = this.events$.subscribe((event) => {
        if (event.type === 'selfUp') resolve();
      });
      this.ended.then((ending) => reject(joinError(ending)), reject);
      return () => subscription.unsubscribe();
    });
  }

  async leave(options: NonNullable<Parameters<Cluster['leave']>[0]> = {}): Promise<void> {
    checkLeave(options);
    const { node, signal } = options;
    const subject = node === undefined ? undefined : this.#known(node).node;
    if (subject !== undefined && subject !== this.#driver.machine.self) {
      return this.#ask('askToLeave', subject);
    }
    this.#driver.step({ kind: 'leave' });
    await abortable(signal, (resolve) => {
      this.ended.then(() => resolve());
      return undefined;
    });
  }

  async tell(node: NodeKey | string, body: unknown): Promise<void> {
    checkNode(node);
    await this.#driver.messenger.tell(this.#known(node).node, body);
  }

  async ask(node: NodeKey | string, body: unknown, options: AskOptions = {}): Promise<unknown> {
    checkNode(node);
    checkAsk(options);
    return this.#driver.messenger.ask(this.#known(node).node, body, options);
  }

  answer(handler: (asked: Asked) => unknown): () => void {
    checkHandler(handler);
    const subscription = this.messages$.subscribe((message) => {
      if (message.kind === 'ask') answerBy(handler, message).catch(() => {});
    });
    return () => subscription.unsubscribe();
  }

  async down(node: NodeKey | string): Promise<void> {
    checkNode(node);
    await this.#ask('down', this.#known(node).node);
  }

  async #ask(kind: 'down' | 'askToLeave', subject: NodeKey): Promise<void> {
    const problem = await this.#driver.ask(kind, subject);
    if (problem !== undefined) {
      throw new ClusterError(problem.code, problem.message, problem.data);
    }
  }

  #known(node: NodeKey | string): Member {
    if (!this.#driver.isRunning) throw new ClusterError('stopped', 'this node has stopped');
    const member = findMember(this.state, node);
    if (member !== undefined) return member;
    throw new ClusterError('unknownMember', `no member ${node} is known here`, { node });
  }

  async stop(): Promise<void> {
    this.#driver.finish('stopped', 'stopped by its program, telling nobody');
    await this.ended;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.leave();
  }
}

/** Rejects when the answer could not be sent: the other side is gone, and hears of that by itself. */
async function answerBy(handler: (asked: Asked) => unknown, asked: Asked): Promise<void> {
  let reply: unknown;
  try {
    reply = await handler(asked);
  } catch (error) {
    return asked.fail(error);
  }
  try {
    await asked.reply(reply);
  } catch (error) {
    // What cannot be sent is the handler's fault, and whoever asked should not wait for it.
    await asked.fail(error);
  }
}

/** Why `up()` will never come true. */
function joinError({ reason, message }: Ending): ClusterError {
  const codes = { refused: 'joinRefused', gaveUp: 'joinTimedOut' } as const;
  const code = reason === 'refused' || reason === 'gaveUp' ? codes[reason] : 'stopped';
  return new ClusterError(code, message, { reason });
}
