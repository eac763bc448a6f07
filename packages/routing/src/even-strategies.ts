/** Strategies for members that are all alike: in turn, by chance, to all. */
import { compareKeys, type Member } from '@rollcall/core';
import type { Evidence, Picker, Strategy } from './strategy.js';

class Turns implements Picker {
  readonly #routees: readonly Member[];
  #next: number;

  constructor(routees: readonly Member[], next: number) {
    this.#routees = routees;
    this.#next = next;
  }

  pick(): number {
    const index = this.#next >= this.#routees.length ? 0 : this.#next;
    this.#next = index + 1;
    return index;
  }

  /** Whoever's turn it is, or the one behind where that would have been. */
  over(routees: readonly Member[]): Turns {
    const turn = this.#routees[this.#next];
    const isBehind = ({ node }: Member) => turn !== undefined && compareKeys(node, turn.node) >= 0;
    return new Turns(routees, Math.max(0, routees.findIndex(isBehind)));
  }
}

/**
 * One after the other, in address order. Even to within one message, and the default: it needs no evidence. Each
 * router has turns of its own, so with many senders the receivers' sum is as even as chance.
 */
export const roundRobin = (): Strategy => ({
  name: 'roundRobin',
  over: (routees, before) =>
    before instanceof Turns ? before.over(routees) : new Turns(routees, 0),
});

const byChance: Picker = {
  pick: (_, { chance, loads }: Evidence) => chance.below(loads.length),
};

/** Each with the same chance, for every message anew. */
export const random = (): Strategy => ({ name: 'random', over: () => byChance });

/**
 * Every message goes to all routees. `tell` only: an ask has one answer, and whose that would be is for the caller to
 * say, by asking each of `routees`.
 */
export const broadcast = (): Strategy => ({
  name: 'broadcast',
  sendsToAll: true,
  over: (_: readonly Member[]) => byChance,
});
