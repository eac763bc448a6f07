/**
 * The less suspected of two members drawn by chance: the power of two choices (Mitzenmacher 2001), with phi in the
 * place of a queue's length. Taking the least suspected of all would send everything to one member until the next
 * heartbeat.
 */
import type { Member } from '@rollcall/core';
import type { Evidence, Picker, Strategy } from './strategy.js';

class LeastSuspected implements Picker {
  /** Others name it: worse than any suspicion below conviction, even if this node has none of its own. */
  readonly #isNamed: Uint8Array;

  constructor(routees: readonly Member[]) {
    this.#isNamed = Uint8Array.from(routees, ({ reachability }) =>
      reachability === 'reachable' ? 0 : 1,
    );
  }

  pick(_: string, { chance, phis }: Evidence): number {
    const count = phis.length;
    if (count === 1) return 0;
    const first = chance.below(count);
    const other = chance.below(count - 1);
    const second = other >= first ? other + 1 : other;
    const named = (this.#isNamed[first] as number) - (this.#isNamed[second] as number);
    if (named !== 0) return named < 0 ? first : second;
    return calm(phis[second] as number) < calm(phis[first] as number) ? second : first;
  }
}

/** A phi below 1 is ordinary scatter, and so is having no evidence: there chance decides. */
const calm = (phi: number): number => (phi < 1 ? 0 : phi);

/**
 * Of two members drawn by chance, the one of which this node's phi is lower. A member that this node does not observe
 * counts as unsuspected, one that others name comes last.
 */
export const leastSuspected = (): Strategy => ({
  name: 'leastSuspected',
  readsPhi: true,
  over: (routees) => new LeastSuspected(routees),
});
