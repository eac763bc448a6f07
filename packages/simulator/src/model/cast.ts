/** Who plays: the processes of a plan in key order, their keys, and what may reach whom. */
import { addressOf, compareKeys, type NodeKey } from '@rollcall/convergence';
import type { Plan } from './plan.js';

/** `A` stands for the key `A#1`, `B2` for `B#2`: a later run on the same address. */
export const keyOf = (name: string): NodeKey => `${name[0]}#${name.slice(1) || '1'}`;

export const nameOf = (key: NodeKey): string => key.replace('#1', '').replace('#', '');

export const namesIn = (text: string): readonly string[] => text.match(/[A-Z]\d*/g) ?? [];

export class Cast {
  readonly names: readonly string[];
  readonly keys: readonly NodeKey[];
  readonly size: number;
  /** By process, the one that must be gone before it starts, or -1. */
  readonly before: readonly number[];
  readonly #index: ReadonlyMap<NodeKey, number>;
  readonly #bridge: number;
  readonly #deaf: readonly number[];

  constructor(plan: Plan) {
    const names = namesIn(plan.up + plan.join + plan.found);
    this.keys = names.map(keyOf).sort(compareKeys);
    this.names = this.keys.map(nameOf);
    this.size = this.keys.length;
    this.#index = new Map(this.keys.map((key, index) => [key, index]));
    this.before = this.keys.map((key, index) => {
      const earlier = this.keys.findLastIndex(
        (other, at) => at < index && addressOf(other) === addressOf(key),
      );
      return earlier;
    });
    this.#bridge = this.maskOf(plan.bridge);
    this.#deaf = this.keys.map((_, index) => {
      const links = plan.deaf.split(' ').filter((link) => this.indexOfName(link[0]) === index);
      return links.reduce((mask, link) => mask | this.maskOf(link.slice(2)), 0);
    });
  }

  indexOf(key: NodeKey): number {
    return this.#index.get(key) ?? -1;
  }

  indexOfName(name: string | undefined): number {
    return name === undefined || name === '' ? -1 : this.indexOf(keyOf(name));
  }

  maskOf(names: string): number {
    return namesIn(names).reduce((mask, name) => mask | (1 << this.indexOfName(name)), 0);
  }

  maskOfKeys(keys: Iterable<NodeKey>): number {
    let mask = 0;
    for (const key of keys) mask |= 1 << this.indexOf(key);
    return mask;
  }

  namesOf(mask: number): string {
    return this.names.filter((_, index) => (mask >> index) & 1).join(',');
  }

  /**
   * Whom a process can exchange messages with, when `side` is one side of a partition (0: none).
   */
  reachableFrom(process: number, side: number): number {
    const all = (1 << this.size) - 1;
    const self = 1 << process;
    if (side === 0 || this.#bridge & self) return all & ~self;
    const mine = side & self ? side : all & ~side;
    return (mine | this.#bridge) & ~self;
  }

  /** Whom a process hears nothing of although their messages get through by way of others. */
  deafTo(process: number): number {
    return this.#deaf[process] ?? 0;
  }
}
