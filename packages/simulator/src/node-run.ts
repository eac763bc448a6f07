/**
 * One process of a simulation, from its start to its end: the production driver over simulated
 * ports. A restart is another run under the same name.
 */
import type {
  Cluster,
  ClusterEvent,
  ClusterState,
  Ending,
  Logger,
  MemoryLease,
  NodeKey,
  Resolver,
  startCluster,
} from '@rollcall/core';
import type { Checker } from './checker.js';
import type { Counters } from './counters.js';
import type { RunOptions } from './node-options.js';
import { Outcome } from './outcome.js';
import type { Scheduler } from './scheduler.js';
import { SeededRandom } from './seeded-random.js';
import { SimulatedClock } from './simulated-clock.js';
import { simulatedLease } from './simulated-lease.js';
import type { SimulatedNetwork } from './simulated-network.js';
import { SimulatedTransport } from './simulated-transport.js';
import type { Trace } from './trace.js';

/** `failed`: it never came up; `ended`: it stopped by itself or left. */
export type Phase = 'starting' | 'running' | 'failed' | 'crashed' | 'ended';

/** Starts a node over given ports: core's `startCluster`, or a toy in its place. */
export type StartCluster = typeof startCluster;

/** What every run of a simulation shares. */
export interface RunWorld {
  readonly seed: number;
  readonly scheduler: Scheduler;
  readonly network: SimulatedNetwork;
  readonly trace: Trace;
  readonly checker: Checker | undefined;
  readonly startCluster: StartCluster;
  readonly resolver: Resolver;
  readonly lease: MemoryLease;
  /** Something that a predicate may look at is different now. */
  readonly changed: () => void;
}

export class NodeRun {
  readonly name: string;
  /** 0 for the first run under this name. */
  readonly incarnation: number;
  readonly counters: Counters;
  readonly clock: SimulatedClock;
  readonly options: RunOptions;
  readonly #world: RunWorld;
  readonly #transport: SimulatedTransport;
  #phase: Phase = 'starting';
  #cluster: Cluster | undefined;
  #failure: Error | undefined;
  #ending: Ending | undefined;

  constructor(
    name: string,
    incarnation: number,
    options: RunOptions,
    counters: Counters,
    world: RunWorld,
  ) {
    this.name = name;
    this.incarnation = incarnation;
    this.options = options;
    this.counters = counters;
    this.#world = world;
    this.clock = new SimulatedClock(world.scheduler, () => world.scheduler.settleSoon());
    this.#transport = new SimulatedTransport({
      host: name,
      address: options.address,
      network: world.network,
      clock: this.clock,
      random: new SeededRandom(world.seed, name, incarnation, 'transport'),
      limits: options.settings.limits,
      counters,
      trace: world.trace,
      settleSoon: () => world.scheduler.settleSoon(),
      alterHello: options.alterHello,
    });
  }

  get phase(): Phase {
    return this.#phase;
  }

  get isRunning(): boolean {
    return this.#phase === 'running';
  }

  /** The production node. Throws before it has come up. */
  get cluster(): Cluster {
    if (this.#cluster === undefined) throw new Error(`${this.name} is not up yet: run first`);
    return this.#cluster;
  }

  /** What it sees; undefined before it has come up. */
  get state(): ClusterState | undefined {
    return this.#cluster?.state;
  }

  /** Its unique address. */
  get key(): NodeKey | undefined {
    return this.#cluster?.self.node;
  }

  /** Why it never came up. */
  get failure(): Error | undefined {
    return this.#failure;
  }

  /** How its run ended, when it ended by itself. */
  get ending(): Ending | undefined {
    return this.#ending;
  }

  start(): void {
    const { name, incarnation, options } = this;
    const { seed, startCluster, resolver, lease, scheduler } = this.#world;
    scheduler.settleSoon();
    const { cluster, advertise, seeds, roles, appVersion, settings } = options;
    const asked = { name: cluster, seeds, roles, appVersion, settings };
    const ports = {
      transport: this.#transport,
      clock: this.clock,
      random: new SeededRandom(seed, name, incarnation),
      resolver,
      logger: this.#logger(),
      lease: simulatedLease(lease, this.clock, () => scheduler.settleSoon()),
    };
    startCluster(advertise === undefined ? asked : { ...asked, advertise }, ports).then(
      (started) => this.#cameUp(started),
      (error: unknown) => this.#failed(error),
    );
  }

  /** SIGKILL: no code of it runs any more. */
  crash(): void {
    this.#over('crashed');
  }

  /** Leaves, or asks another member to. */
  leave(target?: NodeKey | string): Outcome {
    return this.#ask(this.cluster.leave(target === undefined ? {} : { node: target }));
  }

  down(target: NodeKey | string): Outcome {
    return this.#ask(this.cluster.down(target));
  }

  stop(): Outcome {
    return this.#ask(this.cluster.stop());
  }

  #ask(asked: Promise<unknown>): Outcome {
    this.#world.scheduler.settleSoon();
    return new Outcome(asked, this.#world.changed);
  }

  #cameUp(cluster: Cluster): void {
    if (this.#phase !== 'starting') return;
    const { checker, changed, scheduler, trace } = this.#world;
    this.#cluster = cluster;
    this.#phase = 'running';
    trace.add(this.name, 'is', cluster.self.node);
    changed();
    cluster.state$.subscribe((state) => {
      if (!this.isRunning) return;
      changed();
      checker?.state(this, state);
    });
    cluster.events$.subscribe({
      next: (event) => {
        if (!this.isRunning) return;
        trace.add(this.name, event.type, tell(event));
        checker?.event(this, event);
      },
      complete: () => scheduler.settleSoon(),
    });
    cluster.ended.then((ending) => this.#ended(ending));
  }

  #failed(error: unknown): void {
    if (this.#phase !== 'starting') return;
    this.#failure = error instanceof Error ? error : new Error(String(error));
    this.#world.trace.add(this.name, 'failed', this.#failure.message);
    this.#over('failed');
  }

  #ended(ending: Ending): void {
    if (!this.isRunning) return;
    this.#ending = ending;
    this.#world.trace.add(this.name, 'ended', `${ending.reason}: ${ending.message}`);
    this.#over('ended');
    this.#world.checker?.ended(this, ending);
  }

  #over(phase: Phase): void {
    this.#phase = phase;
    this.clock.stop();
    this.#transport.abort();
    this.#world.changed();
  }

  #logger(): Logger {
    const log = (level: 'info' | 'warn' | 'error') => (facts: object, message: string) => {
      const stack = 'err' in facts && facts.err instanceof Error ? `: ${facts.err.stack}` : '';
      this.#world.trace.add(this.name, level, message + stack);
    };
    return { debug() {}, info: log('info'), warn: log('warn'), error: log('error') };
  }
}

/** An event in a few words, for the trace. */
function tell(event: ClusterEvent): string {
  if ('member' in event) return `${event.member.node} (${event.why})`;
  if (event.type === 'selfRemoved') return `${event.reason}: ${event.why}`;
  if (event.type === 'joinRefused') return event.refusal.message;
  if (event.type === 'joinStalled') return event.tried.join('; ');
  if (event.type === 'localPauseDetected') return `${event.pauseMs.toFixed(0)} ms`;
  if (event.type === 'downingDecided') return `${event.go.join(', ')} (${event.why})`;
  if (event.type === 'islandDetected') return `via ${event.via}`;
  return `epoch ${event.state.epoch}`;
}
