/**
 * What a downing decision comes to, as a fingerprint (PROTOCOL "Downing"). While it stays the same a
 * crashed member's time runs. It is the outcome that must be stable and not what it rests on: each
 * newcomer that misses the crashed one too, each leaver and each nervous row changes the grounds,
 * and one after the other they would keep a dead member in the cluster for ever.
 */
import { accusations } from './accusations.js';
import { contenders, decide } from './decide.js';
import { Fingerprint } from './fingerprint.js';
import type { NodeKey } from './node-key.js';
import type { Rules } from './quorum.js';
import type { State } from './state.js';

/**
 * Covers who goes, by `decide` or once the lease is granted. Where nobody is quorate all stop, and
 * then it is whom that is for, the accused.
 */
export const stabilityKey = (state: State, rules: Rules): string =>
  state.recollection.recall('stability', rules, () => {
    const without = (stayers: ReadonlySet<NodeKey>) =>
      state.electorateKeys.filter((key) => !stayers.has(key));
    const stayers = decide(state, rules) ?? contenders(state, rules);
    const outcome = stayers
      ? ['go', without(stayers)]
      : ['none', [...accusations(state, rules).accused]];
    return Fingerprint.of(JSON.stringify(outcome)).digest;
  });
