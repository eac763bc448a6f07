/**
 * The links of the rings that are broken, as positions in the electorate: where either end holds the
 * other unreachable. What the rows say is worked out once for a state; what a node holds beside its row
 * is put on top, and where it brings nothing the same object serves.
 */
import type { BaseGraph } from './base-graph.js';
import { isLive } from './member.js';
import type { NodeKey } from './node-key.js';
import type { Rules } from './quorum.js';
import type { State } from './state.js';

const none: readonly number[] = Object.freeze([]);

export class BrokenLinks {
  /** Per position, the positions it has no link to: both ways, as one end's word is enough. */
  readonly #links: Map<number, Set<number>>;
  /** 1 at each position that somebody holds unreachable: the rings lead past it. */
  readonly #isNamed: Uint8Array;
  readonly #waysPast = new Map<number, readonly number[]>();

  private constructor(links: Map<number, Set<number>>, isNamed: Uint8Array) {
    this.#links = links;
    this.#isNamed = isNamed;
  }

  /** By the rows alone. */
  static in(state: State, rules: Rules): BrokenLinks {
    return state.recollection.recall('broken links', rules, () => {
      const broken = new BrokenLinks(new Map(), new Uint8Array(state.electorateKeys.length));
      const { positions } = state.electors;
      for (const bucket of state.buckets) {
        if (bucket.naming === 0) continue;
        for (const { key, status, row } of bucket.entries)
          if (isLive(status)) broken.#cut(key, row.unreachable, positions);
      }
      return broken;
    });
  }

  /** With those that one of them holds unreachable at this moment. */
  and(state: State, observer: NodeKey, subjects: ReadonlySet<NodeKey>): BrokenLinks {
    const { positions } = state.electors;
    const cut = this.#links.get(positions.get(observer) ?? -1);
    const news = [...subjects].filter((subject) => {
      const at = positions.get(subject);
      return at !== undefined && !(cut?.has(at) && this.isNamed(at));
    });
    if (news.length === 0) return this;
    const links = new Map(this.#links);
    for (const key of [observer, ...news]) {
      const at = positions.get(key);
      const before = at === undefined ? undefined : links.get(at);
      if (at !== undefined && before) links.set(at, new Set(before));
    }
    const more = new BrokenLinks(links, this.#isNamed.slice());
    more.#cut(observer, news, positions);
    return more;
  }

  get isAny(): boolean {
    return this.#links.size > 0;
  }

  at(position: number): ReadonlySet<number> | undefined {
    return this.#links.get(position);
  }

  isNamed(position: number): boolean {
    return this.#isNamed[position] === 1;
  }

  /** Where the rings lead from here past those who are named; one that is named itself is led past. */
  waysPast(graph: BaseGraph, position: number): readonly number[] {
    if (this.isNamed(position)) return none;
    let ways = this.#waysPast.get(position);
    if (ways === undefined) {
      ways = graph.linksPast(position, this.#isNamed);
      this.#waysPast.set(position, ways);
    }
    return ways;
  }

  #cut(
    observer: NodeKey,
    subjects: readonly NodeKey[],
    positions: ReadonlyMap<NodeKey, number>,
  ): void {
    const from = positions.get(observer);
    if (from === undefined) return;
    for (const subject of subjects) {
      const to = positions.get(subject);
      if (to === undefined || to === from) continue;
      this.#note(from, to);
      this.#note(to, from);
      this.#isNamed[to] = 1;
    }
  }

  #note(from: number, to: number): void {
    const known = this.#links.get(from);
    if (known) known.add(to);
    else this.#links.set(from, new Set([to]));
  }
}
