/** What the last view of a cluster was made of, so that the next one makes only what differs. */
import type { NodeKey } from '@rollcall/convergence';
import type { Member } from './member-view.js';

export class ViewCache {
  readonly shown = new Map<NodeKey, Member>();
}
