/** By a metric of the user's own: capacity, free memory, price. */
import { ClusterError, type Member } from '@rollcall/core';
import type { Evidence, Picker, Strategy } from './strategy.js';

/** A finite number of at least 0; a member with twice the weight is picked twice as often. */
export type Metric = (member: Member) => number;

class Weighted implements Picker {
  readonly #routees: readonly Member[];
  readonly #metric: Metric;
  readonly #weights: Float64Array;

  constructor(routees: readonly Member[], metric: Metric) {
    this.#routees = routees;
    this.#metric = metric;
    this.#weights = new Float64Array(routees.length);
  }

  pick(_: string, { chance }: Evidence): number {
    const weights = this.#weights;
    let total = 0;
    for (let i = 0; i < weights.length; i++) total += this.#weigh(i);
    if (total === 0) return chance.below(weights.length);
    let left = chance.unit() * total;
    let last = 0;
    for (let i = 0; i < weights.length; i++) {
      const weight = weights[i] as number;
      if (weight === 0) continue;
      last = i;
      left -= weight;
      if (left < 0) return i;
    }
    // Rounding can leave a crumb behind the last one that weighs anything.
    return last;
  }

  #weigh(index: number): number {
    const member = this.#routees[index] as Member;
    const weight = this.#metric(member);
    this.#weights[index] = weight;
    if (typeof weight === 'number' && weight >= 0 && weight < Number.POSITIVE_INFINITY)
      return weight;
    const takes =
      'the metric of weighted() takes a member and answers a finite number of at least 0';
    const message = `${takes}, not ${String(weight)} for ${member.node}`;
    throw new ClusterError('badSetting', message, { setting: 'metric', node: member.node });
  }
}

/**
 * By chance, in proportion to `metric`, which is called for each routee at every pick and so may change at any time;
 * it should look up a value, not compute one. Weight 0 gets nothing while another weighs something; if all weigh 0, all
 * are alike. A weight that is none makes the pick throw `badSetting`.
 */
export function weighted(metric: Metric): Strategy {
  if (typeof metric !== 'function') {
    const message = `weighted() takes a function from a member to its weight, not ${typeof metric}`;
    throw new ClusterError('badSetting', message, { setting: 'metric' });
  }
  return { name: 'weighted', over: (routees) => new Weighted(routees, metric) };
}
