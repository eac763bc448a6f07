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

/** What is to come when those who are on the way out have gone. */
interface Coming {
  readonly going: string;
  readonly from: OwnerRing;
  readonly to: OwnerRing;
}

type Step = Pick<Move, 'key' | 'from' | 'to'>;

export class MoveFinder {
  readonly #keys: () => Iterable<string>;
  readonly #clock: Clock;
  readonly #gone = new Map<NodeKey, 'left' | 'removed'>();
  readonly #removals: Removals;
  #before: OwnerRing | undefined;
  /** What was told to come last: the rings before and after it. */
  #told: Coming | undefined;

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
    const coming = comingFrom(ring);
    // The keys are the user's to name: if that fails nothing is noted, and the next state finds what moved.
    const moved = this.#found('moved', state, before, ring, () => true);
    const soon = this.#soon(state, coming);
    this.#before = ring;
    this.#told = coming;
    this.#gone.clear();
    return [...moved, ...soon];
  }

  /** What of it was not told yet. */
  #soon(state: ClusterState, coming: Coming | undefined): readonly PlacementChange[] {
    const told = this.#told;
    if (coming === undefined) return [];
    const { going, from: ring, to: after } = coming;
    if (told?.going === going && told.from.isLike(ring) && told.to.isLike(after)) return [];
    const isNews = ({ key, from, to }: Step) =>
      told?.from.ownerOf(key) !== from || told?.to.ownerOf(key) !== to;
    return this.#found('coming', state, ring, after, isNews);
  }

  #found(
    phase: PlacementChange['phase'],
    { epoch, members }: ClusterState,
    before: OwnerRing,
    after: OwnerRing,
    isNews: (step: Step) => boolean,
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

function comingFrom(ring: OwnerRing): Coming | undefined {
  const stay = new Set(remaining(ring.members));
  const goes = ring.members.filter((member) => !stay.has(member));
  if (goes.length === 0) return undefined;
  const going = goes.map(({ node }) => node).join(' ');
  return { going, from: ring, to: ring.with([...stay]) };
}
