/**
 * What a user holds: one running node of a cluster and its streams. `running-cluster.ts` implements it.
 */
import type { NodeKey } from '@rollcall/convergence';
import type { GroupedObservable, Observable } from 'rxjs';
import type { Clock } from './clock.js';
import type { Asked, IncomingMessage } from './incoming-message.js';
import type { ClusterEvent, StopReason } from './membership/cluster-event.js';
import type {
  Blocker,
  ClusterState,
  LinkGaps,
  LinkView,
  MemberStatus,
  MemberView,
} from './membership/member-view.js';
import type { Random } from './membership/random.js';
import type { Settings } from './membership/setting-table.js';
import type { AskOptions } from './pending-asks.js';

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

/** Two sorts of health that no heartbeat shows. */
export interface ClusterHealth {
  /**
   * This node's own, 0 (well) to `localHealth.scoreMax`: Lifeguard's local health. While it is above 0 this node waits
   * longer before it holds anybody unreachable, and what it holds counts less.
   */
  readonly score: number;
  /**
   * Tells how a request to a member went, so that one whose heartbeats are fine and whose work fails (gray failure) is
   * shown as degraded, here only (`outcomes.*`). Somebody who is no member any more is nothing to report on: ignored.
   */
  report(node: NodeKey | string, isGood: boolean): void;
  /** Those whose requests fail too often at the moment. */
  readonly degraded: ReadonlySet<NodeKey>;
  /** The same as a stream: today's at once, then each change; completes when the node stops. */
  readonly degraded$: Observable<ReadonlySet<NodeKey>>;
}

/**
 * A subscriber that throws is told of in the log and goes on being told; so is one that keeps the event loop longer than
 * `pause.after`. Neither harms the node or other subscribers. Where streams are combined by a function
 * of RxJS (`merge`, `combineLatest`), RxJS's own rule holds again: an error that nobody handles ends the process.
 *
 * Commands reject, and `member$`, `phi$`, `phi` and `avoid$` throw, with ClusterError `badSetting` when an argument cannot be used.
 */
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
  /**
   * Whom a consumer would rather not use, by a threshold of its own on the same evidence: members that this node observes
   * with at least this `phi` (a number above 0; the cluster convicts at `detector.threshold`), and those held
   * unreachable. Today's set at once, then each change; sampled as `phi$` is. A member that this node does not observe is
   * in it only once it is unreachable. Nothing is told to others: whom to avoid is each consumer's own business.
   * `pauseMs` as for `phi`: with the default of `detector.acceptablePause` a silence passes phi 3 only a quarter of a second
   * before phi 8; with half a second of it, more than two seconds before.
   */
  avoid$(options: {
    readonly phi: number;
    readonly pauseMs?: number;
  }): Observable<ReadonlySet<NodeKey>>;
  /** Why nothing moves; empty when nothing is in the way. */
  readonly blockers$: Observable<readonly Blocker[]>;

  /**
   * Messages of other members and of this node, as they arrive, in order from each. Hot: without a subscriber
   * a tell is dropped and an ask fails with `nobodyAnswers`. Completes when the node stops.
   */
  readonly messages$: Observable<IncomingMessage>;
  /**
   * Sends a value to a member: at most once, in order with what this node tells it before and after. Values survive
   * as superjson carries them (Date, Map, Set, BigInt, undefined, Error, the classes named to the node), a value to oneself is copied alike.
   * Resolves when it is handed to the socket, which is the back-pressure to heed. Rejects with ClusterError `unknownMember`
   * (a removed uid too), `memberGone`, `noLink`, `tooLarge` (`limits.messageBytes`), `backPressure` (`limits.userOutbox`),
   * `stopped`; with TypeError for what cannot be sent.
   */
  tell(node: NodeKey | string, body: unknown): Promise<void>;
  /**
   * Sends a value and waits for the answer. Rejects as `tell` does, and with `askTimedOut`, `askFailed` (what the other
   * side threw), `backPressure` (`limits.asks`), `aborted`. Nothing is sent twice: whether to ask again is the caller's to know.
   */
  ask(node: NodeKey | string, body: unknown, options?: AskOptions): Promise<unknown>;
  /**
   * Answers every ask by this function: what it returns, or resolves to, is the reply; what it throws is the failure.
   * Returns what ends it.
   */
  answer(handler: (asked: Asked) => unknown): () => void;

  /** How well this node is, and what its user knows of the work of others. */
  readonly health: ClusterHealth;

  /** Today's values, without a subscription. */
  readonly state: ClusterState;
  readonly self: Self;
  readonly blockers: readonly Blocker[];
  /**
   * This node's suspicion of one member, now: at least 0; undefined while this node does not observe it. `pauseMs`, 0 to
   * `detector.acceptablePause` and that unless given, is how much silence beyond the usual gap suspects nobody: a
   * consumer that does no harm by being wrong may have less patience than the cluster. Phi-exponential knows no such
   * pause and takes no notice.
   */
  phi(node: NodeKey | string, options?: { readonly pauseMs?: number }): number | undefined;
  /** This node's observed links, sampled now. */
  readonly links: readonly LinkView[];
  /** The longest gaps on each of them, now: how long a healthy member can be silent. */
  readonly gaps: readonly LinkGaps[];
  readonly settings: Settings;
  readonly name: string;
  /** The node's own ports, so that what is built on it runs under virtual time when the node does, and a seed replays both. */
  readonly clock: Clock;
  readonly random: Random;
  /**
   * A stream that is built on this node, guarded as its own are: what a subscriber throws, now or later, ends neither the node
   * nor the process, and is told of in the log under this name, as is one that keeps the event loop for `pause.after`.
   */
  guarded<T>(name: string, stream: Observable<T>): Observable<T>;

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
