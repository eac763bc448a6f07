/**
 * A simulated cluster whose nodes are asked after each state they show, one node at a time: to wait for
 * something at all of a thousand nodes then costs no more than to look at what changes.
 */
import { startCluster } from '@rollcall/core';
import { nodeNames, Simulation } from '@rollcall/simulator';

/** What a run may take in virtual time before it counts as stuck. */
const PATIENCE_MS = 600_000;

const isUp = ({ status }) => status === 'up';

export class SimulatedCluster {
  names;
  sim;
  /** Sizes that any subscriber saw on the way: members listed, and members Up. */
  sizesListed = new Set();
  sizesUp = new Set();
  #watched = new Set();
  #goal = () => true;
  #missing = 0;

  constructor(count, settings = {}) {
    this.names = nodeNames(count);
    this.sim = new Simulation({
      seed: 1,
      settings,
      seeds: this.names.slice(0, 3),
      // What is watched for safety elsewhere would be measured along here.
      check: false,
      trace: { keep: 100 },
      startCluster: async (asked, ports) => {
        const cluster = await startCluster(asked, ports);
        this.#watch(cluster);
        return cluster;
      },
    });
  }

  /** Starts all at once and waits until each sees each other Up; says how many virtual ms that took. */
  async form() {
    this.sim.startAll(this.names);
    const count = this.names.length;
    const ms = await this.until(
      ({ members }) => members.length === count && members.every(isUp),
      () => this.#watched.size === count,
    );
    await this.agreed();
    return ms;
  }

  agreed() {
    return this.until(({ convergence }) => convergence);
  }

  /** Virtual ms until every node that is still watched shows a state for which this holds. */
  until(goal, andAlso = () => true) {
    this.#goal = goal;
    this.#missing = 0;
    for (const node of this.#watched) {
      node.isThere = goal(node.cluster.state);
      if (!node.isThere) this.#missing++;
    }
    return this.sim.runUntil(() => this.#missing === 0 && andAlso(), PATIENCE_MS, 'all are there');
  }

  /** Nodes that no goal waits for any more: they leave or crash. */
  forget(names) {
    const gone = new Set(names.map((name) => this.sim.node(name).cluster));
    for (const node of this.#watched) if (gone.has(node.cluster)) this.#watched.delete(node);
  }

  total(counter) {
    return this.sim.running.reduce((total, { counters }) => total + counters[counter], 0);
  }

  #watch(cluster) {
    const node = { cluster, isThere: false, epoch: -1 };
    this.#watched.add(node);
    this.#missing++;
    cluster.state$.subscribe((state) => {
      this.#see(node, state);
      if (!this.#watched.has(node)) return;
      const isThere = this.#goal(state);
      if (isThere !== node.isThere) this.#missing += isThere ? -1 : 1;
      node.isThere = isThere;
    });
  }

  /** Who is Up changes with the epoch alone, or with the first state of a cluster. */
  #see(node, { members, epoch }) {
    this.sizesListed.add(members.length);
    if (epoch === node.epoch) return;
    node.epoch = epoch;
    this.sizesUp.add(members.filter(isUp).length);
  }
}
