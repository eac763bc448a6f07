/**
 * The Resolver port: a seed address may name a host that stands for several machines.
 * Real nodes ask DNS; the simulator answers from a table.
 */

export interface Resolver {
  /**
   * Every address that the seed stands for, sorted, the port and scheme kept
   * (`ws://db.local:7355` may give `ws://10.0.0.1:7355` and `ws://10.0.0.2:7355`).
   * Rejects with a sentence that names the seed when the host cannot be resolved.
   */
  resolve(seed: string): Promise<readonly string[]>;
}
