/**
 * The Random port: the only door through which chance enters a node. The simulator hands each
 * node its own seeded stream, so a seed replays a whole history.
 */

export interface Random {
  /** Uniform in [0, 1). */
  next(): number;
  /** A fresh identifier for one run of one node: 16 lower-case hex characters (64 bits), never seen before. */
  uid(): string;
}
