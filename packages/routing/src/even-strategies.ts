/** Strategies for members that are all alike: in turn, by chance, to all. */
import type { Member } from '@rollcall/core';
import type { Evidence, Picker, Strategy } from './strategy.js';

class Turns implements Picker {
  readonly count: number;
  next: number;

  constructor(count: number, next: number) {
    this.count = count;
    this.next = next;
  }

  pick(): number {
    const index = this.next >= this.count ? 0 : this.next;
    this.next = index + 1;
    return index;
  }
}

/**
 * One after the other, in address order. Even to within one message, and the default: it needs no evidence. Each
 * router has turns of its own, so with many senders the receivers' sum is as even as chance.
 */
export const roundRobin = (): Strategy => ({
  name: 'roundRobin',
  over: (routees, before) =>
    new Turns(routees.length, before instanceof Turns ? before.next % routees.length : 0),
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
