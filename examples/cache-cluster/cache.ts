/**
 * A cache over many nodes, before a store. Whoever reads asks the owner of the key, by its own opinion of who that is; what
 * the owner does not hold is read from the store.
 */

/** Who is there, as each reader holds it. */
export interface Opinion {
  ownerOf(reader: string, key: string): string | undefined;
  /** Taken out by the others: such a node misses what is invalidated, so it starts empty when it comes back. */
  isOut(name: string): boolean;
}

export interface Second {
  readonly reads: number;
  readonly hits: number;
  /** Keys of another owner than a second ago. */
  readonly moved: number;
  /** Nodes that are taken out. */
  readonly out: number;
}

/** Of its fair share of the keys, how many a node has room for. */
const ROOM = 1.25;

export class Cache {
  readonly #names: readonly string[];
  readonly #keys: readonly string[];
  readonly #opinion: Opinion;
  /** What each node holds, the least recently used first. */
  readonly #held: ReadonlyMap<string, Set<string>>;
  readonly #room: number;
  #owners: readonly (string | undefined)[] = [];

  constructor(names: readonly string[], keys: readonly string[], opinion: Opinion) {
    this.#names = names;
    this.#keys = keys;
    this.#opinion = opinion;
    this.#held = new Map(names.map((name) => [name, new Set()]));
    this.#room = (ROOM * keys.length) / names.length;
    this.#owners = this.#ownersNow();
    for (const [i, owner] of this.#owners.entries()) this.#put(owner, keys[i] ?? '');
  }

  /** So many reads, of any key at any node, save that a deaf one neither reads nor answers. */
  second(reads: number, random: () => number, isDeaf: (name: string) => boolean): Second {
    const out = this.#names.filter((name) => this.#opinion.isOut(name));
    for (const name of out) this.#held.get(name)?.clear();
    const owners = this.#ownersNow();
    const moved = owners.filter((owner, i) => owner !== this.#owners[i]).length;
    this.#owners = owners;
    const any = (list: readonly string[]) => list[Math.floor(random() * list.length)] ?? '';
    const readers = this.#names.filter((name) => !isDeaf(name));
    let hits = 0;
    for (let i = 0; i < reads; i++) {
      const key = any(this.#keys);
      const owner = this.#opinion.ownerOf(any(readers), key);
      if (owner === undefined || isDeaf(owner)) continue;
      if (this.#held.get(owner)?.has(key)) hits++;
      this.#put(owner, key);
    }
    return { reads, hits, moved, out: out.length };
  }

  /** By the last node: it is well throughout. */
  #ownersNow(): readonly (string | undefined)[] {
    const reader = this.#names.at(-1) ?? '';
    return this.#keys.map((key) => this.#opinion.ownerOf(reader, key));
  }

  #put(owner: string | undefined, key: string): void {
    const held = this.#held.get(owner ?? '');
    held?.delete(key);
    held?.add(key);
    const [oldest] = held ?? [];
    if (held && oldest !== undefined && held.size > this.#room) held.delete(oldest);
  }
}
