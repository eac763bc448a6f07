/** What the last view of a cluster was made of, so that the next one makes only what differs. */
import type { NodeKey, State } from '@rollcall/convergence';
import type { Member } from './member-view.js';

export class ViewCache {
  readonly shown = new Map<NodeKey, Member>();
  /** Who else has seen a state is news far more often than the state itself: its members stay the same list. */
  latest:
    | { readonly state: State; readonly self: NodeKey; readonly members: readonly Member[] }
    | undefined;
}
