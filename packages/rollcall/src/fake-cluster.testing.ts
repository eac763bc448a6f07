/** A cluster that says what the test says, for whatever only watches one or waits for its end. */
import {
  type Blocker,
  type Cluster,
  ClusterError,
  type ClusterEvent,
  type ClusterState,
  type Ending,
  type LinkGaps,
  type LinkView,
  type Member,
  type MemberEventType,
  readSettings,
} from '@rollcall/core';
import { BehaviorSubject, NEVER, Subject } from 'rxjs';

export const address = (n: number) => `ws://127.0.0.1:735${n}`;
export const key = (n: number) => `${address(n)}#uid${n}`;

export function member(n: number, changes: Partial<Member> = {}): Member {
  return {
    node: key(n),
    address: address(n),
    uid: `uid${n}`,
    roles: [],
    appVersion: '1.0.0',
    status: 'up',
    age: n - 1,
    reachability: 'reachable',
    observedBy: [],
    ...changes,
  };
}

export const stateOf = (...members: Member[]): ClusterState => ({
  self: key(1),
  members,
  convergence: true,
  digest: '0123456789abcdef0123456789abcdef',
  epoch: 7,
  clusterId: key(1),
});

export class FakeCluster implements Cluster {
  readonly name = 'demo';
  settings = readSettings();
  readonly clock = { nowMs: () => 0, schedule: () => () => undefined };
  readonly random = { next: () => 0.5, uid: () => '0123456789abcdef' };
  state = stateOf(member(1), member(2));
  self: Cluster['self'] = {
    node: key(1),
    address: address(1),
    uid: 'uid1',
    roles: [],
    appVersion: '1.0.0',
    status: 'up',
  };
  links: readonly LinkView[] = [];
  gaps: readonly LinkGaps[] = [];
  readonly events$ = new Subject<ClusterEvent>();
  readonly blockers$ = new BehaviorSubject<readonly Blocker[]>([]);
  readonly state$ = NEVER;
  readonly members$ = NEVER;
  readonly messages$ = NEVER;
  readonly health = {
    score: 0,
    degraded: new Set<string>(),
    degraded$: NEVER,
    report: () => undefined,
  };
  readonly calls: string[] = [];
  /** What `up` rejects with; it resolves without. */
  upFails: ClusterError | undefined;
  /** Does `leave` end the run. */
  leaves = true;
  readonly ended: Promise<Ending>;
  #end: (ending: Ending) => void = () => undefined;

  constructor() {
    this.ended = new Promise((resolve) => {
      this.#end = resolve;
    });
  }

  get blockers(): readonly Blocker[] {
    return this.blockers$.value;
  }

  end(reason: Ending['reason'], message: string = reason): void {
    this.events$.complete();
    this.blockers$.complete();
    this.#end({ reason, message });
  }

  say(type: MemberEventType, of: Member, why = 'agreed here at epoch 7', previous?: Member): void {
    this.events$.next({ type, member: of, previous, why, state: this.state });
  }

  member$ = () => NEVER;
  phi$ = () => NEVER;
  avoid$ = () => NEVER;
  phi = () => undefined;
  guarded = <T>(_: string, stream: T): T => stream;

  async tell(node: string): Promise<void> {
    this.calls.push(`tell ${node}`);
  }

  async ask(node: string): Promise<unknown> {
    this.calls.push(`ask ${node}`);
    return undefined;
  }

  answer(): () => void {
    return () => undefined;
  }

  async up(options: { readonly signal?: AbortSignal } = {}): Promise<void> {
    this.calls.push('up');
    if (this.upFails !== undefined) throw this.upFails;
    if (options.signal?.aborted === true) throw new ClusterError('aborted', 'aborted');
  }

  async leave(options: { readonly node?: string } = {}): Promise<void> {
    this.calls.push(`leave ${options.node ?? 'self'}`);
    if (options.node === undefined && this.leaves) this.end('left', 'left gracefully');
  }

  async down(node: string): Promise<void> {
    this.calls.push(`down ${node}`);
  }

  async stop(): Promise<void> {
    this.calls.push('stop');
    this.end('stopped', 'stopped');
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.leave();
  }
}
