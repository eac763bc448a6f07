import { ClusterError, type NodeKey } from '@rollcall/core';
import { describe, expect, it } from 'vitest';
import { broadcast } from './even-strategies.js';
import { FakeCluster, key, lost, member, outcome, settled } from './fake-cluster.testing.js';
import { consistentHash } from './key-strategies.js';
import { leastSuspected } from './least-suspected.js';
import { createRouter } from './router.js';
import type { RouterOptions } from './router-options.js';

const three = () => new FakeCluster(member(1), member(2), member(3));
const failed = (code: 'askTimedOut' | 'noLink' | 'memberGone' | 'tooLarge') =>
  new ClusterError(code, code);

describe('the routees of a router', () => {
  it('are today’s at once, then each change, until the node stops', () => {
    const cluster = three();
    const said: unknown[] = [];
    createRouter(cluster, { role: 'worker' }).routees$.subscribe({
      next: (routees) => said.push(routees.map(({ node }) => node)),
      complete: () => said.push('done'),
    });
    cluster.shows(member(1), member(2, lost), member(3, { roles: [] }));
    cluster.stops();
    expect(said).toEqual([[key(1), key(2), key(3)], [key(1)], [], 'done']);
    expect(cluster.states.observed).toBe(false);
  });

  it('do not change with what is nothing to them', () => {
    const cluster = three();
    let count = 0;
    createRouter(cluster, { role: 'worker' }).routees$.subscribe(() => {
      count++;
    });
    const [one, two, more] = cluster.state.members as [never, never, never];
    cluster.shows(one, two, more, member(4, { roles: [] }));
    expect(count).toBe(1);
  });

  it('leave out whom this node suspects, long before the cluster convicts', () => {
    const cluster = three();
    const router = createRouter(cluster, { avoidPhi: 3 });
    cluster.suspects({ 2: 3.1 });
    expect(router.routees.map(({ node }) => node)).toEqual([key(1), key(3)]);
    cluster.suspects({ 2: 0.2 });
    expect(router.routees).toHaveLength(3);
  });

  it('are avoided with half an interval of patience, unless told otherwise', () => {
    const cluster = three();
    createRouter(cluster, { avoidPhi: 3 });
    expect(cluster.pauseMs).toBe(500);
    createRouter(cluster, { strategy: leastSuspected(), avoidPauseMs: 0 });
    expect(cluster.pauseMs).toBe(0);
  });

  it('are followed no longer once it is closed', async () => {
    const cluster = new FakeCluster();
    const router = createRouter(cluster, {
      whenNone: 'wait',
      strategy: leastSuspected(),
      avoidPhi: 3,
    });
    const waiting = outcome(router.tell(1));
    await settled();
    router.close();
    router.close();
    expect(await waiting).toBe('stopped');
    expect([cluster.states.observed, cluster.phis.observed, cluster.clock.pending]).toEqual([
      false,
      false,
      0,
    ]);
    expect(() => router.pick()).toThrow('this router is closed');
    expect(await outcome(router.ask(1))).toBe('stopped');
  });

  it('have their phi sampled for a strategy that reads it', () => {
    const cluster = new FakeCluster(member(1), member(2));
    const router = createRouter(cluster, { strategy: leastSuspected() });
    cluster.suspects({ 1: 5 });
    cluster.clock.advance(250);
    expect(Array.from({ length: 20 }, () => router.pick())).toEqual(Array(20).fill(key(2)));
    cluster.suspects({ 2: 6 });
    cluster.clock.advance(250);
    expect(router.pick()).toBe(key(1));
    cluster.stops();
    expect(cluster.clock.pending).toBe(0);
  });
});

describe('an ask', () => {
  it('goes to a routee, and its answer comes back', async () => {
    const cluster = three();
    cluster.answers = ({ to, body, resolve }) => resolve([to, body]);
    const router = createRouter(cluster);
    expect(await router.ask('x')).toEqual([key(1), 'x']);
    expect(await router.ask('y', { timeoutMs: 50 })).toEqual([key(2), 'y']);
    expect(cluster.sent.map(({ timeoutMs }) => timeoutMs)).toEqual([undefined, 50]);
  });

  it('is sent once unless it may be sent again', async () => {
    const cluster = three();
    cluster.answers = ({ reject }) => reject(failed('askTimedOut'));
    expect(await outcome(createRouter(cluster).ask('x'))).toBe('askTimedOut');
    expect(cluster.sent).toHaveLength(1);
  });

  it('is tried at others, each once, and no more often than that', async () => {
    const cluster = three();
    cluster.answers = ({ reject }) => reject(failed('askTimedOut'));
    expect(await outcome(createRouter(cluster, { retries: 2 }).ask('x'))).toBe('askTimedOut');
    expect(cluster.sent.map(({ to }) => to).sort()).toEqual([key(1), key(2), key(3)]);
    const again = await outcome(createRouter(cluster).ask('x', { retries: 4 }));
    expect([again, cluster.sent.length]).toEqual(['askTimedOut', 3 + 5]);
  });

  it('with a key goes to the next on the ring, and to the same next from everywhere', async () => {
    const to = async (): Promise<readonly NodeKey[]> => {
      const cluster = three();
      cluster.answers = ({ reject }) => reject(failed('noLink'));
      const router = createRouter(cluster, { strategy: consistentHash() });
      await outcome(router.ask('x', { key: 'a', retries: 2 }));
      return cluster.sent.map((sent) => sent.to);
    };
    expect(await to()).toEqual(await to());
    expect(new Set(await to()).size).toBe(3);
  });

  it('that was refused where it went goes to another; only that nobody listens there is a failure', async () => {
    const cluster = three();
    const codes = ['nobodyAnswers', 'backPressure', 'unreadable'];
    for (const code of codes) {
      const refused = new ClusterError('askFailed', 'no', { code, isRefused: true });
      cluster.answers = ({ to, resolve, reject }) =>
        to === key(1) ? reject(refused) : resolve('done');
      expect(await createRouter(cluster, { retries: 1 }).ask('x')).toBe('done');
    }
    expect(cluster.reported.filter((each) => each.endsWith('1:7355'))).toEqual([
      '-ws://10.0.0.1:7355',
    ]);
  });

  it.each([
    ['what the other side answered with', new ClusterError('askFailed', 'no', { code: 'E' })],
    [
      'what the work itself could not send on',
      new ClusterError('askFailed', 'full', { code: 'backPressure', isRefused: false }),
    ],
    ['what cannot be sent at all', failed('tooLarge')],
    ['what nobody foresaw', new TypeError('a function')],
  ])('is not tried again for %s', async (_, error) => {
    const cluster = three();
    cluster.answers = ({ reject }) => reject(error);
    await outcome(createRouter(cluster, { retries: 3 }).ask('x'));
    expect(cluster.sent).toHaveLength(1);
  });

  it('goes as it is when it is told or asked', async () => {
    const cluster = three();
    const sent: unknown[] = [];
    cluster.answers = ({ body, resolve }) => {
      sent.push({ ...(body as object) });
      resolve();
    };
    const router = createRouter(cluster, { retries: 1 });
    const body = { n: 1 };
    const told = router.tell(body);
    body.n = 2;
    const asked = router.ask(body);
    body.n = 3;
    await Promise.all([told, asked]);
    expect(sent).toEqual([{ n: 1 }, { n: 2 }]);
  });

  it('moves on the moment its routee is one no more, without waiting for a time-out', async () => {
    const cluster = three();
    const router = createRouter(cluster, { retries: 1, avoidPhi: 3 });
    const asked = router.ask('x');
    await settled();
    expect(cluster.sent.map(({ to }) => to)).toEqual([key(1)]);
    cluster.suspects({ 1: 3.5 });
    await settled();
    expect(cluster.sent.map(({ to }) => to)).toEqual([key(1), key(2)]);
    cluster.sent[1]?.resolve('answer');
    expect(await asked).toBe('answer');
    expect(cluster.sent[0]?.signal?.aborted).toBe(true);
  });

  it('reports how it went: what timed out is a failure of that member, an answer is none', async () => {
    const cluster = three();
    const router = createRouter(cluster);
    const errors = [
      undefined,
      new ClusterError('askTimedOut', 'no answer'),
      new ClusterError('askFailed', 'no such order', { code: 'notFound' }),
      new ClusterError('tooLarge', 'too large'),
      new TypeError('a function'),
    ];
    for (const error of errors) {
      cluster.answers = ({ resolve, reject }) => (error === undefined ? resolve() : reject(error));
      await outcome(router.ask('x'));
    }
    expect(cluster.reported).toEqual([
      '+ws://10.0.0.1:7355',
      '-ws://10.0.0.2:7355',
      '+ws://10.0.0.3:7355',
    ]);
  });

  it('keeps clear of degraded members while there are others, but not by key unless told to', () => {
    const cluster = three();
    const routees = (options: RouterOptions) =>
      createRouter(cluster, options).routees.map(({ node }) => node);
    cluster.degradedNow.next(new Set([key(2)]));
    expect(routees({})).toEqual([key(1), key(3)]);
    expect(routees({ avoidDegraded: false })).toHaveLength(3);
    expect(routees({ strategy: consistentHash() })).toHaveLength(3);
    expect(routees({ strategy: consistentHash(), avoidDegraded: true })).toHaveLength(2);
    cluster.degradedNow.next(new Set([key(1), key(2), key(3)]));
    expect(routees({})).toHaveLength(3);
  });

  it('stays where it is when it may not be done twice', async () => {
    const cluster = three();
    const router = createRouter(cluster, { avoidPhi: 3 });
    const asked = router.ask('x');
    await settled();
    cluster.suspects({ 1: 3.5 });
    await settled();
    expect(cluster.sent).toHaveLength(1);
    cluster.sent[0]?.resolve('late');
    expect(await asked).toBe('late');
  });

  it('ends when its caller gives up, with retries left or not', async () => {
    for (const retries of [0, 3]) {
      const cluster = three();
      const controller = new AbortController();
      const asked = createRouter(cluster).ask('x', { retries, signal: controller.signal });
      const ended = asked.catch((error: unknown) => error);
      await settled();
      controller.abort('enough');
      expect(await ended).toBe('enough');
      expect(cluster.sent).toHaveLength(1);
    }
  });

  it('counts as load until it is over, so that one key in a burst goes to several', async () => {
    const cluster = three();
    const router = createRouter(cluster, { strategy: consistentHash({ boundedLoad: 1.25 }) });
    const asked = Array.from({ length: 120 }, () => router.ask('x', { key: 'hot' }));
    await settled();
    const counts = new Map<NodeKey, number>();
    for (const { to } of cluster.sent) counts.set(to, (counts.get(to) ?? 0) + 1);
    expect([...counts.values()].sort()).toEqual([20, 50, 50]);
    for (const { resolve } of cluster.sent) resolve();
    await Promise.all(asked);
    const [first] = cluster.sent;
    expect(router.pick('hot')).toBe(first?.to);
  });
});

describe('a tell', () => {
  it('says to whom it went; what arrived nowhere goes to another', async () => {
    const cluster = three();
    cluster.answers = ({ to, resolve, reject }) =>
      to === key(1) ? reject(failed('noLink')) : resolve();
    expect(await createRouter(cluster, { retries: 1 }).tell('x')).toEqual([key(2)]);
    expect(await outcome(createRouter(cluster).tell('x'))).toBe('noLink');
  });

  it('under broadcast goes to all, and fails only if it reaches nobody', async () => {
    const cluster = three();
    const router = createRouter(cluster, { strategy: broadcast() });
    cluster.answers = ({ to, resolve, reject }) =>
      to === key(2) ? reject(failed('noLink')) : resolve();
    expect(await router.tell('x')).toEqual([key(1), key(3)]);
    cluster.answers = ({ reject }) => reject(failed('memberGone'));
    expect(await outcome(router.tell('x'))).toBe('memberGone');
    expect(await outcome(router.ask('x'))).toBe('badSetting');
  });
});

describe('options that cannot be used', () => {
  it.each([
    [{ rol: 'x' }, 'rol', 'the nearest is role'],
    [{ role: '' }, 'role', 'the name of a role'],
    [{ strategy: 'roundRobin' }, 'strategy', 'a strategy, such as roundRobin()'],
    [{ avoidPhi: 0 }, 'avoidPhi', 'a number above 0, such as 3, not 0'],
    [{ avoidPauseMs: 3_001 }, 'avoidPauseMs', 'above detector.acceptablePause (3000)'],
    [{ preferLocal: 1 }, 'preferLocal', 'true or false'],
    [{ whenNone: 'drop' }, 'whenNone', "one of 'throw', 'wait', 'useUnreachable'"],
    [{ waitMs: 0 }, 'waitMs', 'from 1 to 86400000, not 0'],
    [{ waitingMax: 0.5 }, 'waitingMax', 'a whole number from 1 to 1000000, not 0.5'],
    [{ retries: 11 }, 'retries', 'a whole number from 0 to 10, not 11'],
    [{ preferLocal: true, strategy: consistentHash() }, 'preferLocal', 'consistentHash exclude'],
    [{ preferLocal: true, strategy: broadcast() }, 'preferLocal', 'broadcast exclude each other'],
  ])('%o', (given, setting, said) => {
    const cluster = three();
    const make = () => createRouter(cluster, given as never);
    expect(make).toThrow(said);
    expect(make).toThrow(
      expect.objectContaining({ code: 'badSetting', data: expect.objectContaining({ setting }) }),
    );
    expect(cluster.states.observed).toBe(false);
  });

  it.each([
    [() => createRouter(three()).tell(1, { ky: 'x' } as never), "no option 'ky'"],
    [() => createRouter(three()).ask(1, { retries: -1 }), 'retries takes a whole number'],
    [() => createRouter(three()).ask(1, { timeoutMs: '5s' } as never), 'timeoutMs takes a number'],
    [
      () => createRouter(three(), { strategy: consistentHash() }).ask(1),
      'key is text that consistentHash goes by',
    ],
  ])('%s', async (ask, said) => {
    await expect(ask()).rejects.toThrow(said);
  });

  it('pick needs the key that its strategy goes by', () => {
    const router = createRouter(three(), { strategy: consistentHash() });
    expect(() => router.pick()).toThrow('key is text that consistentHash goes by');
    expect([key(1), key(2), key(3)]).toContain(router.pick('a'));
  });
});
