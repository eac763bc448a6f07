/**
 * Looks over a node's shoulder at what it tells subscribers: its events, replayed over the first state,
 * must give each state it publishes, and nobody is removed twice or comes back.
 */
import type { NodeKey } from '@rollcall/convergence';
import { expect } from 'vitest';
import type { ClusterEvent } from './cluster-event.js';
import type { ClusterState } from './member-view.js';
import { replay } from './replay.js';

/** What events tell of a state. */
export const shown = ({ members, convergence }: ClusterState) => ({
  convergence,
  members: members.map(({ node, status, reachability }) => [node, status, reachability]),
});

export class EventAudit {
  readonly #name: string;
  readonly #removed = new Set<NodeKey>();
  #told: ClusterState;

  constructor(name: string, first: ClusterState) {
    this.#name = name;
    this.#told = first;
  }

  told(event: ClusterEvent): void {
    this.#told = replay(this.#told, event);
    if (event.type !== 'memberRemoved') return;
    const { node } = event.member;
    expect(this.#removed.has(node), `${this.#name} told twice that ${node} is removed`).toBe(false);
    this.#removed.add(node);
  }

  published(state: ClusterState): void {
    expect(shown(this.#told), `${this.#name}: events give the state`).toEqual(shown(state));
    this.#told = state;
    const back = state.members.filter(({ node }) => this.#removed.has(node));
    expect(back, `${this.#name} shows somebody who was removed`).toEqual([]);
  }
}
