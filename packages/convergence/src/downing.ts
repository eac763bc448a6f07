/**
 * What a node does about a decision (PROTOCOL "Downing"), about those of whom the caller has found it
 * stable for long enough (`goers`). It acts only on a state that everybody who is to stay is known
 * to hold; that is for good decisions, not for safety, which the quorum in `converged` keeps.
 */
import { accusations } from './accusations.js';
import { contenders, decide } from './decide.js';
import type { Digest } from './fingerprint.js';
import type { Member } from './member.js';
import type { NodeKey } from './node-key.js';
import { type Rules, ties } from './quorum.js';
import { change, type Replica } from './replica.js';
import type { State } from './state.js';

/**
 * - `wait`: nobody is accused, or those who stay have not all seen this.
 * - `down`: of those who go, the due ones are marked Down, in one local change.
 * - `claim`: it is a tie, and whether this half stays is for the lease to say; by configuration.
 * - `stop`: this node goes. `minority`: the others are out of reach and win; `toldToGo`: those who
 *   stay can reach me and agree that I go; `notQuorate`: nobody wins.
 */
export type Downing =
  | { readonly kind: 'wait' }
  | { readonly kind: 'down'; readonly subjects: readonly NodeKey[]; readonly replica: Replica }
  | {
      readonly kind: 'claim';
      readonly configurations: readonly Digest[];
      readonly stayers: ReadonlySet<NodeKey>;
    }
  | { readonly kind: 'stop'; readonly reason: 'minority' | 'toldToGo' | 'notQuorate' };

const wait: Downing = Object.freeze({ kind: 'wait' });

/** `due` says whose time is up, this node's own included; without it everybody's is. */
export function downing(r: Replica, rules: Rules, due?: ReadonlySet<NodeKey>): Downing {
  const { state, seen, self } = r;
  const isDue = (key: NodeKey) => due?.has(key) ?? true;
  const { accused } = accusations(state, rules);
  const isIdle = r.phase !== 'member' || rules.strategy === 'manual' || accused.size === 0;
  if (isIdle || state.electorateIndex(self) < 0) return wait;
  const stayers = decide(state, rules);
  const heard = state.electorateKeys.filter((key) => !accused.has(key));
  const haveSeen = (keys: readonly NodeKey[]) => keys.every((key) => seen.hasKey(state, key));
  const half = contenders(state, rules);
  if (half !== null) return half.has(self) && haveSeen([...half]) ? claim(r, half, rules) : wait;
  if (!stayers?.has(self) && !isDue(self)) return wait;
  if (stayers === null) return haveSeen(heard) ? { kind: 'stop', reason: 'notQuorate' } : wait;
  if (!stayers.has(self)) {
    const deciding = heard.filter((key) => stayers.has(key));
    if (!haveSeen(deciding)) return wait;
    return { kind: 'stop', reason: deciding.length === 0 ? 'minority' : 'toldToGo' };
  }
  const leaving = state.electorate.filter(({ key }) => !stayers.has(key) && isDue(key));
  return leaving.length > 0 && haveSeen([...stayers]) ? markAll(r, leaving) : wait;
}

/** Whoever has a vote in the configuration may ask; a half that is refused stops by what it is told. */
function claim({ self, state }: Replica, stayers: ReadonlySet<NodeKey>, rules: Rules): Downing {
  const asked = ties(state, stayers, rules).filter(({ voters }) =>
    voters.some(({ key }) => key === self),
  );
  if (asked.length === 0) return wait;
  return { kind: 'claim', configurations: asked.map(({ id }) => id), stayers };
}

function markAll(r: Replica, leaving: readonly Member[]): Downing {
  const down = (state: State, member: Member) => state.with({ ...member, status: 'Down' });
  const state = leaving.reduce(down, r.state);
  const subjects = leaving.map(({ key }) => key);
  return { kind: 'down', subjects, replica: change(r, state) };
}
