/** What only a bug can do. On in production: a wrong view of the cluster is worse than none. */

/** Nobody catches this; the node stops with the claim in its last words. */
export function assert(fact: boolean, claim: string): asserts fact {
  if (!fact) throw new Error(`bug: not true that ${claim}`);
}
