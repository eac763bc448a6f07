/**
 * What a downing decision rests on, as a fingerprint (PROTOCOL "Downing"). While it stays the same
 * a crashed member's time runs; rows that convict nobody and flags that change no accusation leave
 * it alone, so that one nervous node cannot keep a dead one in the cluster. Nor can a stream of
 * newcomers, or of leavers: they are not counted, or counted still.
 */
import { accusations } from './accusations.js';
import { Fingerprint } from './fingerprint.js';
import { isLive } from './member.js';
import type { Rules } from './quorum.js';
import type { State } from './state.js';

/**
 * Covers all that says who goes by `decide`: the configuration, who of it is live, whether a number
 * is committed (the configuration before the last promotion depends on it), and the accusations
 * that count. Whoever has no vote and is in no accusation stays in any case.
 */
export const stabilityKey = (state: State, rules: Rules): string =>
  state.recollection.recall('stability', rules, () => {
    const voters = state.counted.map(({ key, status, upNumber }) => [
      key,
      isLive(status),
      upNumber,
      upNumber === state.epoch,
    ]);
    return Fingerprint.of(JSON.stringify([voters, accusations(state, rules).pairs])).digest;
  });
