/**
 * The second kind of failure: what only a bug can do. Assertions stay on in production, because a
 * wrong view of the cluster is worse than none. What the world can do is never asserted here; it is
 * answered with a value (`undefined` from `apply`, a word from `judge`).
 */
export function assert(fact: boolean, claim: string): asserts fact {
  if (!fact) throw new Error(`bug: not true that ${claim}`);
}
