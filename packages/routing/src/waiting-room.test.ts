/** Messages for which there is no routee. */
import { describe, expect, it } from 'vitest';
import { FakeCluster, key, lost, member, outcome, settled } from './fake-cluster.testing.js';
import { createRouter } from './router.js';

describe('without a routee', () => {
  it('a message fails at once, and says what was looked for', async () => {
    const router = createRouter(new FakeCluster(member(1, lost)), { role: 'worker' });
    expect(() => router.pick()).toThrow('no member with the role worker can be reached');
    expect(await outcome(router.tell(1))).toBe('noRoutee');
    expect(await outcome(router.ask(1))).toBe('noRoutee');
  });

  it('a message waits, where that is asked for, and goes when there is one, in order', async () => {
    const cluster = new FakeCluster();
    const router = createRouter(cluster, { whenNone: 'wait' });
    const told = [1, 2, 3].map((n) => router.tell(n));
    await settled();
    cluster.answers = ({ resolve }) => resolve();
    cluster.shows(member(1));
    expect(await Promise.all(told)).toEqual([[key(1)], [key(1)], [key(1)]]);
    expect(cluster.sent.map(({ body }) => body)).toEqual([1, 2, 3]);
    expect(cluster.clock.pending).toBe(0);
  });

  it('waits so long, so many, and until its caller gives up', async () => {
    const cluster = new FakeCluster();
    const router = createRouter(cluster, { whenNone: 'wait', waitMs: 100, waitingMax: 2 });
    const controller = new AbortController();
    const first = outcome(router.tell(1));
    const second = outcome(router.ask(2, { signal: controller.signal }));
    await settled();
    expect(await outcome(router.tell(3))).toBe('backPressure');
    controller.abort();
    expect(await second).toBe('aborted');
    cluster.clock.advance(100);
    expect(await first).toBe('noRoutee');
    const already = AbortSignal.abort();
    expect(await outcome(router.tell(4, { signal: already }))).toBe('aborted');
    expect(cluster.clock.pending).toBe(0);
  });

  it('waits for messages.linkTimeout unless told otherwise, and ends with the node', async () => {
    const cluster = new FakeCluster();
    const router = createRouter(cluster, { whenNone: 'wait' });
    const early = outcome(router.tell(1));
    await settled();
    cluster.clock.advance(4_999);
    const late = outcome(router.tell(2));
    await settled();
    cluster.clock.advance(1);
    expect(await early).toBe('noRoutee');
    cluster.stops();
    expect(await late).toBe('stopped');
  });

  it('goes to a routee the moment it comes, though that goes again, and before what is told later', async () => {
    const cluster = new FakeCluster();
    cluster.answers = ({ resolve }) => resolve();
    const router = createRouter(cluster, { whenNone: 'wait' });
    router.routees$.subscribe((routees) => {
      if (routees.length > 0) void router.tell('third');
    });
    const told = [router.tell('first'), router.tell('second')];
    cluster.shows(member(1));
    cluster.shows();
    await Promise.all(told);
    expect(cluster.sent.map(({ body }) => body)).toEqual(['first', 'second', 'third']);
    expect(cluster.clock.pending).toBe(0);
  });

  it('goes to an unreachable one, where that is asked for', async () => {
    const cluster = new FakeCluster(member(1, lost));
    const router = createRouter(cluster, { whenNone: 'useUnreachable' });
    expect(router.pick()).toBe(key(1));
  });
});
