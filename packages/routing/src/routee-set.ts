/**
 * The routees of one moment with what a pick may look at: suspicion and load, side by side in flat arrays. A pick reads
 * them and allocates nothing.
 */
import type { Member, NodeKey } from '@rollcall/core';
import type { Chance } from './chance.js';
import type { Evidence, Picker, Strategy } from './strategy.js';

const UNOBSERVED = -1;

export class RouteeSet implements Evidence {
  readonly members: readonly Member[];
  readonly chance: Chance;
  readonly phis: Float64Array;
  readonly loads: Int32Array;
  readonly picker: Picker;
  readonly #strategy: Strategy;
  readonly #indexOf: ReadonlyMap<NodeKey, number>;
  #totalLoad = 0;

  private constructor(
    members: readonly Member[],
    chance: Chance,
    strategy: Strategy,
    before: Picker | undefined,
  ) {
    this.members = members;
    this.chance = chance;
    this.#strategy = strategy;
    this.picker = strategy.over(members, before);
    this.#indexOf = new Map(members.map(({ node }, index) => [node, index]));
    this.phis = new Float64Array(members.length).fill(UNOBSERVED);
    this.loads = new Int32Array(members.length);
  }

  static empty(chance: Chance, strategy: Strategy): RouteeSet {
    return new RouteeSet([], chance, strategy, undefined);
  }

  /** The same for other members: the picker goes on from where it was, and so do the loads. */
  with(members: readonly Member[], underWay: ReadonlyMap<NodeKey, number>): RouteeSet {
    const next = new RouteeSet(members, this.chance, this.#strategy, this.picker);
    for (const [node, count] of underWay) next.add(node, count);
    return next;
  }

  get totalLoad(): number {
    return this.#totalLoad;
  }

  has(node: NodeKey): boolean {
    return this.#indexOf.has(node);
  }

  /** More or less under way to one of them; nothing if it is none. */
  add(node: NodeKey, count: number): void {
    const index = this.#indexOf.get(node);
    if (index === undefined) return;
    this.loads[index] = (this.loads[index] as number) + count;
    this.#totalLoad += count;
  }

  sample(phiOf: (node: NodeKey) => number | undefined): void {
    for (let i = 0; i < this.members.length; i++)
      this.phis[i] = phiOf((this.members[i] as Member).node) ?? UNOBSERVED;
  }

  /** Of at least one. */
  pick(key: string): NodeKey {
    const member = this.members[this.picker.pick(key, this)];
    if (member !== undefined) return member.node;
    throw new Error(
      `the strategy ${this.#strategy.name} picked none of its ${this.members.length} routees`,
    );
  }
}

/** The same members in the same order, and nothing new about them. */
export const sameMembers = (a: readonly Member[], b: readonly Member[]): boolean =>
  a.length === b.length && a.every((member, i) => member === b[i]);
