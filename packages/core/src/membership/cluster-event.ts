/**
 * All that can be told about a cluster, as one closed union. Each event carries the state after
 * it; events replayed over a snapshot give the last state.
 */
import type { NodeKey } from '@rollcall/convergence';
import type { Refusal } from './hello.js';
import type { ClusterState, Member } from './member-view.js';

export type MemberEventType =
  | 'memberJoined'
  | 'memberWeaklyUp'
  | 'memberUp'
  | 'memberLeft'
  | 'memberExited'
  | 'memberDowned'
  | 'memberRemoved'
  | 'memberSuspected'
  | 'memberUnreachable'
  | 'memberReachable';

export interface MemberEvent {
  readonly type: MemberEventType;
  /** The member after the change; in `memberRemoved` its status is `removed`. */
  readonly member: Member;
  /** The status before, where there was one. */
  readonly previous: Member | undefined;
  /** One clause for an operator: how this node came to know ("agreed here at epoch 7", "told by ws://…", "asked for by an operator"). */
  readonly why: string;
  readonly state: ClusterState;
}

export type ClusterEvent =
  | MemberEvent
  | { readonly type: 'convergenceReached' | 'convergenceLost'; readonly state: ClusterState }
  | { readonly type: 'selfUp'; readonly state: ClusterState }
  | {
      readonly type: 'selfRemoved';
      readonly reason: StopReason;
      readonly why: string;
      readonly state: ClusterState;
    }
  | {
      /** A seed will not have this node. */
      readonly type: 'joinRefused';
      readonly refusal: Refusal;
      readonly state: ClusterState;
    }
  | {
      /** Joining takes longer than it should; what was tried, a sentence per seed. */
      readonly type: 'joinStalled';
      readonly tried: readonly string[];
      readonly state: ClusterState;
    }
  | {
      /** Another cluster of this name was met: it is reported, never merged. */
      readonly type: 'islandDetected';
      readonly via: NodeKey;
      readonly theirs: readonly NodeKey[];
      readonly ours: readonly NodeKey[];
      readonly state: ClusterState;
    }
  | {
      readonly type: 'localPauseDetected';
      readonly pauseMs: number;
      readonly state: ClusterState;
    }
  | {
      /** This node decided who stays; everybody else was marked down, or this node stops. */
      readonly type: 'downingDecided';
      readonly stay: readonly NodeKey[];
      readonly go: readonly NodeKey[];
      readonly why: string;
      readonly state: ClusterState;
    };

/** Why a node's run ended. */
export type StopReason =
  /** It left gracefully (or was alone). */
  | 'left'
  /** `stop()` was called. */
  | 'stopped'
  /** Others removed it. */
  | 'removed'
  /** It found itself on the smaller side of a partition. */
  | 'minority'
  /** It could not see a quorum for too long. */
  | 'notQuorate'
  /** Those who can reach it agreed that it is the one to go. */
  | 'toldToGo'
  /** A seed refused it. */
  | 'refused'
  /** No seed let it in within `join.giveUpAfter`. */
  | 'gaveUp'
  /** A bug of Rollcall's own was met; the log has it. A wrong view of the cluster is worse than none. */
  | 'failed';
