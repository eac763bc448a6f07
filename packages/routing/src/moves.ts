/**
 * What moves from one placement to the next, and how the former owner went: that decides for what its successor should
 * wait (`take-over.ts`).
 */
import type { Clock, ClusterState, Member, NodeKey } from '@rollcall/core';
import type { OwnerRing } from './owner-ring.js';
import { remaining } from './owners.js';

/**
 * Of the owner that a key moves from: `none`, there was none; `there`, it is a member still and can hand over; `left`, it was
 * removed after it had said itself that it was done; `removed`, others removed it, and it may not know yet.
 */
export type Former = 'none' | 'there' | 'left' | 'removed';

export interface Move {
  readonly key: string;
  readonly from: NodeKey | undefined;
  readonly to: NodeKey | undefined;
  readonly former: Former;
  /** Of this node's clock: when it learned of it. */
  readonly atMs: number;
}

export interface PlacementChange {
  /** `coming`: the owner is on its way out, and is the owner until it is removed. `moved`: the keys have new owners. */
  readonly phase: 'coming' | 'moved';
  /** Of the state that says so; equal epochs, equal owners, under `moveOn: 'removal'`. */
  readonly epoch: number;
  readonly moves: readonly Move[];
}

/** As if this node had come just now: what it has by then it has from those who would have it without it. */
const withoutSelf = ({ self }: ClusterState, ring: OwnerRing): OwnerRing =>
  ring.with(ring.members.filter(({ node }) => node !== self));

export class MoveFinder {
  readonly #keys: () => Iterable<string>;
  readonly #clock: Clock;
  readonly #gone = new Map<NodeKey, 'left' | 'removed'>();
  #before: OwnerRing | undefined;
  /** Who is on the way out, as far as it was told. */
  #going = '';

  constructor(keys: () => Iterable<string>, clock: Clock) {
    this.#keys = keys;
    this.#clock = clock;
  }

  removed(node: NodeKey, last: Member | undefined): void {
    // Whoever exits has said that it does nothing more. One that was down may run on.
    this.#gone.set(node, last?.status === 'exiting' ? 'left' : 'removed');
  }

  changes(state: ClusterState, ring: OwnerRing): readonly PlacementChange[] {
    const before = this.#before ?? withoutSelf(state, ring);
    // The keys are the user's to name: if that fails nothing is noted, and the next state finds what moved.
    const found = this.#found('moved', state, before, ring);
    this.#before = ring;
    this.#gone.clear();
    return [...found, ...this.#coming(state, ring)];
  }

  #coming(state: ClusterState, ring: OwnerRing): readonly PlacementChange[] {
    const stay = remaining(ring.members);
    const going = ring.members.filter((member) => !stay.includes(member));
    const said = going.map(({ node }) => node).join(' ');
    if (said === this.#going) return [];
    const found = going.length === 0 ? [] : this.#found('coming', state, ring, ring.with(stay));
    this.#going = said;
    return found;
  }

  #found(
    phase: PlacementChange['phase'],
    { epoch, members }: ClusterState,
    before: OwnerRing,
    after: OwnerRing,
  ): readonly PlacementChange[] {
    if (before.isLike(after)) return [];
    const isThere = new Set(members.map(({ node }) => node));
    const atMs = this.#clock.nowMs();
    const moves: Move[] = [];
    for (const key of this.#keys()) {
      const [from, to] = [before.ownerOf(key), after.ownerOf(key)];
      if (from === to) continue;
      const former = this.#formerOf(from, isThere);
      moves.push(Object.freeze({ key, from, to, former, atMs }));
    }
    return moves.length === 0 ? [] : [Object.freeze({ phase, epoch, moves: Object.freeze(moves) })];
  }

  #formerOf(from: NodeKey | undefined, isThere: ReadonlySet<NodeKey>): Former {
    if (from === undefined) return 'none';
    return isThere.has(from) ? 'there' : (this.#gone.get(from) ?? 'removed');
  }
}
