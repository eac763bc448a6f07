import { type ClusterEvent, type Refusal, readSettings } from '@rollcall/core';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { address, FakeCluster, key, member, stateOf } from './fake-cluster.testing.js';
import { line, logMembership } from './membership-log.js';

afterEach(() => {
  vi.useRealTimers();
});

function listen(cluster = new FakeCluster()) {
  const lines: string[] = [];
  const at = (level: string) => (_: object, message: string) => {
    lines.push(`${level} ${message}`);
  };
  logMembership(cluster, {
    debug: at('debug'),
    info: at('info'),
    warn: at('warn'),
    error: at('error'),
  });
  return { cluster, lines: () => lines.splice(0) };
}

test('who is there already, then one line per change', () => {
  const { cluster, lines } = listen();
  expect(lines()).toEqual([`info ${address(1)} is up`, `info ${address(2)} is up`]);
  cluster.say('memberUp', member(3), 'agreed here at epoch 7', member(3, { status: 'joining' }));
  cluster.say('memberLeft', member(3, { status: 'leaving' }), `told by ${address(2)}`);
  expect(lines()).toEqual([
    `info ${address(3)} is up (agreed here at epoch 7)`,
    `info ${address(3)} is leaving (told by ${address(2)})`,
  ]);
});

test('facts beside the sentence, for whoever searches logs', () => {
  const state = stateOf(member(1));
  const event: ClusterEvent = {
    type: 'memberUnreachable',
    member: member(2, { reachability: 'unreachable', observedBy: [key(1)] }),
    previous: member(2),
    why: 'agreed',
    state,
  };
  expect(line(event, readSettings()).facts).toEqual({
    event: 'memberUnreachable',
    node: address(2),
    uid: 'uid2',
    status: 'up',
    reachability: 'unreachable',
    observedBy: [key(1)],
    members: 1,
    epoch: 7,
    why: 'agreed',
  });
});

describe('what asks for attention says what to do', () => {
  const state = stateOf(member(1));
  const refusal = (code: Refusal['code']): ClusterEvent => ({
    type: 'joinRefused',
    refusal: { code, message: 'no', by: address(2) },
    state,
  });
  const unreachable = member(2, { reachability: 'unreachable', observedBy: [key(1), key(3)] });
  const change = { member: unreachable, previous: undefined, why: 'agreed', state };

  test.each<[ClusterEvent, string, RegExp]>([
    [
      { type: 'memberUnreachable', ...change },
      'warn',
      /7352 is unreachable, say .*7351, .*7353; .* after 20s/,
    ],
    [{ type: 'memberSuspected', ...change }, 'info', /suspected by .*7351, .*7353: too few/],
    [{ type: 'memberDowned', ...change }, 'warn', /7352 is down; .* may be started again/],
    [
      { type: 'joinStalled', tried: ['ws://a:1 does not answer'], state },
      'warn',
      /ws:\/\/a:1 does not answer\. Check/,
    ],
    [
      { type: 'localPauseDetected', pauseMs: 3_100.4, state },
      'warn',
      /did not run for 3100 ms; look for/,
    ],
    [
      { type: 'downingDecided', stay: [key(1)], go: [key(2)], why: 'majority', state },
      'warn',
      /1 stay, 1 go: .*7352/,
    ],
    [
      { type: 'islandDetected', via: key(9), theirs: [key(9)], ours: [key(1)], state },
      'error',
      /never merged: stop/,
    ],
    [{ type: 'selfRemoved', reason: 'minority', why: 'too few', state }, 'error', /too few/],
    [{ type: 'selfRemoved', reason: 'left', why: 'it left', state }, 'info', /it left/],
    [refusal('clusterName'), 'error', /7352 refused this node: no; give it that name/],
    [refusal('addressInUse'), 'error', /stop the other process/],
    [refusal('secret'), 'error', /the same secret/],
    [{ type: 'convergenceLost', state }, 'debug', /not all/],
  ])('%#', (event, level, message) => {
    expect(line(event, readSettings())).toMatchObject({
      level,
      message: expect.stringMatching(message),
    });
  });

  test('by hand, when downing is by hand', () => {
    const manual = readSettings({ downing: { strategy: 'manual' } });
    expect(line({ type: 'memberUnreachable', ...change }, manual).message).toContain(
      'rollcall down',
    );
  });
});

test('what stands in the way is said once it has lasted, and once', () => {
  vi.useFakeTimers();
  const { cluster, lines } = listen();
  lines();
  const blocker = {
    kind: 'unreachable' as const,
    nodes: [key(2)],
    by: [],
    text: 'It is gone.',
    resolve: 'Down it.',
  };
  cluster.blockers$.next([blocker]);
  vi.advanceTimersByTime(9_000);
  cluster.blockers$.next([]);
  vi.advanceTimersByTime(20_000);
  expect(lines()).toEqual([]);
  cluster.blockers$.next([blocker]);
  vi.advanceTimersByTime(5_000);
  cluster.blockers$.next([{ ...blocker, text: 'It is still gone.' }]);
  vi.advanceTimersByTime(60_000);
  expect(lines()).toEqual(['warn It is gone. Down it.']);
});
