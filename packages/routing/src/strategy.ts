/**
 * What a router picks by. A strategy is told the routees when they change, and answers with a picker; the picker is
 * asked for every message. Neither reads a clock nor keeps time: what changes from moment to moment comes as evidence.
 */
import type { Member } from '@rollcall/core';
import type { Chance } from './chance.js';

/** What a pick may look at beside the key. The arrays are in the order of the routees. */
export interface Evidence {
  readonly chance: Chance;
  /** This node's suspicion of each, sampled; -1 where it has none because it does not observe that member. */
  readonly phis: Float64Array;
  /** Messages of this router that are under way to each: asks without their answer, tells not yet handed to the socket. */
  readonly loads: Int32Array;
  /** Their sum. */
  readonly totalLoad: number;
}

export interface Picker {
  /** An index into the routees, of which there is at least one. `key` is empty where the strategy takes none. */
  pick(key: string, evidence: Evidence): number;
}

export interface Strategy {
  /** As it is called in messages to people. */
  readonly name: string;
  /**
   * Every message needs a key, and the same key goes to the same member, whichever node sends it, as long as the
   * nodes have the same routees.
   */
  readonly takesKey?: boolean;
  /** Looks at `phis`: a router samples them for such a strategy only. */
  readonly readsPhi?: boolean;
  /** Every message goes to all routees. */
  readonly sendsToAll?: boolean;
  /** `routees` are in address order; `before` is what this strategy answered for the routees before. */
  over(routees: readonly Member[], before: Picker | undefined): Picker;
}
