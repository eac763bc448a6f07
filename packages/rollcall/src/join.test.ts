import { ClusterError } from '@rollcall/core';
import { describe, expect, test } from 'vitest';
import { FakeCluster } from './fake-cluster.testing.js';
import { joinBy } from './join.js';

const OPTIONS = { name: 'orders', listen: 'ws://127.0.0.1:7355', seeds: ['ws://127.0.0.1:7355'] };

describe('join', () => {
  test('gives the cluster once it is up', async () => {
    const cluster = new FakeCluster();
    expect(await joinBy(async () => cluster, OPTIONS)).toBe(cluster);
    expect(cluster.calls).toEqual(['up']);
  });

  test('leaves nothing running when it fails', async () => {
    const cluster = new FakeCluster();
    cluster.upFails = new ClusterError('joinRefused', 'no');
    await expect(joinBy(async () => cluster, OPTIONS)).rejects.toThrow('no');
    expect(cluster.calls).toEqual(['up', 'leave self']);
  });

  test('is over at once when it was aborted before it began', async () => {
    const started = joinBy(() => expect.unreachable(), { ...OPTIONS, signal: AbortSignal.abort() });
    await expect(started).rejects.toMatchObject({ code: 'aborted' });
  });

  test('hands its signal to the wait', async () => {
    const cluster = new FakeCluster();
    const stop = new AbortController();
    const joining = joinBy(
      async () => {
        stop.abort();
        return cluster;
      },
      { ...OPTIONS, signal: stop.signal },
    );
    await expect(joining).rejects.toMatchObject({ code: 'aborted' });
    expect(cluster.calls).toEqual(['up', 'leave self']);
  });

  test('leaves at the end of its block', async () => {
    const cluster = new FakeCluster();
    {
      await using joined = await joinBy(async () => cluster, OPTIONS);
      expect(joined.self.status).toBe('up');
    }
    expect(cluster.calls).toEqual(['up', 'leave self']);
  });
});
