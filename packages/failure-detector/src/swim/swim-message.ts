/**
 * What goes into a SWIM node and what comes out of it. A member is a small whole number here, an index
 * that whoever embeds the node has given to an address; the numbers stay on one machine if the
 * embedder writes addresses on the wire.
 *
 * A probe in pictures (seq ties an answer to its question; updates ride on every packet):
 *
 *     A -- ping 7 --> B                     A -- ping 7 --> B   (lost)
 *     A <-- ack 7 --- B                     A -- pingReq 7, B --> C -- ping 4 --> B
 *                                           A <-- ack 7 --------- C <-- ack 4 --- B
 *                                           or, if B says nothing to C:
 *                                           A <-- nack 7 -------- C   "I am here, B is not"
 */

/** An index, 0 and up, given out by whoever embeds the node. */
export type SwimMemberId = number;

/** What is held about a member, from best to worst; `left` is what a member says of itself. */
export type SwimStatus = 'alive' | 'suspect' | 'dead' | 'left';

/** One piece of news. A value: the same object goes through queues and packets. */
export interface SwimUpdate {
  readonly status: SwimStatus;
  readonly subject: SwimMemberId;
  /** Which of the subject's lives it is about; only the subject itself ever raises it. */
  readonly incarnation: number;
  /** Who says so; of an accusation, the accuser. */
  readonly from: SwimMemberId;
  /** Was the accuser's own health in doubt when it accused. */
  readonly unwell: boolean;
}

export type SwimPacketKind = 'ping' | 'pingReq' | 'ack' | 'nack' | 'gossip' | 'sync' | 'syncReply';

/** One datagram. `sync` and `syncReply` hold all that their sender knows and want a stream. */
export interface SwimPacket {
  readonly kind: SwimPacketKind;
  readonly from: SwimMemberId;
  readonly to: SwimMemberId;
  /** Of a question, and of the answer to it; 0 where there is none. */
  readonly seq: number;
  /** Whom a `pingReq` asks about; the sender itself elsewhere. */
  readonly target: SwimMemberId;
  readonly updates: readonly SwimUpdate[];
}

/** What a node is told besides packets. */
export type SwimCommand =
  /** Time has come to `wakeAtMs`, or a little beyond. */
  | { readonly kind: 'wake' }
  /** Somebody exists: from a list of seeds, or from whoever let this node in. */
  | { readonly kind: 'meet'; readonly member: SwimMemberId; readonly incarnation?: number }
  /** Somebody is no member any more: nothing about it is kept, and its number may be given to another. */
  | { readonly kind: 'forget'; readonly member: SwimMemberId }
  /** Somebody was heard by other ways than packets. If it is held dead it is told so, and can object. */
  | { readonly kind: 'contact'; readonly member: SwimMemberId }
  /** This node is about to go, and says so. */
  | { readonly kind: 'leave' };

export type SwimInput = SwimPacket | SwimCommand;

/** What this node holds about a member has changed. */
export interface SwimVerdict {
  readonly kind: 'verdict';
  readonly member: SwimMemberId;
  readonly status: SwimStatus;
  readonly incarnation: number;
  readonly from: SwimMemberId;
}

/** A packet to be sent, or a verdict to be told. */
export type SwimDirective = SwimPacket | SwimVerdict;

/** Where chance comes from. */
export interface SwimChance {
  /** Uniform in [0, 1). */
  next(): number;
}
