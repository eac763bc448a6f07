/** A cluster that says what the test says: members, suspicion, and what becomes of a message. */
import {
  addressOf,
  ClusterError,
  type ClusterEvent,
  type ClusterState,
  HandClock,
  type Member,
  type NodeKey,
  readSettings,
  uidOf,
} from '@rollcall/core';
import { BehaviorSubject, map, type Observable, Subject } from 'rxjs';
import type { RoutedCluster } from './routed-cluster.js';

export const key = (n: number, uid = n): NodeKey => `ws://10.0.0.${n}:7355#uid${uid}`;

export function member(n: number, changes: Partial<Member> = {}): Member {
  const node = changes.node ?? key(n);
  return Object.freeze({
    node,
    address: addressOf(node),
    uid: uidOf(node),
    roles: ['worker'],
    appVersion: '1',
    status: 'up',
    age: n,
    reachability: 'reachable',
    observedBy: [],
    ...changes,
  });
}

const stateOf = (members: readonly Member[], epoch: number): ClusterState => ({
  self: key(1),
  members,
  convergence: true,
  digest: '',
  epoch,
  clusterId: key(1),
});

export interface Sent {
  readonly to: NodeKey;
  readonly body: unknown;
  readonly signal: AbortSignal | undefined;
  readonly timeoutMs: number | undefined;
  resolve(answer?: unknown): void;
  reject(error: unknown): void;
}

export class FakeCluster implements RoutedCluster {
  readonly settings = readSettings();
  readonly clock = new HandClock();
  readonly random = { next: () => 0.375, uid: () => '0123456789abcdef' };
  readonly events$ = new Subject<ClusterEvent>();
  readonly states: BehaviorSubject<ClusterState>;
  readonly state$: Observable<ClusterState>;
  readonly phis = new BehaviorSubject<ReadonlyMap<NodeKey, number>>(new Map());
  /** Messages that wait for the test to say what becomes of them. */
  readonly sent: Sent[] = [];
  /** Settles what is sent by itself. */
  answers: ((sent: Sent) => void) | undefined;

  constructor(...members: readonly Member[]) {
    this.states = new BehaviorSubject(stateOf(members, 1));
    this.state$ = this.states.asObservable();
  }

  get state(): ClusterState {
    return this.states.value;
  }

  shows(...members: readonly Member[]): void {
    this.states.next(stateOf(members, this.state.epoch + 1));
  }

  suspects(phis: Readonly<Record<number, number>>): void {
    this.phis.next(new Map(Object.entries(phis).map(([n, phi]) => [key(Number(n)), phi])));
  }

  stops(): void {
    this.events$.complete();
    this.shows();
    this.states.complete();
  }

  readonly degradedNow = new BehaviorSubject<ReadonlySet<NodeKey>>(new Set());
  /** Outcomes that were reported, such as `-ws://10.0.0.1:7355`. */
  readonly reported: string[] = [];
  readonly health: RoutedCluster['health'] = {
    score: 0,
    degraded: new Set(),
    degraded$: this.degradedNow.asObservable(),
    report: (node, isGood) => {
      this.reported.push(`${isGood ? '+' : '-'}${addressOf(node)}`);
    },
  };

  /** How much patience it was asked for last. */
  pauseMs: number | undefined;

  phi(node: NodeKey, { pauseMs }: { readonly pauseMs?: number } = {}): number | undefined {
    this.pauseMs = pauseMs;
    return this.phis.value.get(node);
  }

  avoid$({
    phi,
    pauseMs,
  }: {
    readonly phi: number;
    readonly pauseMs?: number;
  }): Observable<ReadonlySet<NodeKey>> {
    this.pauseMs = pauseMs;
    const suspects = (phis: ReadonlyMap<NodeKey, number>) =>
      [...phis].filter(([, theirs]) => theirs >= phi);
    return this.phis.pipe(map((phis) => new Set(suspects(phis).map(([node]) => node))));
  }

  guarded<T>(_: string, stream: Observable<T>): Observable<T> {
    return stream;
  }

  async tell(to: NodeKey, body: unknown): Promise<void> {
    await this.#send(to, body);
  }

  ask(
    to: NodeKey,
    body: unknown,
    options: { readonly timeoutMs?: number; readonly signal?: AbortSignal } = {},
  ): Promise<unknown> {
    return this.#send(to, body, options.signal, options.timeoutMs);
  }

  #send(to: NodeKey, body: unknown, signal?: AbortSignal, timeoutMs?: number): Promise<unknown> {
    return new Promise((resolve, reject) => {
      const sent: Sent = { to, body, signal, timeoutMs, resolve, reject };
      signal?.addEventListener('abort', () => reject(signal.reason), { once: true });
      this.sent.push(sent);
      this.answers?.(sent);
    });
  }
}

/** Lets what was promised come true. */
export const settled = () => new Promise<void>((resolve) => setImmediate(resolve));

/** What a message came to: its answer, or the code of its error. */
export const outcome = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    (value) => value,
    (error: unknown) => (error instanceof ClusterError ? error.code : error),
  );

export const lost = { reachability: 'unreachable' } as const;
