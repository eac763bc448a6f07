/**
 * What nodes say to each other on the control lane, each with a picture of its exchange. Who speaks
 * is known from the link (its hello), so no message names its sender.
 */
import type { Digest, NodeKey, Patch } from '@rollcall/convergence';
import type { SwimPacketKind, SwimStatus } from '@rollcall/failure-detector';
import type { Refusal } from './hello.js';

/** Who is known to have held exactly the state of a digest: a bitmap over its voters in address order, or all. */
export type SeenBits = Uint8Array | 'all';

/** What I hold, in a few bytes. Equal digests end the matter, others start a reconciliation. */
export interface Status {
  readonly epoch: number;
  readonly digest: Digest;
  readonly seen: SeenBits;
}

export type Message =
  /**
   *     A --heartbeat(7, echo 6)--> B        once per interval, from both ends, no reply
   *     A <--heartbeat(7, echo 7)-- B
   *
   * A frame whose echo stands still is no sign of life: a node that talks but does not hear must not
   * look healthy. The status in it is anti-entropy for free.
   */
  | {
      readonly kind: 'heartbeat';
      readonly seq: number;
      readonly echo: number;
      /** The sender observes the receiver, and is to be answered; without it this is only an answer. */
      readonly observes: boolean;
      readonly status: Status;
    }
  /** `seen` has grown (it travels at once). With `want`: I do not know your digest, send me the difference to mine. */
  | { readonly kind: 'status'; readonly status: Status; readonly want: boolean }
  /**
   *     A --patch(base D1, digest D2)--> B   what changed since D1, which B is known to hold
   *     A <--status(want)--------------- B   only when B does not know D1
   *
   * B rebuilds A's exact state and merges that; nothing is ever applied piecemeal.
   */
  | { readonly kind: 'patch'; readonly patch: Patch; readonly seen: SeenBits }
  /**
   *     A <--status(want)--- B               neither knows the other's digest
   *     A --buckets--------> B               64 short hashes of A's state
   *     A <--patch(buckets)- B               those buckets of B's that differ; A rebuilds B's state
   *     A --patch----------> B               and sends back what B lacks
   */
  | { readonly kind: 'buckets'; readonly status: Status; readonly buckets: readonly string[] }
  /** Are you in a cluster? Asked of seeds by those who look for one, and for ever by those who miss members. */
  | { readonly kind: 'seedAsk'; readonly standing: Standing }
  | { readonly kind: 'seedAnswer'; readonly standing: Standing }
  /**
   *     J --join-----------------> A         A must be Up; nothing changes at A
   *     J <--welcome(S, token)---- A
   *     J --introduce(S+J, token)> A         J wrote itself in; A merges it
   *     J <--patch or status------ A         J is a member
   */
  | { readonly kind: 'join'; readonly roles: readonly string[]; readonly appVersion: string }
  | { readonly kind: 'welcome'; readonly token: string; readonly patch: Patch }
  | { readonly kind: 'introduce'; readonly token: string; readonly patch: Patch }
  /** Not now: ask again in `afterMs`, here or at one of `ask`. With `freshUid` under another uid. */
  | {
      readonly kind: 'joinRetry';
      readonly afterMs: number;
      readonly freshUid: boolean;
      readonly ask: readonly string[];
    }
  | { readonly kind: 'joinRefused'; readonly refusal: Refusal }
  /** You are no member here (any more). How a node learns that it was removed. */
  | { readonly kind: 'notMember'; readonly removed: boolean; readonly epoch: number }
  /** I hold you as Exited: your testimony is safe with me. */
  | { readonly kind: 'exitNoted' }
  /** Are you there? The exchange is drawn in probe.ts. `round` is the asker's number, and comes back. */
  | { readonly kind: 'probe'; readonly round: number }
  | {
      readonly kind: 'probeFor';
      readonly subject: NodeKey;
      readonly round: number;
      /** The answer is of use for so many milliseconds. */
      readonly withinMs: number;
    }
  /** Said by the subject itself: here I am. By a go-between: it answered me, or (`found` false) I tried. */
  | {
      readonly kind: 'probed';
      readonly subject: NodeKey;
      readonly round: number;
      readonly found: boolean;
    }
  /** With `detector.kind=swim`: one of its packets, with members by name. */
  | {
      readonly kind: 'swim';
      readonly packet: SwimPacketKind;
      readonly seq: number;
      /** Whom a `pingReq` asks about; undefined elsewhere. */
      readonly target: NodeKey | undefined;
      readonly updates: readonly SwimNews[];
    };

/** One piece of SWIM's news: its update, with members by name. */
export interface SwimNews {
  readonly status: SwimStatus;
  readonly subject: NodeKey;
  readonly incarnation: number;
  readonly from: NodeKey;
  readonly unwell: boolean;
}

/** Where a node stands, for those who look for a cluster or for a lost part of one. */
export interface Standing {
  /** The founder of the cluster it is in; undefined outside. */
  readonly clusterId: NodeKey | undefined;
  /** It lists itself as the first seed. */
  readonly first: boolean;
  /** It founded and never had a second member: it may yield. */
  readonly loner: boolean;
  /** Members it knows, and up to eight that are Up and can let a joiner in (itself among them if so). */
  readonly size: number;
  readonly acceptors: readonly NodeKey[];
}
