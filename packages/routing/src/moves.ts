/**
 * What moves from one placement to the next, and how the former owner went: that decides for what its successor should
 * wait (`take-over.ts`).
 */
import type { Clock, ClusterState, Member, NodeKey, Settings } from '@rollcall/core';
import type { OwnerRing } from './owner-ring.js';
import { remaining } from './owners.js';
import { Removals, removalMarginMs } from './removals.js';

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
  /**
   * When this node learned that others had removed an owner of this key, `from` or one before it; undefined unless that was within the
   * removal margin. Whoever had the key since may have been waiting still.
   */
  readonly removedAtMs?: number | undefined;
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
  readonly #removals: Removals;
  #before: OwnerRing | undefined;
  /** What was told to come last: the rings before and after it. */
  #coming: { readonly going: string; readonly from: OwnerRing; readonly to: OwnerRing } | undefined;

  constructor(keys: () => Iterable<string>, clock: Clock, settings: Settings) {
    this.#keys = keys;
    this.#clock = clock;
    this.#removals = new Removals(clock, removalMarginMs(settings));
  }

  removed(node: NodeKey, last: Member | undefined): void {
    // Whoever exits has said that it does nothing more. One that was down may run on.
    const how = last?.status === 'exiting' ? 'left' : 'removed';
    this.#gone.set(node, how);
    if (how === 'removed' && this.#before !== undefined) this.#removals.note(node, this.#before);
  }

  changes(state: ClusterState, ring: OwnerRing): readonly PlacementChange[] {
    const before = this.#before ?? withoutSelf(state, ring);
    // The keys are the user's to name: if that fails nothing is noted, and the next state finds what moved.
    const found = this.#found('moved', state, before, ring, () => true);
    this.#before = ring;
    this.#gone.clear();
    return [...found, ...this.#soon(state, ring)];
  }

  #soon(state: ClusterState, ring: OwnerRing): readonly PlacementChange[] {
    const stay = new Set(remaining(ring.members));
    const goes = ring.members.filter((member) => !stay.has(member));
    const going = goes.map(({ node }) => node).join(' ');
    const told = this.#coming;
    if (going === (told?.going ?? '')) return [];
    const coming = goes.length === 0 ? undefined : { going, from: ring, to: ring.with([...stay]) };
    const isNews = ({ key, from, to }: Pick<Move, 'key' | 'from' | 'to'>) =>
      told?.from.ownerOf(key) !== from || told?.to.ownerOf(key) !== to;
    const found = coming && this.#found('coming', state, coming.from, coming.to, isNews);
    this.#coming = coming;
    return found ?? [];
  }

  #found(
    phase: PlacementChange['phase'],
    { epoch, members }: ClusterState,
    before: OwnerRing,
    after: OwnerRing,
    isNews: (move: Pick<Move, 'key' | 'from' | 'to'>) => boolean,
  ): readonly PlacementChange[] {
    if (before.isLike(after)) return [];
    const isThere = new Set(members.map(({ node }) => node));
    const atMs = this.#clock.nowMs();
    const moves: Move[] = [];
    for (const key of this.#keys()) {
      const [from, to] = [before.ownerOf(key), after.ownerOf(key)];
      if (from === to || !isNews({ key, from, to })) continue;
      const former = this.#formerOf(from, isThere);
      const removedAtMs = this.#removals.lastOf(key);
      moves.push(Object.freeze({ key, from, to, former, atMs, removedAtMs }));
    }
    return moves.length === 0 ? [] : [Object.freeze({ phase, epoch, moves: Object.freeze(moves) })];
  }

  #formerOf(from: NodeKey | undefined, isThere: ReadonlySet<NodeKey>): Former {
    if (from === undefined) return 'none';
    return isThere.has(from) ? 'there' : (this.#gone.get(from) ?? 'removed');
  }
}
