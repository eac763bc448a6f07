import type { ClusterEvent } from '@rollcall/core';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { FakeCluster, key, member } from './fake-cluster.testing.js';
import { management } from './management.js';

const LIMITS = { subscribers: 2, queued: 8, keepAliveMs: 10_000 };

function subscribe(cluster: FakeCluster, query = '') {
  const handler = management(cluster, { eventStreams: LIMITS });
  return handler(new Request(`http://localhost/cluster/domain-events${query}`));
}

const up = (cluster: FakeCluster, n: number): ClusterEvent => ({
  type: 'memberUp',
  member: member(n),
  previous: member(n, { status: 'joining' }),
  why: 'agreed here at epoch 7',
  state: cluster.state,
});

/** What arrives until the stream ends. */
async function all(response: Response) {
  const blocks = (await response.text()).split('\n\n').filter((each) => each !== '');
  return blocks.map((block) => {
    const [, type, data] = /^event: (.*)\ndata: (.*)$/.exec(block) ?? [];
    return { type, data: JSON.parse(data ?? '{}') };
  });
}

afterEach(() => {
  vi.useRealTimers();
});

describe('domain events', () => {
  test('start with the members of today, then each event, and end with the node', async () => {
    const cluster = new FakeCluster();
    const response = await subscribe(cluster);
    expect(response.headers.get('content-type')).toContain('text/event-stream');
    cluster.events$.next(up(cluster, 4));
    cluster.events$.next({ type: 'localPauseDetected', pauseMs: 900, state: cluster.state });
    cluster.events$.complete();
    const [first, second, third] = await all(response);
    expect(first).toMatchObject({
      type: 'CurrentClusterState',
      data: { selfNode: 'ws://127.0.0.1:7351' },
    });
    expect(second).toEqual({
      type: 'MemberUp',
      data: {
        type: 'MemberUp',
        member: expect.objectContaining({ node: 'ws://127.0.0.1:7354', status: 'Up' }),
        previousStatus: 'Joining',
        why: 'agreed here at epoch 7',
        convergence: true,
        digest: cluster.state.digest,
      },
    });
    expect(third).toMatchObject({ type: 'LocalPauseDetected', data: { pauseMs: 900 } });
  });

  test.each([
    ['?type=MemberUp', ['MemberUp']],
    ['?type=memberUp', ['MemberUp']],
    ['?type=MemberEvent', ['MemberUp']],
    ['?type=ReachabilityEvent', ['UnreachableMember']],
    ['?type=UnreachableMember&type=MemberUp', ['MemberUp', 'UnreachableMember']],
    ['?type=ConvergenceLost,MemberUp', ['MemberUp', 'ConvergenceLost']],
    [
      '?type=ClusterDomainEvent',
      ['MemberUp', 'UnreachableMember', 'ConvergenceLost', 'DowningDecided'],
    ],
  ])('%s', async (query, expected) => {
    const cluster = new FakeCluster();
    const { state } = cluster;
    const response = await subscribe(cluster, query);
    cluster.events$.next(up(cluster, 4));
    cluster.events$.next({ ...up(cluster, 4), type: 'memberUnreachable' } as ClusterEvent);
    cluster.events$.next({ type: 'convergenceLost', state });
    cluster.events$.next({
      type: 'downingDecided',
      stay: [key(1)],
      go: [key(4)],
      why: 'majority',
      state,
    });
    cluster.events$.complete();
    expect((await all(response)).map((each) => each.type)).toEqual([
      'CurrentClusterState',
      ...expected,
    ]);
  });

  test('a subscriber that does not read is dropped and its place is free again', async () => {
    const cluster = new FakeCluster();
    const slow = await subscribe(cluster);
    for (let i = 0; i < LIMITS.queued + 1; i++) cluster.events$.next(up(cluster, 4));
    expect(cluster.events$.observed).toBe(false);
    await expect(slow.text()).rejects.toThrow('dropped');
  });

  test('beyond the limit the answer is 503, until somebody goes', async () => {
    const cluster = new FakeCluster();
    const handler = management(cluster, { eventStreams: LIMITS });
    const ask = () => handler(new Request('http://localhost/cluster/domain-events'));
    const first = await ask();
    await ask();
    const refused = await ask();
    expect([refused.status, refused.headers.get('connection')]).toEqual([503, 'close']);
    await first.body?.cancel();
    expect((await ask()).status).toBe(200);
  });

  test('a quiet stream says now and then that it lives', async () => {
    vi.useFakeTimers();
    const cluster = new FakeCluster();
    const response = await subscribe(cluster);
    await vi.advanceTimersByTimeAsync(LIMITS.keepAliveMs);
    cluster.events$.complete();
    expect(await response.text()).toMatch(/\n\n:\n\n$/);
  });

  test('a node that has ended answers today and ends', async () => {
    const cluster = new FakeCluster();
    cluster.events$.complete();
    expect(await all(await subscribe(cluster))).toHaveLength(1);
  });
});
