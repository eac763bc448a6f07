/** A cluster that says what the test says: five members, everything well, until told otherwise. */
import {
  type Blocker,
  type ClusterEvent,
  type ClusterState,
  type LinkGaps,
  type LinkView,
  type Member,
  readSettings,
} from '@rollcall/core';
import { NEVER, Subject } from 'rxjs';
import type { ManagedCluster } from './managed-cluster.js';

export const address = (n: number) => `ws://127.0.0.1:735${n}`;
export const key = (n: number) => `${address(n)}#uid${n}` as Member['node'];

export function member(n: number, changes: Partial<Member> = {}): Member {
  return {
    node: key(n),
    address: address(n),
    uid: `uid${n}`,
    roles: [],
    appVersion: '1.0.0',
    status: 'up',
    age: n,
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

export class FakeCluster implements ManagedCluster {
  state = stateOf(member(1), member(2), member(3));
  self: ManagedCluster['self'] = {
    node: key(1),
    address: address(1),
    uid: 'uid1',
    roles: [],
    appVersion: '1.0.0',
    status: 'up',
  };
  blockers: readonly Blocker[] = [];
  links: readonly LinkView[] = [];
  gaps: readonly LinkGaps[] = [];
  settings = readSettings();
  health: ManagedCluster['health'] = {
    score: 0,
    degraded: new Set(),
    degraded$: NEVER,
    report: () => undefined,
  };
  readonly events$ = new Subject<ClusterEvent>();
  /** What was asked of it. */
  readonly calls: string[] = [];
  /** What it answers to the next change. */
  failure: Error | undefined;

  async leave(options: { readonly node?: string } = {}): Promise<void> {
    this.calls.push(`leave ${options.node ?? 'self'}`);
    if (this.failure !== undefined) throw this.failure;
    // The run ends later than any answer.
    if (options.node === undefined) await new Promise(() => undefined);
  }

  async down(node: string): Promise<void> {
    this.calls.push(`down ${node}`);
    if (this.failure !== undefined) throw this.failure;
  }
}
