/**
 * What a user holds: one running node of a cluster and its streams. `running-cluster.ts` implements it.
 */
import type { NodeKey } from '@rollcall/convergence';
import type { GroupedObservable, Observable } from 'rxjs';
import type { ClusterEvent, StopReason } from './membership/cluster-event.js';
import type {
  Blocker,
  ClusterState,
  LinkGaps,
  LinkView,
  MemberStatus,
  MemberView,
} from './membership/member-view.js';
import type { Settings } from './membership/setting-table.js';

/** How a node's run ended. */
export interface Ending {
  readonly reason: StopReason;
  /** One sentence for an operator. */
  readonly message: string;
}

export interface Self {
  readonly node: NodeKey;
  readonly address: string;
  readonly uid: string;
  readonly roles: readonly string[];
  readonly appVersion: string;
  /** `joining` from the start, before anybody let it in; `removed` once its run has ended. */
  readonly status: MemberStatus;
}

export interface Cluster extends AsyncDisposable {
  /** Today's state at once, then one emission per change. A network fault never errors it; stopping completes it. */
  readonly state$: Observable<ClusterState>;
  /** Hot; each event carries the state after it. Completes when the node stops. */
  readonly events$: Observable<ClusterEvent>;
  /** One stream per member, those of today first; each completes when its member is removed. */
  readonly members$: Observable<GroupedObservable<NodeKey, MemberView>>;
  /** One member: today's view at once, then each change; completes when it is removed. Empty if unknown. `node` may be the unique address or the address. */
  member$(node: NodeKey | string): Observable<MemberView>;
  /** This node's suspicion of one member, sampled each `heartbeat.interval` / 4; completes when the member is removed. Silent while this node does not observe it. */
  phi$(node: NodeKey | string): Observable<number>;
  /** Why nothing moves; empty when nothing is in the way. */
  readonly blockers$: Observable<readonly Blocker[]>;

  /** Today's values, without a subscription. */
  readonly state: ClusterState;
  readonly self: Self;
  readonly blockers: readonly Blocker[];
  /** This node's observed links, sampled now. */
  readonly links: readonly LinkView[];
  /** The longest gaps on each of them, now: how long a healthy member can be silent. */
  readonly gaps: readonly LinkGaps[];
  readonly settings: Settings;
  readonly name: string;

  /** Resolves when this node is Up; rejects with ClusterError (`joinRefused`, `joinTimedOut`, `stopped`, `aborted`). */
  up(options?: { readonly signal?: AbortSignal }): Promise<void>;
  /** Leaves gracefully and stops; resolves when the run has ended. Idempotent. `node` asks another member to leave. */
  leave(options?: {
    readonly node?: NodeKey | string;
    readonly signal?: AbortSignal;
  }): Promise<void>;
  /** Marks a member Down. Rejects with `unknownMember` or `wouldLoseQuorum`; resolves once marked here, before it is removed. */
  down(node: NodeKey | string): Promise<void>;
  /** Stops at once, telling nobody: what a crash looks like from outside. Idempotent. */
  stop(): Promise<void>;
  /** Settles with the reason when the run has ended, whatever ended it; never rejects. */
  readonly ended: Promise<Ending>;
}
