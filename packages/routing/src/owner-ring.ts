/**
 * A hash ring over members. They are on it by address, so that one that is started again there takes its keys up; what it
 * answers are unique addresses.
 */
import type { Member, NodeKey } from '@rollcall/core';
import type { HashRing } from './hash-ring.js';

export class OwnerRing {
  /** In address order. */
  readonly members: readonly Member[];
  readonly #ring: HashRing;
  readonly #nodes: ReadonlyMap<string, NodeKey>;

  constructor(members: readonly Member[], ring: HashRing) {
    this.members = members;
    // Of two runs at one address the one that is not on its way out.
    const last = [...members].sort((a, b) => Number(b.status !== 'up') - Number(a.status !== 'up'));
    this.#nodes = new Map(last.map(({ address, node }) => [address, node]));
    this.#ring = ring.with(this.#nodes.keys());
  }

  /** The same ring object when the same runs own, in whatever condition they are. */
  with(members: readonly Member[]): OwnerRing {
    const isSame =
      members.length === this.members.length &&
      members.every((member, i) => member === this.members[i]);
    return isSame ? this : new OwnerRing(members, this.#ring);
  }

  /** Every key has the same owner on both. */
  isLike(other: OwnerRing): boolean {
    if (this.#ring !== other.#ring) return false;
    return [...this.#nodes].every(([address, node]) => other.#nodes.get(address) === node);
  }

  ownerOf(key: string): NodeKey | undefined {
    const name = this.#ring.ownerOf(key);
    return name === undefined ? undefined : this.#nodes.get(name);
  }
}
