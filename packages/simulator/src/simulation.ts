/**
 * A cluster in a bottle: production nodes over a simulated network under virtual time. Verbs act at
 * once and settle while time runs (`run`, `runUntil`). Seed and script alone say what happens.
 *
 * Nodes use promises in a few places (starting, resolving, probing, stopping), and what is built on them everywhere. The walk through
 * virtual time is synchronous and stops after what a promise may wait for: what the simulator itself resolved, a timer, a user's message, the
 * end of a node. Then every promise settles, to the last, before time goes on.
 */
import { type GivenSettings, MemoryLease, type NodeKey, startCluster } from '@rollcall/core';
import { Checker, type Violation } from './checker.js';
import { Counters } from './counters.js';
import { addressFor } from './node-name.js';
import { fillIn, type NodeOptions } from './node-options.js';
import { NodeRun, type RunWorld, type StartCluster } from './node-run.js';
import type { Outcome } from './outcome.js';
import { pendingAmong } from './pending.js';
import { cut, type Distribution, isolate, partition, type Rule } from './rule.js';
import { promisesSettled, Scheduler } from './scheduler.js';
import { SeededRandom } from './seeded-random.js';
import { SimulatedClock } from './simulated-clock.js';
import { type NetworkCounters, SimulatedNetwork } from './simulated-network.js';
import { type Hosts, simulatedResolver } from './simulated-resolver.js';
import { SimulationError } from './simulation-error.js';
import { Trace, type TraceOptions } from './trace.js';
import { splitFault, type TraceWord } from './trace-words.js';
import { describe } from './view.js';

export interface SimulationOptions {
  readonly seed: number;
  /** For every node, unless it is started with others. */
  readonly settings?: GivenSettings;
  /** One way, from any node to any other; 1 unless given. */
  readonly latencyMs?: Distribution;
  /** Names or addresses for every node's seed list; the first node started unless given. */
  readonly seeds?: readonly string[];
  /** What seed hosts stand for: names of nodes, or none for a host that cannot be resolved. */
  readonly hosts?: Hosts;
  readonly trace?: Partial<TraceOptions>;
  /** Watch for violations of safety; on unless `false`. */
  readonly check?: boolean;
  /** Another way to make a node, e.g. a toy. */
  readonly startCluster?: StartCluster;
}

/** What no state change announces is asked for again after this. */
const ASK_AGAIN_MS = 10;
/** Nodes are compared this often, when something changed. */
const COMPARE_EVERY_MS = 250;
const TRACE_SHOWN = 40;

export class Simulation {
  readonly seed: number;
  readonly trace: Trace;
  /** The one that all nodes are given; its `conduct` and `delayMs` are the script's. */
  readonly lease: MemoryLease;
  readonly #options: SimulationOptions;
  readonly #scheduler = new Scheduler();
  readonly #network: SimulatedNetwork;
  readonly #checker: Checker | undefined;
  readonly #world: RunWorld;
  readonly #runs = new Map<string, NodeRun>();
  readonly #given = new Map<string, NodeOptions>();
  #changes = 0;
  #comparedAtMs = 0;
  #comparedChanges = 0;
  #violation: Violation | undefined;
  #isWalking = false;

  constructor(options: SimulationOptions) {
    this.seed = options.seed;
    this.#options = options;
    const trace: TraceOptions = { detail: 'events', keep: 20_000, ...options.trace };
    this.trace = new Trace(trace, () => this.#scheduler.nowMs);
    const luck = new SeededRandom(options.seed, 'network');
    this.#network = new SimulatedNetwork(this.#scheduler, luck, this.trace, options.latencyMs ?? 1);
    this.lease = new MemoryLease(new SimulatedClock(this.#scheduler));
    this.#checker = options.check === false ? undefined : new Checker((v) => this.#violated(v));
    this.#world = {
      seed: options.seed,
      scheduler: this.#scheduler,
      network: this.#network,
      trace: this.trace,
      checker: this.#checker,
      lease: this.lease,
      startCluster: options.startCluster ?? startCluster,
      resolver: simulatedResolver(options.hosts ?? {}, () => this.#scheduler.settleSoon()),
      changed: () => void this.#changes++,
    };
  }

  /** Virtual milliseconds since the beginning. */
  get nowMs(): number {
    return this.#scheduler.nowMs;
  }

  /** Timers and packets that have happened. */
  get events(): number {
    return this.#scheduler.fired;
  }

  get network(): Readonly<NetworkCounters> {
    return this.#network.counters;
  }

  /** The latest run of every node that was ever started, in order of their first start. */
  get nodes(): readonly NodeRun[] {
    return [...this.#runs.values()];
  }

  /** Those that run now. */
  get running(): readonly NodeRun[] {
    return this.nodes.filter((run) => run.isRunning);
  }

  /** The latest run under this name. */
  node(name: string): NodeRun {
    const run = this.#runs.get(name);
    if (run === undefined) throw new Error(`no node named ${name} was started`);
    return run;
  }

  /** Starts a process. It listens, looks for its seeds and joins while time runs. */
  start(name: string, given: NodeOptions = {}): NodeRun {
    const before = this.#runs.get(name);
    if (before?.isRunning || before?.phase === 'starting') throw new Error(`${name} runs already`);
    this.#given.set(name, given);
    const { seeds = [this.nodes[0]?.name ?? name], settings = {} } = this.#options;
    const options = fillIn(name, given, { seeds, settings });
    const counters = before?.counters ?? new Counters();
    const run = new NodeRun(name, (before?.incarnation ?? -1) + 1, options, counters, this.#world);
    this.#runs.set(name, run);
    this.#network.setDark(name, false);
    this.#did(name, before === undefined ? 'start' : 'restart');
    run.start();
    return run;
  }

  startAll(names: readonly string[], given: NodeOptions = {}): readonly NodeRun[] {
    return names.map((name) => this.start(name, given));
  }

  /** The same node once more, as it was started last: same address, new uid. */
  restart(name: string, given: NodeOptions = this.#given.get(name) ?? {}): NodeRun {
    return this.start(this.node(name).name, given);
  }

  /** SIGKILL: its peers see their connections reset. `silently`, the machine loses power and nobody hears a thing. */
  crash(name: string, how: { readonly silently?: boolean } = {}): void {
    this.#did(name, how.silently ? 'power' : 'crash');
    if (how.silently) this.#network.setDark(name, true);
    this.node(name).crash();
  }

  leave(name: string): Outcome {
    this.#did(name, 'leave');
    return this.node(name).leave();
  }

  /** Asks one node to mark another down: a name, an address, or one certain run's unique address. */
  down(name: string, target: NodeKey | string): Outcome {
    this.#did(name, 'down', target);
    return this.node(name).down(target.includes('#') ? target : addressFor(target));
  }

  stop(name: string): Outcome {
    this.#did(name, 'stop');
    return this.node(name).stop();
  }

  /** SIGSTOP: it stands still, for so long or until `resume`; what should have happened to it waits. */
  pause(name: string, ms?: number): void {
    const run = this.node(name);
    this.#did(name, 'pause');
    run.clock.pause();
    if (ms !== undefined) this.after(ms, () => this.node(name) === run && this.resume(name));
  }

  /** SIGCONT. */
  resume(name: string): void {
    this.#did(name, 'resume');
    this.node(name).clock.resume();
  }

  /** Adds a fault; the returned function takes it out. */
  add(rule: Rule, what = 'rule'): () => void {
    this.#did('', ...splitFault(what));
    return this.#network.addRule(rule);
  }

  partition(...groups: readonly (readonly string[])[]): () => void {
    const sides = groups.map((group) => group.join(' ')).join(' | ');
    return this.add(partition(...groups), `partition ${sides}`);
  }

  /** Cuts one way. */
  cut(from: string, to: string): () => void {
    return this.add(cut(from, to), `cut ${from} -> ${to}`);
  }

  isolate(name: string): () => void {
    return this.add(isolate(name), `isolate ${name}`);
  }

  /** Every fault is taken out. */
  heal(): void {
    this.#did('', 'heal');
    this.#network.clearRules();
  }

  /** Does something later, while time runs. */
  after(ms: number, action: () => void): void {
    this.#scheduler.plan(this.nowMs + ms, action);
  }

  /** Lets so much time go by. */
  async run(ms: number): Promise<void> {
    await this.#walk(this.nowMs + ms, () => false);
  }

  /**
   * Lets time go by until something holds; says how long that took. It is asked at every moment at
   * which some node's state changed, and every 10 ms. Throws a report when it does not hold in time.
   */
  async runUntil(
    holds: (simulation: Simulation) => boolean,
    withinMs: number,
    what = holds.toString().replace(/\s+/g, ' '),
  ): Promise<number> {
    const startedMs = this.nowMs;
    let [askedAtMs, askedChanges, isTrue] = [-1, -1, false];
    const ask = (): boolean => {
      if (this.#changes === askedChanges && this.nowMs - askedAtMs < ASK_AGAIN_MS) return false;
      [askedAtMs, askedChanges] = [this.nowMs, this.#changes];
      isTrue = holds(this);
      return isTrue;
    };
    await this.#walk(startedMs + withinMs, ask);
    if (isTrue || holds(this)) return this.nowMs - startedMs;
    const hint = `still waiting for ${this.pending() ?? 'nothing else'}`;
    throw this.#error(`within ${withinMs} ms it did not come to pass that ${what}\n${hint}`);
  }

  /** What has not come to rest yet; undefined once nothing is left to wait for. */
  pending(): string | undefined {
    return pendingAmong(this.nodes);
  }

  /** Every node's view, a line each. */
  report(): string {
    return this.nodes.map((run) => `  ${describe(run)}`).join('\n');
  }

  async #walk(untilMs: number, shouldStop: () => boolean): Promise<void> {
    if (this.#isWalking) throw new Error('time runs already: await the last run first');
    this.#isWalking = true;
    const pauseHere = () => {
      this.#compare(COMPARE_EVERY_MS);
      return this.#violation !== undefined || shouldStop();
    };
    try {
      while (this.#violation === undefined) {
        if (this.#scheduler.walk(untilMs, pauseHere) !== 'settle') break;
        await promisesSettled();
      }
      this.#compare(0);
    } catch (error) {
      throw this.#error(error instanceof Error ? error.message : String(error), error);
    } finally {
      this.#isWalking = false;
    }
    const violation = this.#violation;
    if (violation !== undefined)
      throw this.#error(`${violation.rule} at ${violation.node}: ${violation.text}`);
  }

  #compare(everyMs: number): void {
    const isDue = this.nowMs - this.#comparedAtMs >= everyMs;
    if (this.#checker === undefined || !isDue || this.#changes === this.#comparedChanges) return;
    this.#comparedAtMs = this.nowMs;
    this.#comparedChanges = this.#changes;
    this.#checker.compare(this.nodes);
  }

  /** Noted, not thrown: it shows inside a node's own stream. The walk stops at once. */
  #violated(violation: Violation): void {
    this.#violation ??= violation;
    this.#scheduler.settleSoon();
  }

  #error(problem: string, cause?: unknown): SimulationError {
    const trace = ['  … the last of the trace:', ...this.trace.tail(TRACE_SHOWN)].join('\n');
    const report = `${this.report()}\n${trace}`;
    return new SimulationError(this.seed, this.nowMs, problem, report, cause);
  }

  #did(name: string, what: TraceWord, about?: string): void {
    this.#changes++;
    this.trace.add(name, what, about);
  }
}
