import { describe, expect, it } from 'vitest';
import type { ClusterState, Member, MemberStatus } from './member-view.js';
import type { Node } from './node.js';
import { withPast } from './past.js';

const member = (name: string, status: MemberStatus): Member => ({
  node: `ws://${name}:1#1`,
  address: `ws://${name}:1`,
  uid: '1',
  roles: [],
  appVersion: '1',
  status,
  age: status === 'joining' ? undefined : 1,
  reachability: 'reachable',
  observedBy: [],
});
const state = (...members: readonly Member[]): ClusterState => ({
  self: 'ws://me:1#2',
  members,
  convergence: false,
  digest: 'd',
  epoch: 1,
  clusterId: 'ws://f:1#1',
});

describe('what a node that started over shows', () => {
  const shows = (past: Member, ...nows: readonly (Member | undefined)[]) => {
    const node = { past: [past], view: state(past) } as unknown as Node;
    return nows.map(
      (now) => withPast(node, now === undefined ? state() : state(now)).members[0]?.status,
    );
  };

  it('is its past where its acceptor is behind, and the present where that is further', () => {
    expect(shows(member('a', 'up'), member('a', 'joining'), member('a', 'leaving'))).toEqual([
      'up',
      'leaving',
    ]);
  });

  it('never goes back: whoever was seen to exit does not come up again when the next state is without it', () => {
    expect(shows(member('a', 'up'), member('a', 'exiting'), undefined)).toEqual([
      'exiting',
      'exiting',
    ]);
  });
});
