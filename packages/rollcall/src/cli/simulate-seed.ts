/** One seed of a swarm, lived through and, if it failed, reduced: what a thread does. */
import type { Failed, Simulator, Verdict } from './simulate-package.js';

/** What became of a seed. */
export interface SeedResult {
  readonly seed: number;
  readonly nodes: number;
  readonly strategy: string;
  readonly verdict: Verdict;
  readonly events: number;
  readonly virtualMs: number;
}

/** The least of it that fails the same way. */
export interface SeedShrunk {
  readonly seed: number;
  /** Behind `rollcall simulate`. */
  readonly words: string;
  readonly verdict: Failed;
  readonly tries: number;
}

export type SeedNews =
  | { readonly kind: 'result'; readonly result: SeedResult }
  | { readonly kind: 'shrunk'; readonly shrunk: SeedShrunk };

/** Tells the result at once and, for a seed that failed, what it could be reduced to later. */
export async function liveThrough(
  seed: number,
  simulator: Simulator,
  tell: (news: SeedNews) => void,
): Promise<void> {
  const plan = simulator.planOf(seed);
  const { verdict, events, virtualMs } = await simulator.survive(plan);
  const strategy = String(plan.settings['downing.strategy']);
  const nodes = plan.nodes.length;
  tell({ kind: 'result', result: { seed, nodes, strategy, verdict, events, virtualMs } });
  if (verdict.kind === 'settled') return;
  const { reduction, verdict: least, tries } = await simulator.shrink(plan, verdict);
  const words = simulator.replayWords(seed, reduction);
  tell({ kind: 'shrunk', shrunk: { seed, words, verdict: least, tries } });
}
