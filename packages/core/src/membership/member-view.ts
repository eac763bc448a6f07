/**
 * The frozen values that leave a node: a member, the cluster, a link, a blocker. What the
 * replicated state means to a user, without the parts that only the protocol needs.
 */
import type { BlockerKind, NodeKey } from '@rollcall/convergence';
import type { Qos } from '@rollcall/failure-detector';

/** `Exited` is shown as `exiting`. `removed` appears in events only. */
export type MemberStatus =
  | 'joining'
  | 'weaklyUp'
  | 'up'
  | 'leaving'
  | 'exiting'
  | 'down'
  | 'removed';

/** `suspected`: named by fewer observers than it takes. `unreachable`: by enough of them. */
export type Reachability = 'reachable' | 'suspected' | 'unreachable';

export interface Member {
  /** The unique address, `ws://host:port#uid`. */
  readonly node: NodeKey;
  /** `ws://host:port`. */
  readonly address: string;
  readonly uid: string;
  readonly roles: readonly string[];
  readonly appVersion: string;
  readonly status: MemberStatus;
  /**
   * For comparing only: lower is older. Members promoted together share it and are then ordered by
   * address; members that were never up have none.
   */
  readonly age: number | undefined;
  readonly reachability: Reachability;
  /** Who says that it cannot be reached, in address order; empty when nobody does. */
  readonly observedBy: readonly NodeKey[];
}

/** A member as one node sees it. */
export interface MemberView extends Member {
  /** This node's own suspicion; undefined when this node does not observe the member. */
  readonly phi: number | undefined;
  /** Too many of the requests reported to `health.report` failed, though it is heard: this node's own experience. */
  readonly degraded: boolean;
}

export interface ClusterState {
  readonly self: NodeKey;
  /** In address order. This node is among them from the moment it is let in until it is removed. */
  readonly members: readonly Member[];
  /** Has every voter that is needed seen this very state, with nobody unreachable and a quorum present. */
  readonly convergence: boolean;
  /**
   * 128-bit content digest (32 hex characters): equal digests, equal states. Empty outside a cluster, and
   * while a node that started over still shows members of which it is not agreed whether they are gone.
   */
  readonly digest: string;
  /** Counts the agreed changes since the cluster was founded. */
  readonly epoch: number;
  /** The founder's unique address: two clusters of one name differ here. */
  readonly clusterId: NodeKey | undefined;
}

/** One observed link, as evidence. */
export interface LinkView {
  readonly observer: NodeKey;
  readonly subject: NodeKey;
  readonly connected: boolean;
  /** This observer's verdict. */
  readonly reachable: boolean;
  /** Nothing comes over this link, and others, or datagrams, reach the member: the link is at fault, and nobody is convicted. */
  readonly broken: boolean;
  /** It came and went too often, or is hardly heard: how many more ms it must be heard before it is reachable again. Undefined while it is not held. */
  readonly heldForMs: number | undefined;
  readonly phi: number;
  /** Milliseconds since the last sign of life; undefined when there was none. */
  readonly silenceMs: number | undefined;
  readonly meanMs: number;
  readonly deviationMs: number;
  readonly samples: number;
  /** What this observer's verdicts about this run were worth so far, and how soon it would take the next. */
  readonly qos: LinkQos;
}

/** In the measures of Chen, Toueg and Aguilera; milliseconds. The counters begin when the observing does. */
export interface LinkQos extends Qos {
  /**
   * T_D: how long a silence lasts now, from the last sign of life, until this observer convicts. A crash is
   * convicted that long after it at most, as the last heartbeat was sent before it; half an interval
   * sooner on average. Undefined while no silence convicts.
   */
  readonly detectionTimeMs: number | undefined;
}

/** The gaps between the signs of life of one observed member, as far as they say how long a gap can be. */
export interface LinkGaps {
  readonly subject: NodeKey;
  /** How many gaps there have been since observing began. */
  readonly count: number;
  /** The longest of them in milliseconds, longest first; at most 64. Those that ended a mistake are among them. */
  readonly longestMs: readonly number[];
}

/** One reason why nothing moves, with what would move it. */
export interface Blocker {
  readonly kind: BlockerKind | 'notMember';
  /** Whom it is about. */
  readonly nodes: readonly NodeKey[];
  /** Who says so, where somebody does. */
  readonly by: readonly NodeKey[];
  /** One sentence: what is in the way. */
  readonly text: string;
  /** One sentence: what would resolve it. */
  readonly resolve: string;
}
