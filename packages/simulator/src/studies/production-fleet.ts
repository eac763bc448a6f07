/**
 * A formed cluster of production nodes for studies: the driver, the membership machine and the links of
 * the simulator, with what its members say of each other written down as it is told.
 */
import { type ClusterEvent, type GivenSettings, startCluster } from '@rollcall/core';
import { hostOf, nodeNames } from '../node-name.js';
import type { NodeRun } from '../node-run.js';
import { uniform } from '../rule.js';
import { SeededRandom } from '../seeded-random.js';
import { Simulation } from '../simulation.js';

export interface ProductionPlan {
  readonly seed: number;
  readonly nodes: number;
  readonly settings: GivenSettings;
  /** Hears every event of every node once the cluster has formed. */
  readonly onEvent?: (teller: string, event: ClusterEvent, nowMs: number) => void;
  /** A node that ended by itself is started again 1 s later, as by a supervisor; not unless given. */
  readonly hasSupervisor?: boolean;
}

/** About what a fleet of SWIM nodes has: half a millisecond and a little more by chance. */
const ONE_WAY = uniform(0.5, 0.7);

/** Detectors have heard more than ten heartbeats by then. */
const SETTLED_MS = 15_000;
const FORMED_WITHIN_MS = 60_000;
const LOOK_EVERY_MS = 50;
const SUPERVISOR_MS = 1_000;
/** Seeds are the first of them, which no study cuts off. */
const SEEDS = 3;

export class ProductionFleet {
  readonly sim: Simulation;
  readonly names: readonly string[];
  readonly #onEvent: ProductionPlan['onEvent'];
  readonly #hasSupervisor: boolean;
  #isFormed = false;

  private constructor({ seed, nodes, settings, onEvent, hasSupervisor = false }: ProductionPlan) {
    this.names = nodeNames(nodes);
    this.#onEvent = onEvent;
    this.#hasSupervisor = hasSupervisor;
    this.sim = new Simulation({
      seed,
      settings,
      latencyMs: ONE_WAY,
      trace: { keep: 200 },
      check: false,
      seeds: this.names.slice(0, SEEDS),
      startCluster: async (options, ports) => {
        const cluster = await startCluster(options, ports);
        const name = hostOf(cluster.self.address);
        cluster.events$.subscribe((event) => {
          if (this.#isFormed) this.#onEvent?.(name, event, this.sim.nowMs);
        });
        void cluster.ended.then(() => this.#ended(name));
        return cluster;
      },
    });
  }

  /**
   * A cluster whose members are all up at all and whose detectors know the rhythm; what comes next comes
   * anywhere between two heartbeats.
   * @throws Error when it has not formed within a virtual minute
   */
  static async form(plan: ProductionPlan): Promise<ProductionFleet> {
    const fleet = new ProductionFleet(plan);
    const { sim, names } = fleet;
    sim.startAll(names);
    do {
      if (sim.nowMs >= FORMED_WITHIN_MS) throw new Error(`${names.length} nodes did not form`);
      await sim.run(LOOK_EVERY_MS);
    } while (!sim.nodes.every((run) => seesAllUp(run, names.length)));
    const luck = new SeededRandom(plan.seed, 'script');
    await sim.run(SETTLED_MS + 1_000 * luck.next());
    fleet.#isFormed = true;
    return fleet;
  }

  #ended(name: string): void {
    if (!this.#hasSupervisor) return;
    this.sim.after(SUPERVISOR_MS, () => {
      const { phase } = this.sim.node(name);
      if (phase === 'ended') this.sim.restart(name);
    });
  }
}

function seesAllUp({ state }: NodeRun, count: number): boolean {
  if (state?.members.length !== count || !state.convergence) return false;
  return state.members.every(({ status }) => status === 'up');
}
