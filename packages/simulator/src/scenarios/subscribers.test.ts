/**
 * What subscribers hear, whenever they came: the first state with every event since put over it is today's
 * state, and each member that goes is told exactly once. The simulator's checker does the same for the one
 * subscriber that was there from the beginning.
 */
import { type ClusterState, type NodeKey, replay } from '@rollcall/core';
import { describe, expect, test } from 'vitest';
import { nodeNames } from '../node-name.js';
import type { NodeRun } from '../node-run.js';
import { duplicate, loss, reorder } from '../rule.js';
import type { Simulation } from '../simulation.js';
import { isAgreed, isFormed } from '../view.js';
import { blank, cases, luckOf, named } from './script.testing.js';

/** Subscribes to a node and keeps books. */
class Subscriber {
  readonly first: ClusterState;
  readonly removals = new Map<NodeKey, number>();
  readonly members = new Set<NodeKey>();
  /** States that were not what the events before them had led to. */
  readonly wrong: string[] = [];
  isDone = false;
  #last: ClusterState;

  constructor(run: NodeRun) {
    this.first = run.cluster.state;
    this.#last = this.first;
    for (const { node } of this.first.members) this.members.add(node);
    run.cluster.events$.subscribe((event) => {
      this.#last = replay(this.#last, event);
      if (!('member' in event)) return;
      const { node } = event.member;
      this.members.add(node);
      if (event.type === 'memberRemoved')
        this.removals.set(node, (this.removals.get(node) ?? 0) + 1);
    });
    run.cluster.state$.subscribe({
      next: (state) => {
        if (told(state) !== told(this.#last))
          this.wrong.push(`${told(state)} / ${told(this.#last)}`);
      },
      complete: () => {
        this.isDone = true;
      },
    });
  }

  get last(): ClusterState {
    return this.#last;
  }
}

/** All of a state that events tell. */
const told = ({ members, convergence }: ClusterState): string =>
  JSON.stringify([convergence, members.map((m) => [m.node, m.status, m.reachability, m.age])]);

const isOver = ({ phase }: NodeRun): boolean => phase !== 'running' && phase !== 'starting';

/** One cluster; or two, when the first seed was started again while it heard nobody. */
function isAtRest({ running }: Simulation): boolean {
  const clusters = new Set(running.map(({ state }) => state?.clusterId));
  return [...clusters].every((id) => {
    const its = running.filter(({ state }) => state?.clusterId === id);
    return isFormed(its) && isAgreed(its);
  });
}

/** A minute in which members come, go, crash and lose sight of each other; somebody subscribes all the while. */
async function eventfulMinute(
  sim: Simulation,
  n: number,
): Promise<readonly [NodeRun, Subscriber][]> {
  const luck = luckOf(sim.seed);
  const anybody = <T>(among: readonly T[]): T => among[Math.floor(luck.next() * among.length)] as T;
  const subscribers: [NodeRun, Subscriber][] = [];
  const majority = Math.floor(n / 2) + 2;
  for (let turn = 0; turn < 120; turn++) {
    await sim.run(1_000 * luck.next());
    for (const run of [anybody(sim.running), anybody(sim.running)])
      subscribers.push([run, new Subscriber(run)]);
    const dice = luck.next();
    const many = sim.running.length > majority;
    if (dice < 0.08 && many) sim.crash(anybody(sim.running).name);
    else if (dice < 0.16 && many) sim.leave(anybody(sim.running).name);
    else if (dice < 0.2) sim.pause(anybody(sim.running).name, 8_000 * luck.next());
    else if (dice < 0.26) sim.after(6_000 * luck.next(), sim.isolate(anybody(sim.running).name));
    const over = sim.nodes.filter(isOver);
    if (over.length > 0 && luck.next() < 0.3) sim.restart(anybody(over).name);
  }
  return subscribers;
}

describe('Subscribers', () => {
  test.each(cases({ 5: 5, 9: 1 }))(`at whatever moment they came ${named}`, async ({ n, seed }) => {
    const sim = blank(n, seed, { settings: { downing: { stableAfter: '3s' } } });
    sim.add(loss(0.02));
    sim.add(duplicate(0.05));
    sim.add(reorder(0.05, 50));
    sim.startAll(nodeNames(n));
    await sim.run(10);
    const subscribers = await eventfulMinute(sim, n);
    sim.heal();
    for (const { name } of sim.nodes.filter(isOver)) sim.restart(name);
    await sim.runUntil(() => isAtRest(sim), 60_000, 'all hold the state of their cluster');

    for (const [run, subscriber] of subscribers) {
      expect(subscriber.wrong).toEqual([]);
      if (run.phase === 'crashed') continue;
      expect(told(subscriber.last)).toBe(told(run.cluster.state));
      expect(subscriber.isDone).toBe(!run.isRunning);
      const held = new Set(subscriber.last.members.map(({ node }) => node));
      const gone = [...subscriber.members].filter((node) => !held.has(node)).sort();
      expect([...subscriber.removals.keys()].sort()).toEqual(gone);
      expect(new Set(subscriber.removals.values())).toEqual(new Set(gone.length > 0 ? [1] : []));
    }
    expect(subscribers.some(([, { removals }]) => removals.size > 1)).toBe(true);
  });
});
