/**
 * Who goes, if things stay as they are (PROTOCOL "Downing"). Each of them has a time of its own, for as
 * long as it is among these without a break. It is the outcome that must be stable, for one member, and
 * not what it rests on: newcomers that miss a crashed member too, leavers, nervous rows and newcomers that
 * crash themselves change the grounds, and one after the other they would keep a dead one in for ever.
 */
import { contenders, decide } from './decide.js';
import type { NodeKey } from './node-key.js';
import type { Rules } from './quorum.js';
import type { State } from './state.js';

/**
 * In key order: whom `decide` lets go, or would once the lease is granted. Where nobody is quorate that
 * is everybody.
 */
export const goers = (state: State, rules: Rules): readonly NodeKey[] =>
  state.recollection.recall('goers', rules, () => {
    const stayers = decide(state, rules) ?? contenders(state, rules);
    return state.electorateKeys.filter((key) => stayers?.has(key) !== true);
  });
