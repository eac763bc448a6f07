import type { ClusterEvent, ClusterState, Member, MemberStatus, NodeKey } from '@rollcall/core';
import { describe, expect, test } from 'vitest';
import { Checker, type Violation } from './checker.js';
import type { NodeRun } from './node-run.js';

const key = (name: string): NodeKey => `ws://${name}:7355#1`;

function member(name: string, status: MemberStatus = 'up', more: Partial<Member> = {}): Member {
  return {
    node: key(name),
    address: `ws://${name}:7355`,
    uid: '1',
    roles: [],
    appVersion: '1',
    status,
    age: status === 'joining' ? undefined : 1,
    reachability: 'reachable',
    observedBy: [],
    ...more,
  };
}

const stateOf = (
  self: string,
  members: readonly Member[],
  more: Partial<ClusterState> = {},
): ClusterState => ({
  self: key(self),
  members,
  convergence: true,
  digest: members.map((each) => each.node + each.status).join(),
  epoch: 1,
  clusterId: key('a'),
  ...more,
});

/** As much of a run as a checker looks at: it shows whatever state it is given. */
function fakeRun(name: string): NodeRun & { state: ClusterState | undefined } {
  const run = { name, isRunning: true, key: key(name), state: undefined };
  return run as unknown as NodeRun & { state: ClusterState | undefined };
}

function watch() {
  const found: Violation[] = [];
  const checker = new Checker((violation) => found.push(violation));
  const show = (run: ReturnType<typeof fakeRun>, state: ClusterState) => {
    run.state = state;
    checker.state(run, state);
  };
  const tell = (run: NodeRun, type: string, about: Member, state: ClusterState) =>
    checker.event(run, {
      type,
      member: about,
      previous: undefined,
      why: '',
      state,
    } as ClusterEvent);
  return { checker, found, show, tell, rules: () => found.map((each) => each.rule) };
}

describe('Checker', () => {
  test('finds nothing wrong with a member that comes, changes and goes', () => {
    const { rules, show, tell, checker } = watch();
    const run = fakeRun('a');
    show(run, stateOf('a', [member('a')]));
    for (const status of ['joining', 'up', 'leaving', 'exiting', 'down', 'exiting'] as const) {
      const b = member('b', status, { age: status === 'joining' ? undefined : 2 });
      const next = stateOf('a', [member('a'), b]);
      tell(run, 'memberUp', b, next);
      show(run, next);
    }
    tell(run, 'memberRemoved', member('b', 'removed'), stateOf('a', [member('a')]));
    show(run, stateOf('a', [member('a')], { epoch: 2 }));
    checker.compare([run]);
    expect(rules()).toEqual([]);
  });

  test('I1: a status that goes back, an age that changes, an epoch that goes down', () => {
    const { rules, show, tell } = watch();
    const run = fakeRun('a');
    show(run, stateOf('a', [member('a', 'leaving')]));
    tell(run, 'memberUp', member('a', 'up'), stateOf('a', []));
    expect(rules()).toEqual(['I1']);
    tell(run, 'memberLeft', member('a', 'leaving', { age: 7 }), stateOf('a', []));
    expect(rules()).toEqual(['I1', 'I1']);
    show(run, stateOf('a', [member('a', 'leaving', { age: 7 })], { epoch: 0 }));
    expect(rules()).toEqual(['I1', 'I1', 'I1']);
  });

  test('I2 and E1: a member that was removed comes back, or is removed twice', () => {
    const { rules, show, tell } = watch();
    const run = fakeRun('a');
    const alone = stateOf('a', [member('a')]);
    show(run, stateOf('a', [member('a'), member('b')]));
    tell(run, 'memberRemoved', member('b', 'removed'), alone);
    tell(run, 'memberRemoved', member('b', 'removed'), alone);
    expect(rules()).toEqual(['E1']);
    tell(run, 'memberUp', member('b'), alone);
    expect(rules()).toContain('I2');
  });

  test('I4: two nodes that hold each other live give a member two ages', () => {
    const { rules, show, checker } = watch();
    const [a, b] = [fakeRun('a'), fakeRun('b')];
    show(a, stateOf('a', [member('a'), member('b'), member('c', 'up', { age: 3 })]));
    show(
      b,
      stateOf('b', [member('a'), member('b'), member('c', 'up', { age: 4 })], { digest: 'x' }),
    );
    checker.compare([a, b]);
    expect(rules()).toEqual(['I4']);
  });

  test('I4 says nothing of nodes that do not hold each other live', () => {
    const { rules, show, checker } = watch();
    const [a, b] = [fakeRun('a'), fakeRun('b')];
    show(a, stateOf('a', [member('a'), member('b', 'down'), member('c', 'up', { age: 3 })]));
    show(b, stateOf('b', [member('a'), member('b'), member('c', 'up', { age: 4 })]));
    checker.compare([a, b]);
    expect(rules()).toEqual([]);
  });

  test('I6a: two running nodes have removed each other; not if one has stopped', () => {
    for (const isRunning of [true, false]) {
      const { rules, show, tell } = watch();
      const [a, b] = [fakeRun('a'), fakeRun('b')];
      show(a, stateOf('a', [member('a'), member('b')]));
      show(b, stateOf('b', [member('a'), member('b')]));
      tell(a, 'memberRemoved', member('b', 'removed'), stateOf('a', [member('a')]));
      Object.assign(a, { isRunning });
      tell(b, 'memberRemoved', member('a', 'removed'), stateOf('b', [member('b')]));
      expect(rules()).toEqual(isRunning ? ['I6a'] : []);
    }
  });

  test('E2: a state that its events do not lead to', () => {
    const { rules, show, tell } = watch();
    const run = fakeRun('a');
    show(run, stateOf('a', [member('a'), member('b', 'joining')]));
    show(run, stateOf('a', [member('a'), member('b')]));
    expect(rules()).toEqual(['E2']);
    tell(run, 'memberUp', member('b'), stateOf('a', [member('a')]));
    show(run, stateOf('a', [member('a')]));
    expect(rules()).toEqual(['E2', 'E2']);
  });

  test('E3: equal digests over different members', () => {
    const { rules, show, checker } = watch();
    const [a, b] = [fakeRun('a'), fakeRun('b')];
    show(a, stateOf('a', [member('a'), member('b')], { digest: 'same' }));
    show(b, stateOf('b', [member('a'), member('b', 'down')], { digest: 'same' }));
    checker.compare([a, b]);
    expect(rules()).toEqual(['E3']);
  });

  test('a node that stopped by a bug of its own', () => {
    const { found, checker } = watch();
    checker.ended(fakeRun('a'), { reason: 'left', message: 'left the cluster' });
    checker.ended(fakeRun('a'), { reason: 'failed', message: 'stopped by a bug: oh' });
    expect(found).toEqual([{ rule: 'bug', node: 'a', text: 'stopped by a bug: oh' }]);
  });
});
