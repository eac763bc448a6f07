/**
 * One piece of news among n nodes in rounds, each node turning to one other a round, chosen by chance. Push: who
 * knows it tells it. Pull: who does not know it asks. Push-pull: both at once. Demers et al., "Epidemic Algorithms
 * for Replicated Database Maintenance", 1987; why push-pull can stop soonest: Karp, Schindelhauer, Shenker and
 * Vöcking, "Randomized Rumor Spreading", 2000.
 */

export type Way = 'push' | 'pull' | 'push-pull';

export interface Spread {
  /** How many knew after each round, from 1 on. */
  readonly knowing: readonly number[];
  /** How often the news was sent until all knew, those who knew it already included. */
  readonly copies: number;
}

/** Rounds until all know. Nobody turns to itself. `chance.next()` is uniform in [0, 1). */
export function spread(way: Way, nodes: number, chance: { next(): number }): Spread {
  const knows = new Uint8Array(nodes);
  knows[0] = 1;
  const knowing = [1];
  let copies = 0;
  for (let count = 1; count < nodes; knowing.push(count)) {
    // All turn to somebody at the same time: what is learnt in a round is told from the next on.
    const before = knows.slice();
    const learn = (node: number) => {
      copies++;
      if (knows[node] === 0) count++;
      knows[node] = 1;
    };
    for (let node = 0; node < nodes; node++) {
      if (way === 'push' && before[node] === 0) continue;
      if (way === 'pull' && before[node] === 1) continue;
      const drawn = Math.floor(chance.next() * (nodes - 1));
      const other = drawn < node ? drawn : drawn + 1;
      if (way !== 'pull' && before[node] === 1) learn(other);
      if (way !== 'push' && before[other] === 1) learn(node);
    }
  }
  return { knowing, copies };
}
