/** A plan on the simulator: production nodes with the plan's settings, and each of its steps at its moment. */
import type { Cluster, Ending, LeaseConduct } from '@rollcall/core';
import { hostOf } from '../node-name.js';
import type { NodeOptions } from '../node-options.js';
import type { NodeRun } from '../node-run.js';
import type { Outcome } from '../outcome.js';
import { type Distribution, longTail, uniform } from '../rule.js';
import { Simulation } from '../simulation.js';
import type { TraceOptions } from '../trace.js';
import { type RuleStep, ruleOf, wordsOf } from './fault-rule.js';
import type { Plan, Step } from './plan.js';
import { VOTER } from './plan-of-seed.js';
import { Witness } from './witness.js';

/** Something a run was asked for, and has to answer. */
interface Asked {
  readonly run: NodeRun;
  readonly what: string;
  readonly outcome: Outcome;
}

type Reasons = ReadonlySet<Ending['reason']>;
/** Whoever stopped for one of these is started again by its supervisor. */
const COMES_BACK: Reasons = new Set(['removed', 'minority', 'notQuorate', 'toldToGo']);
/** And for these while faults last; later they have to end, or a seed without a founder never would. */
const COMES_BACK_EARLY: Reasons = new Set(['gaveUp', 'refused']);

export class Stage {
  readonly plan: Plan;
  readonly sim: Simulation;
  readonly witness: Witness;
  readonly #asked: Asked[] = [];
  readonly #leavers = new Set<NodeRun>();
  readonly #ended: (name: string, ending: Ending) => void;
  #healedAtMs: number | undefined;
  #comingBack = 0;

  /** `ended` hears of each run that ends by itself. */
  constructor(
    plan: Plan,
    trace: Partial<TraceOptions>,
    ended: (name: string, ending: Ending) => void,
  ) {
    this.plan = plan;
    this.#ended = ended;
    this.witness = new Witness(
      () => this.sim.nowMs,
      (cluster, ending) => this.#departed(cluster, ending),
    );
    this.sim = new Simulation({
      seed: plan.seed,
      settings: plan.settings,
      seeds: plan.seeds,
      latencyMs: distributionOf(plan),
      trace,
      startCluster: this.witness.start,
    });
    // As far away as the farthest node.
    this.sim.lease.delayMs = plan.latency.maxMs;
    for (const step of plan.steps) this.sim.after(step.atMs, () => this.#perform(step));
  }

  /** When every fault was over; undefined while faults last. */
  get healedAtMs(): number | undefined {
    return this.#healedAtMs;
  }

  /** Will somebody be started yet? */
  get isAnybodyComing(): boolean {
    return this.#comingBack > 0;
  }

  /** Every fault is over: no rule, nobody stands still. Who is dead stays dead, unless it has a supervisor. */
  heal(): void {
    this.#healedAtMs = this.sim.nowMs;
    this.sim.heal();
    for (const { name, clock } of this.sim.running) if (clock.isPaused) this.sim.resume(name);
  }

  /** Has it been told to leave? */
  isLeaver(run: NodeRun): boolean {
    return this.#leavers.has(run);
  }

  /** What some node was asked and has not answered, in words. */
  unanswered(): string | undefined {
    const open = this.#asked.find(
      ({ run, outcome }) => outcome.state === 'pending' && run.phase !== 'crashed',
    );
    return open && `${open.run.name} to ${open.what}`;
  }

  #perform(step: Step): void {
    switch (step.kind) {
      case 'start':
      case 'join':
        return this.#start(step.node);
      case 'restart':
        this.#kill(step.node, false);
        return this.#start(step.node);
      case 'crash':
        if (this.#kill(step.node, false)) this.#comesBack(step.node);
        return;
      case 'power':
        this.#kill(step.node, true);
        return;
      case 'leave':
        return this.#leave(step.node);
      case 'down':
        return this.#down(step.node, step.target);
      case 'pause':
        if (this.#isRunning(step.node)) this.sim.pause(step.node, this.#within(step));
        return;
      case 'lease':
        return this.#spoilLease(step.conduct, this.#within(step));
      default:
        return this.#spoil(step);
    }
  }

  #isRunning(name: string): boolean {
    return this.sim.running.some((run) => run.name === name);
  }

  #start(name: string): void {
    const before = this.sim.nodes.find((run) => run.name === name);
    if (before?.isRunning || before?.phase === 'starting') return;
    const { seeds, selfFirst, voters } = this.plan;
    const isFirst = selfFirst && seeds.includes(name);
    const options: NodeOptions = {
      seeds: isFirst ? [name, ...seeds.filter((seed) => seed !== name)] : seeds,
      roles: voters.includes(name) ? [VOTER] : [],
    };
    this.sim.start(name, options);
  }

  #kill(name: string, silently: boolean): boolean {
    if (!this.#isRunning(name)) return false;
    this.sim.crash(name, { silently });
    return true;
  }

  #leave(name: string): void {
    if (!this.#isRunning(name)) return;
    const run = this.sim.node(name);
    this.#leavers.add(run);
    this.#asked.push({ run, what: 'have left', outcome: this.sim.leave(name) });
  }

  #down(name: string, target: string): void {
    if (!this.#isRunning(name)) return;
    const [run, outcome] = [this.sim.node(name), this.sim.down(name, target)];
    this.#asked.push({ run, what: `answer about ${target}, which it was to mark down`, outcome });
  }

  /** No fault outlasts the end of faults. */
  #within({ atMs, forMs }: { readonly atMs: number; readonly forMs: number }): number {
    return Math.max(0, Math.min(forMs, this.plan.faultsEndMs - atMs));
  }

  #spoil(step: RuleStep): void {
    const takeBack = this.sim.add(ruleOf(step), wordsOf(step));
    this.sim.after(this.#within(step), () => {
      this.sim.trace.add('', 'ends', wordsOf(step));
      takeBack();
    });
  }

  /** Of two at a time the later one counts, and the first that ends ends both. */
  #spoilLease(conduct: LeaseConduct, ms: number): void {
    const { lease, trace } = this.sim;
    trace.add('', 'lease', conduct);
    lease.conduct = conduct;
    this.sim.after(ms, () => {
      trace.add('', 'lease', 'answering');
      lease.conduct = 'answering';
    });
  }

  #departed(cluster: Cluster, ending: Ending): void {
    const name = hostOf(cluster.self.address);
    this.#ended(name, ending);
    const isEarly = this.#healedAtMs === undefined && COMES_BACK_EARLY.has(ending.reason);
    if (isEarly || COMES_BACK.has(ending.reason)) this.#comesBack(name);
  }

  #comesBack(name: string): void {
    const { supervisorMs } = this.plan;
    if (supervisorMs === undefined) return;
    this.#comingBack++;
    this.sim.after(supervisorMs, () => {
      this.#comingBack--;
      this.#start(name);
    });
  }
}

function distributionOf({ latency }: Plan): Distribution {
  const { minMs, maxMs, longTail: hasTail } = latency;
  if (minMs === maxMs) return minMs;
  return hasTail ? longTail(minMs, maxMs) : uniform(minMs, maxMs);
}
