/**
 * From a seed that failed to the least of it that still fails the same way: without whole kinds of
 * work and faults, with fewer nodes, for a shorter time, with fewer steps. Greedy; what it ends with can be
 * reduced no further by any one of these cuts, unless it ran out of tries.
 */
import { type Part, type Plan, partOf } from './plan.js';
import { PARTS, type Reduction, reduce } from './reduction.js';
import { type Failed, type SeedVerdict, survive } from './survive.js';

export interface Shrunk {
  readonly reduction: Reduction;
  readonly verdict: Failed;
  /** Plans that were lived through on the way. */
  readonly tries: number;
}

export interface ShrinkOptions {
  /** How many plans may be lived through. */
  readonly tries?: number;
  /** Asked before each; true ends it with what there is. */
  readonly shouldStop?: () => boolean;
  /** How a plan is lived through. */
  readonly live?: (plan: Plan) => Promise<{ readonly verdict: SeedVerdict }>;
}

export const shrink = (plan: Plan, verdict: Failed, options: ShrinkOptions = {}): Promise<Shrunk> =>
  new Shrinker(plan, verdict, options).shrink();

/** The same rule broken, or the same kind of failure: the words differ with the nodes that are left. */
const sortOf = ({ kind, what }: Failed): string =>
  kind === 'violation' ? `${kind} ${what.split(' ')[0]}` : kind;

class Shrinker {
  readonly #plan: Plan;
  readonly #sort: string;
  readonly #options: ShrinkOptions;
  readonly #triesMax: number;
  #best: Reduction = {};
  #verdict: Failed;
  #tries = 0;

  constructor(plan: Plan, verdict: Failed, options: ShrinkOptions) {
    this.#plan = plan;
    this.#verdict = verdict;
    this.#sort = sortOf(verdict);
    this.#options = options;
    this.#triesMax = options.tries ?? 300;
  }

  async shrink(): Promise<Shrunk> {
    await this.#dropParts();
    await this.#dropNodes();
    await this.#cutShort();
    await this.#dropSteps();
    await this.#dropParts();
    await this.#dropNodes();
    await this.#cutShort();
    return { reduction: this.#best, verdict: this.#verdict, tries: this.#tries };
  }

  /** Does it still fail like this? Then it is the best so far. */
  async #fails(change: Reduction): Promise<boolean> {
    const { shouldStop, live = survive } = this.#options;
    if (this.#tries >= this.#triesMax || shouldStop?.() === true) return false;
    this.#tries++;
    const reduction = { ...this.#best, ...change };
    const { verdict } = await live(reduce(this.#plan, reduction));
    if (verdict.kind === 'settled' || sortOf(verdict) !== this.#sort) return false;
    this.#best = reduction;
    this.#verdict = verdict;
    return true;
  }

  async #dropParts(): Promise<void> {
    for (const part of PARTS) {
      const { without = [] } = this.#best;
      if (!this.#has(part)) continue;
      await this.#fails({ without: [...without, part] });
    }
  }

  #has(part: Part): boolean {
    const plan = reduce(this.#plan, this.#best);
    if (part === 'supervisor') return plan.supervisorMs !== undefined;
    return plan.steps.some((step) => partOf(step) === part);
  }

  /** First by halves, then one by one. */
  async #dropNodes(): Promise<void> {
    let low = 2;
    for (let high = this.#nodes; low < high; high = this.#nodes) {
      const nodes = Math.floor((low + high) / 2);
      if (!(await this.#fails({ nodes }))) low = nodes + 1;
    }
    while (this.#nodes > 2 && (await this.#fails({ nodes: this.#nodes - 1 })));
  }

  get #nodes(): number {
    return this.#best.nodes ?? this.#plan.nodes.length;
  }

  async #cutShort(): Promise<void> {
    let low = 0;
    for (let high = this.#untilMs; high - low > 100; high = this.#untilMs) {
      const untilMs = Math.floor((low + high) / 2);
      if (!(await this.#fails({ untilMs }))) low = untilMs;
    }
  }

  get #untilMs(): number {
    return this.#best.untilMs ?? this.#plan.faultsEndMs;
  }

  /** Leaves out ever smaller runs of steps. */
  async #dropSteps(): Promise<void> {
    for (let size = Math.ceil(this.#steps.length / 2); size >= 1; size = Math.floor(size / 2)) {
      for (let at = 0; at < this.#steps.length; ) {
        const steps = this.#steps;
        const less = [...steps.slice(0, at), ...steps.slice(at + size)];
        if (!(await this.#fails({ steps: less }))) at += size;
      }
    }
  }

  /** The numbers of those that can be left out. */
  get #steps(): readonly number[] {
    const { steps } = reduce(this.#plan, this.#best);
    return steps.filter((step) => partOf(step) !== undefined).map(({ id }) => id);
  }
}
