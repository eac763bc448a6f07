import { ClusterError } from '@rollcall/core';
import { describe, expect, test } from 'vitest';
import { FakeCluster } from './fake-cluster.testing.js';
import { type JoinOptions, join, joinBy } from './join.js';
import { startNode } from './start-node.js';

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

  test.each([null, 5, {}, new AbortController()])('a signal that is none: %j', async (signal) => {
    const options = { ...OPTIONS, signal } as unknown as JoinOptions;
    await expect(joinBy(() => expect.unreachable(), options)).rejects.toMatchObject({
      code: 'badSetting',
      data: { setting: 'signal' },
      message: expect.stringContaining('an AbortSignal'),
    });
  });

  test.each([undefined, null, 5])('no options at all: %j', async (options) => {
    await expect(join(options as unknown as JoinOptions)).rejects.toMatchObject({
      code: 'badSetting',
      data: { setting: 'options' },
    });
  });

  test.each<[string, (...given: unknown[]) => Promise<unknown>]>([
    ['join', join as () => Promise<unknown>],
    ['startNode', startNode as () => Promise<unknown>],
  ])('%s takes one object, and does not pass over a second one', async (call, start) => {
    const signal = AbortSignal.abort();
    for (const second of [{ signal }, signal]) {
      await expect(start(OPTIONS, second)).rejects.toMatchObject({
        code: 'badSetting',
        data: { setting: 'options' },
        message: `${call} takes its options as one object such as { name, listen, seeds }: put the second one into it`,
      });
    }
    const [mapped] = [{ ...OPTIONS, name: '' }].map(start);
    await expect(mapped).rejects.toMatchObject({ data: { setting: 'name' } });
  });

  test('an option of the wrong kind', async () => {
    const options = { ...OPTIONS, secret: null } as unknown as JoinOptions;
    await expect(join(options)).rejects.toMatchObject({ code: 'badSetting' });
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
