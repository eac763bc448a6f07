/**
 * Strategies by key: the same key goes to the same member, from whichever node, while the routees are the same. A member
 * is known by its address here, so that a restart there takes its keys up again instead of dealing out new ones.
 */
import { ClusterError, checkShapes, type Member, type OptionShape } from '@rollcall/core';
import { HashRing, RING, type RingOptions } from './hash-ring.js';
import { RING_SHAPES } from './option-kinds.js';
import { Rendezvous } from './rendezvous.js';
import type { Evidence, Picker, Strategy } from './strategy.js';

export interface ConsistentHashOptions extends Partial<RingOptions> {
  /**
   * No routee has more than so many times its fair share of this router's messages under way; what is above goes to the
   * next on the ring. Above 1, at most 100; without it nothing is bounded. 1.25 is a good bound: the
   * closer to 1, the more keys leave their member. Loads are this node's own, so two nodes may send one hot key
   * to two members.
   */
  readonly boundedLoad?: number;
}

const BOUND: OptionShape = {
  takes: 'a number above 1 and at most 100, such as 1.25',
  fits: (value) => typeof value === 'number' && value > 1 && value <= 100,
  isOpen: true,
};

class OnRing implements Picker {
  readonly ring: HashRing;
  readonly #routees: Int32Array;
  readonly #bound: number | undefined;
  /** Loads in the order of the ring, which is not always that of the routees. */
  readonly #loads: Int32Array;

  constructor(ring: HashRing, routees: readonly Member[], bound: number | undefined) {
    this.ring = ring;
    this.#routees = indexesOf(ring.names, routees);
    this.#bound = bound;
    this.#loads = new Int32Array(ring.names.length);
  }

  pick(key: string, { loads, totalLoad }: Evidence): number {
    const index =
      this.#bound === undefined
        ? this.ring.indexOf(key)
        : this.#within(key, this.#bound, loads, totalLoad);
    return this.#routees[index] as number;
  }

  #within(key: string, bound: number, loads: Int32Array, totalLoad: number): number {
    for (let i = 0; i < this.#loads.length; i++)
      this.#loads[i] = loads[this.#routees[i] as number] as number;
    const cap = Math.ceil((bound * (totalLoad + 1)) / this.#loads.length);
    return this.ring.indexWithin(key, this.#loads, cap);
  }
}

class OnRendezvous implements Picker {
  readonly #choice: Rendezvous;
  readonly #routees: Int32Array;

  constructor(routees: readonly Member[]) {
    this.#choice = new Rendezvous(routees.map(({ address }) => address));
    this.#routees = indexesOf(this.#choice.names, routees);
  }

  pick(key: string): number {
    return this.#routees[this.#choice.indexOf(key)] as number;
  }
}

/** Of two runs at one address the later in the list: a unique address never comes twice, and only one of them runs. */
function indexesOf(names: readonly string[], routees: readonly Member[]): Int32Array {
  const at = new Map(routees.map(({ address }, index) => [address, index]));
  return Int32Array.from(names, (name) => at.get(name) ?? 0);
}

/** By a ring with virtual nodes; see `HashRing`. A change among n routees moves about a share of 1/n of the keys. */
export function consistentHash(options: ConsistentHashOptions = {}): Strategy {
  checkShapes(options, { ...RING_SHAPES, boundedLoad: BOUND }, '{ points: 64, boundedLoad: 1.25 }');
  const { boundedLoad, points = RING.points, probes = RING.probes } = options;
  return {
    name: 'consistentHash',
    takesKey: true,
    over: (routees, before) => {
      const empty = HashRing.of([], { points, probes });
      const ring = before instanceof OnRing ? before.ring : empty;
      const names = routees.map(({ address }) => address);
      return new OnRing(ring.with(names), routees, boundedLoad);
    },
  };
}

/** By rendezvous; see `Rendezvous`. Nothing is built, and a pick looks at every routee. */
export const rendezvous = (): Strategy => ({
  name: 'rendezvous',
  takesKey: true,
  over: (routees) => new OnRendezvous(routees),
});

/** Throws `badSetting`. */
export function checkKey(key: unknown, strategy: Strategy): void {
  if (typeof key === 'string' || strategy.takesKey !== true) return;
  const message = `key is text that ${strategy.name} goes by: give one, such as the id of what the message is about`;
  throw new ClusterError('badSetting', message, { setting: 'key' });
}
