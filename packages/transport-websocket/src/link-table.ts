/**
 * The open links of one lane, by peer, and which of two links to one peer stays. Both ends rank links
 * by the same rule, and only one end acts on it at once: the node with the lower key closes the
 * loser, the other waits for that, so that the two can never close one link each and be left with
 * none. Until it is closed a loser still delivers what was sent on it.
 */
import { compareKeys, type NodeKey } from '@rollcall/core';

/** What the rule looks at. */
export interface LinkFacts {
  readonly id: number;
  readonly peerKey: NodeKey;
  /** Did this end dial it? */
  readonly isDialled: boolean;
  /** When its connection was begun or accepted here, and when its handshake was through. */
  readonly startedMs: number;
  readonly openedMs: number;
}

export interface Opened<L> {
  /** It is the first link to this peer. */
  readonly isFirst: boolean;
  /** Links that lost; this end closes them now if it `decides`, else only when the peer has not. */
  readonly losers: readonly L[];
  readonly decides: boolean;
}

interface Entry<L> {
  current: L;
  readonly all: Set<L>;
}

export class LinkTable<L extends LinkFacts> {
  readonly #entries = new Map<NodeKey, Entry<L>>();

  /** The link to send on. */
  current(peer: NodeKey): L | undefined {
    return this.#entries.get(peer)?.current;
  }

  /** Peers with a link. */
  peers(): Iterable<NodeKey> {
    return this.#entries.keys();
  }

  links(): readonly L[] {
    return [...this.#entries.values()].flatMap(({ all }) => [...all]);
  }

  has(link: L): boolean {
    return this.#entries.get(link.peerKey)?.all.has(link) ?? false;
  }

  opened(self: NodeKey, link: L): Opened<L> {
    const { peerKey } = link;
    const decides = compareKeys(self, peerKey) < 0;
    const entry = this.#entries.get(peerKey);
    if (!entry) {
      this.#entries.set(peerKey, { current: link, all: new Set([link]) });
      return { isFirst: true, losers: [], decides };
    }
    entry.all.add(link);
    entry.current = preferred(entry.current, link, decides);
    return { isFirst: false, losers: [...entry.all].filter((l) => l !== entry.current), decides };
  }

  /** True when that was the last link to the peer. A link that is being closed is no link any more. */
  closed(link: L): boolean {
    const entry = this.#entries.get(link.peerKey);
    if (!entry?.all.delete(link)) return false;
    const rest = [...entry.all];
    if (rest.length === 0) return this.#entries.delete(link.peerKey);
    // Only one that this end has not given up can take over, and losers were given up last.
    if (entry.current === link) entry.current = rest.reduce(newer);
    return false;
  }
}

/**
 * Two ends that dial each other at once have two handshakes under way at the same time: the one
 * dialled by the lower key stays. Otherwise the newer stays, because a node that has a link does not
 * dial: whoever dialled has lost the older one, even if this end has not noticed yet.
 */
function preferred<L extends LinkFacts>(a: L, b: L, isLower: boolean): L {
  const overlap = a.startedMs < b.openedMs && b.startedMs < a.openedMs;
  if (overlap && a.isDialled !== b.isDialled) return a.isDialled === isLower ? a : b;
  return newer(a, b);
}

const newer = <L extends LinkFacts>(a: L, b: L): L =>
  b.openedMs > a.openedMs || (b.openedMs === a.openedMs && b.id > a.id) ? b : a;
