/**
 * What a downing decision rests on, as a fingerprint (PROTOCOL "Downing"). While it stays the same
 * a crashed member's time runs; rows that convict nobody and flags that change no accusation leave
 * it alone, so that one nervous node cannot keep a dead one in the cluster.
 */
import { accusations } from './accusations.js';
import { Fingerprint } from './fingerprint.js';
import { RANK } from './member.js';
import type { Rules } from './quorum.js';
import type { State } from './state.js';

/**
 * Covers what `decide` reads: members with status and upNumber, whether that number is committed
 * (the configuration before the last promotion depends on it), and the accusations that count.
 */
export const stabilityKey = (state: State, rules: Rules): string =>
  state.recollection.recall('stability', rules, () => {
    const members = state.members.map(({ key, status, upNumber }) => [
      key,
      RANK[status],
      upNumber,
      upNumber === state.epoch,
    ]);
    return Fingerprint.of(JSON.stringify([members, accusations(state, rules).pairs])).digest;
  });
