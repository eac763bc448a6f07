/**
 * A set of keys in order, shared by every state that has exactly these keys: sorting is paid for
 * when somebody comes or goes, not when a status or a row changes. Worked out when first asked for.
 */
import { type NodeKey, searchKeys, sortKeys } from './node-key.js';

export class KeyOrder {
  #keys: readonly NodeKey[] | null = null;
  #source: (() => readonly NodeKey[]) | null;
  #slots: readonly number[] | null = null;
  #positions: ReadonlyMap<NodeKey, number> | null = null;
  readonly #remembered = new Map<string, unknown>();

  private constructor(source: () => readonly NodeKey[]) {
    this.#source = source;
  }

  static of(collect: () => Iterable<NodeKey>): KeyOrder {
    return new KeyOrder(() => sortKeys(collect()));
  }

  /**
   * The order after some keys came and some went; `collect` is the way round when nothing is known.
   */
  changed(
    came: readonly NodeKey[],
    went: readonly NodeKey[],
    collect: () => Iterable<NodeKey>,
  ): KeyOrder {
    if (came.length === 0 && went.length === 0) return this;
    const before = this.#keys;
    if (before === null) return KeyOrder.of(collect);
    return new KeyOrder(() => edited(before, came, went));
  }

  get keys(): readonly NodeKey[] {
    if (this.#keys === null) {
      this.#keys = this.#source?.() ?? [];
      this.#source = null;
    }
    return this.#keys;
  }

  /** The position of a key, or -1. */
  indexOf(key: NodeKey): number {
    return this.#positions?.get(key) ?? Math.max(-1, searchKeys(this.keys, key));
  }

  /** Where each of the keys stands, for questions about many of them. */
  get positions(): ReadonlyMap<NodeKey, number> {
    this.#positions ??= new Map(this.keys.map((key, at) => [key, at]));
    return this.#positions;
  }

  /** Per position, where `locate` finds the key: it must depend on the set of keys alone. */
  slots(locate: (key: NodeKey) => number): readonly number[] {
    this.#slots ??= this.keys.map(locate);
    return this.#slots;
  }

  /** Keeps what follows from these keys alone, such as the rings over them. */
  recall<T>(topic: string, make: () => T): T {
    if (!this.#remembered.has(topic)) this.#remembered.set(topic, make());
    return this.#remembered.get(topic) as T;
  }

  /** What `recall` would answer without work. */
  recalled<T>(topic: string): T | undefined {
    return this.#remembered.get(topic) as T | undefined;
  }
}

function edited(
  before: readonly NodeKey[],
  came: readonly NodeKey[],
  went: readonly NodeKey[],
): readonly NodeKey[] {
  const gone = new Set(went);
  const kept = gone.size === 0 ? before : before.filter((key) => !gone.has(key));
  const keys: NodeKey[] = [];
  let from = 0;
  for (const key of sortKeys(came)) {
    const at = -1 - searchKeys(kept, key);
    for (; from < at; from += 1) keys.push(kept[from] as NodeKey);
    keys.push(key);
  }
  for (; from < kept.length; from += 1) keys.push(kept[from] as NodeKey);
  return keys;
}
