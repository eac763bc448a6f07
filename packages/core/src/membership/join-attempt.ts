/**
 * What a node that looks for a cluster has found out so far: which seeds stand for which addresses,
 * who answered what, and which attempt is under way.
 */
import { addressOf, type NodeKey, type State } from '@rollcall/convergence';
import type { Refusal } from './hello.js';
import type { ResolvedSeed } from './input.js';
import type { Standing } from './message.js';

/** Where the attempt stands with the one node it asked. */
export type Asked =
  | { readonly kind: 'join'; readonly acceptor: NodeKey; readonly deadlineMs: number }
  | {
      readonly kind: 'introduce';
      readonly acceptor: NodeKey;
      readonly token: string;
      readonly welcome: State;
      readonly deadlineMs: number;
    };

export class JoinAttempt {
  readonly startedMs: number;
  /** Undefined until the resolver has answered. */
  seeds: readonly ResolvedSeed[] | undefined;
  /** The own, advertised address is being asked who answers there. */
  isAskingSelf = false;
  lookedUpAtMs = Number.NEGATIVE_INFINITY;
  isLookingUp = false;
  /** Addresses worth dialling: what the seeds stand for, and acceptors that others named. */
  readonly addresses = new Set<string>();
  readonly seedAddresses = new Set<string>();
  /** Who answered, by the unique address it answered with. */
  readonly answers = new Map<NodeKey, Standing>();
  /** When each of those who are linked last answered; from the link on, until it has. */
  readonly heardAtMs = new Map<NodeKey, number>();
  /** Who was reached at a dialled address. */
  readonly reached = new Map<string, NodeKey>();
  readonly refusals = new Map<string, Refusal>();
  readonly failures = new Map<string, string>();
  asked: Asked | undefined;
  /** Members of another cluster that this node gives way to; none of its own seeds need be in it. */
  met: readonly string[] = [];
  /** Not before this does it found a cluster of its own: it would meet that one again. */
  foundNotBeforeMs = Number.NEGATIVE_INFINITY;
  /** Not before this is anybody asked again. */
  notBeforeMs = Number.NEGATIVE_INFINITY;
  stalledToldAtMs: number;

  /** The seeds stand for these addresses now; what was noted of others goes, but for whoever is being asked. */
  lookedUp(seeds: readonly ResolvedSeed[], own: string): void {
    this.seeds = seeds;
    this.seedAddresses.clear();
    for (const { addresses } of seeds) {
      for (const address of addresses) if (address !== own) this.seedAddresses.add(address);
    }
    const kept = new Set([...this.seedAddresses, ...this.met]);
    if (this.asked !== undefined) kept.add(addressOf(this.asked.acceptor));
    for (const notes of [this.addresses, this.reached, this.refusals, this.failures]) {
      for (const address of notes.keys()) if (!kept.has(address)) notes.delete(address);
    }
    for (const address of kept) this.addresses.add(address);
  }

  constructor(nowMs: number) {
    this.startedMs = nowMs;
    this.stalledToldAtMs = nowMs;
  }
}
