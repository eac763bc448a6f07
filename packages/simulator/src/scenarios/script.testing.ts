/**
 * What the scripts in this folder begin with: which sizes run with which seeds, a cluster that has
 * formed, one whose detectors know the rhythm. A test is named after its size and its seed, so a
 * failure says how to have it again.
 */
import type { NodeKey } from '@rollcall/core';
import { nodeNames } from '../node-name.js';
import type { NodeRun } from '../node-run.js';
import { SeededRandom } from '../seeded-random.js';
import { Simulation, type SimulationOptions } from '../simulation.js';
import { isFormed } from '../view.js';

export interface Case {
  readonly n: number;
  readonly seed: number;
}

/** To be put behind what a test says: `test.each(cases(…))(`… ${named}`, …)`. */
export const named = '(n = $n, seed $seed)';

/** So many seeds at each size: `cases({ 5: 8, 25: 2 })`. */
export function cases(seeds: Readonly<Record<number, number>>): readonly Case[] {
  return Object.entries(seeds).flatMap(([n, count]) =>
    Array.from({ length: count }, (_, i) => ({ n: Number(n), seed: 1_000 * Number(n) + i + 1 })),
  );
}

/** With it a minute of virtual time holds a crash from beginning to end. */
export const soon = { downing: { stableAfter: '5s' } } as const;
export const STABLE_AFTER_MS = 5_000;
/** 3/4 of it, as nobody says otherwise. */
export const UNSTABLE_AFTER_MS = 3_750;

/** One way, 1 ms, and defaults: what punctual heartbeats make of the detector is 4.52 s after the last one. */
export const TRIP_MS = 4_600;
export const INTERVAL_MS = 1_000;
export const SEED_TIMEOUT_MS = 5_000;

export type Options = Partial<Omit<SimulationOptions, 'seed'>>;

/** Nodes that are still to be started, the first three of them seeds. */
export function blank(n: number, seed: number, options: Options = {}): Simulation {
  return new Simulation({ seed, seeds: nodeNames(n).slice(0, 3), settings: soon, ...options });
}

/** A cluster of `n`: n1 to n5, n01 to n25, n001 to n100. */
export async function formed(n: number, seed: number, options: Options = {}): Promise<Simulation> {
  const sim = blank(n, seed, options);
  sim.startAll(nodeNames(n));
  await sim.runUntil(() => isFormed(sim.nodes), 3_000, 'all are up at all');
  return sim;
}

/**
 * The same after a while: detectors have seen enough heartbeats to trip when they should, and the next
 * thing happens anywhere between two of them.
 */
export async function steady(n: number, seed: number, options: Options = {}): Promise<Simulation> {
  const sim = await formed(n, seed, options);
  await sim.run(15_000 + 1_000 * luckOf(seed).next());
  return sim;
}

/** A script's own chance, apart from that of nodes and network. */
export const luckOf = (seed: number): SeededRandom => new SeededRandom(seed, 'script');

export function shuffled<T>(items: readonly T[], luck: SeededRandom): readonly T[] {
  const left = [...items];
  return items.map(() => left.splice(Math.floor(luck.next() * left.length), 1)[0] as T);
}

/** Some of the nodes, drawn by the seed. */
export const pick = (sim: Simulation, count: number): readonly string[] =>
  shuffled(
    sim.nodes.map((run) => run.name),
    luckOf(sim.seed),
  ).slice(0, count);

/** The unique address of a node that has come up. */
export function keyOf(run: NodeRun): NodeKey {
  if (run.key === undefined) throw new Error(`${run.name} has not come up`);
  return run.key;
}

/** Everybody who runs is up at all who run, all hold one state, and know it. */
export const isWhole = (sim: Simulation): boolean => sim.pending() === undefined;
