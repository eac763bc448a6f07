/** The simulation that a transcript plays on: made with the first start, as the lines above it say. */
import { addressFor } from '../node-name.js';
import type { NodeOptions } from '../node-options.js';
import type { Outcome } from '../outcome.js';
import type { Rule } from '../rule.js';
import { Simulation, type SimulationOptions } from '../simulation.js';
import { Labels } from './labels.testing.js';
import { News } from './news.testing.js';
import { blockerLines, viewLines } from './views.testing.js';

export class Stage {
  readonly #labels = new Labels();
  readonly #news = new News(this.#labels, () => this.sim);
  readonly #faults = new Map<string, () => void>();
  #asked: { readonly what: string; readonly outcome: Outcome }[] = [];
  #options: SimulationOptions = { seed: 1 };
  #sim: Simulation | undefined;

  get sim(): Simulation {
    const { startCluster } = this.#news;
    this.#sim ??= new Simulation({ ...this.#options, startCluster });
    return this.#sim;
  }

  /** What holds for all nodes; before the first of them is started. */
  prepare(options: Partial<SimulationOptions>): void {
    if (this.#sim !== undefined) throw new Error('this stands above all that takes place');
    const settings = { ...this.#options.settings, ...options.settings };
    this.#options = { ...this.#options, ...options, settings };
  }

  /** What news there is when so much time has gone by. */
  async run(ms: number): Promise<readonly string[]> {
    await this.sim.run(ms);
    const lines = [...this.#news.take(), ...this.#refusals()];
    return lines.length > 0 ? lines : ['nothing happens'];
  }

  start(names: readonly string[], options: NodeOptions): void {
    for (const name of names) this.sim.start(name, options);
  }

  restart(names: readonly string[], options: NodeOptions | undefined): void {
    for (const name of names) this.sim.restart(name, options);
  }

  spoil(what: string, rule: Rule): void {
    if (this.#faults.has(what)) throw new Error(`${what} is so already`);
    this.#faults.set(what, this.sim.add(rule, what));
  }

  heal(what: string): void {
    const takeBack = this.#faults.get(what);
    const faults = [...this.#faults.keys()].map((each) => `heal ${each}`).join(', or ');
    if (takeBack === undefined) throw new Error(`that is whole; write ${faults || 'nothing'}`);
    takeBack();
    this.#faults.delete(what);
  }

  healAll(): void {
    this.#faults.clear();
    this.sim.heal();
  }

  leave(name: string, by: string): void {
    const isOwn = name === by;
    const outcome = isOwn ? this.sim.leave(name) : this.sim.node(by).leave(addressFor(name));
    this.#ask(`leave ${name}`, outcome);
  }

  down(name: string, by: string): void {
    this.#ask(`down ${name}`, this.sim.down(by, name));
  }

  /** What was asked just now takes effect, without any time going by; what was refused is said. */
  async settle(): Promise<readonly string[]> {
    if (this.#sim === undefined) return [];
    await this.#sim.run(0);
    return this.#refusals();
  }

  view(): readonly string[] {
    return viewLines(this.sim, this.#labels);
  }

  why(): readonly string[] {
    return blockerLines(this.sim, this.#labels);
  }

  #ask(what: string, outcome: Outcome): void {
    this.#asked.push({ what, outcome });
  }

  #refusals(): readonly string[] {
    const failed = this.#asked.filter(({ outcome }) => outcome.state === 'failed');
    this.#asked = this.#asked.filter(({ outcome }) => outcome.state === 'pending');
    return failed.map(
      ({ what, outcome }) => `${what}: ${this.#labels.within(outcome.error?.message ?? '')}`,
    );
  }
}
