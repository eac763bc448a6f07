/** All that can happen to a node. Every input comes with `nowMs`, monotonic. */
import type { Digest, NodeKey } from '@rollcall/convergence';
import type { Hello, Refusal } from './hello.js';
import type { Message } from './message.js';

/** One of each kind is armed at most; arming it again replaces it, so a late one can be told by its due time. */
export type TimerKind =
  /** Heartbeats go out. */
  | 'tick'
  /** Some neighbour's silence may have become too long. */
  | 'verdict'
  /** A probe is to be repeated, or has taken long enough. */
  | 'probe'
  /** With `detector.kind=swim`: SWIM has something to do. */
  | 'swim'
  /** Changes collected over `gossip.batchWindow` go out. */
  | 'flush'
  /** Joining: ask again, found, give up. */
  | 'join'
  /** Joiners that were held back are served. */
  | 'admit'
  /** A decision about unreachable members, or about this node's own fate, falls due. */
  | 'downing'
  /** A leave takes too long, or has lingered long enough. */
  | 'leave'
  /** Look beyond the neighbours: a far member, the seeds. */
  | 'repair';

export interface Timer {
  readonly kind: TimerKind;
  readonly dueMs: number;
}

export type Input =
  | { readonly kind: 'start' }
  | { readonly kind: 'timer'; readonly timer: Timer }
  /** `wasCast`: it came beside the links. */
  | {
      readonly kind: 'received';
      readonly from: NodeKey;
      readonly message: Message;
      readonly wasCast?: boolean | undefined;
    }
  | { readonly kind: 'linkUp'; readonly peer: Hello; readonly dialled: string | undefined }
  | { readonly kind: 'linkDown'; readonly peer: NodeKey }
  /** A dialled address turned out to be another name of a linked node, or of this one. */
  | { readonly kind: 'leadsTo'; readonly address: string; readonly peer: NodeKey }
  | {
      readonly kind: 'dialFailed';
      readonly address: string;
      readonly reason: string;
      readonly refusal: Refusal | undefined;
    }
  /** The answer to a `resolve` directive: what each seed stands for, or why it stands for nothing. */
  | { readonly kind: 'resolved'; readonly seeds: readonly ResolvedSeed[] }
  /** The answer to a `probe` directive. */
  | { readonly kind: 'probed'; readonly address: string; readonly found: NodeKey | undefined }
  /** The answer to an `askLease` directive, as it came and whatever it is; or the problem in its place. */
  | {
      readonly kind: 'leaseAnswered';
      readonly configuration: Digest;
      readonly answer: unknown;
      readonly problem: string | undefined;
    }
  /** A user message goes to this member. */
  | { readonly kind: 'write'; readonly to: NodeKey }
  /** What a request of this node's user to that member came to. */
  | { readonly kind: 'report'; readonly subject: NodeKey; readonly isGood: boolean }
  | { readonly kind: 'leave' }
  | { readonly kind: 'askToLeave'; readonly subject: NodeKey; readonly ticket: number }
  | { readonly kind: 'down'; readonly subject: NodeKey; readonly ticket: number };

export interface ResolvedSeed {
  readonly seed: string;
  readonly addresses: readonly string[];
  readonly problem: string | undefined;
}
