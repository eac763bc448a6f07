import { describe, expect, it } from 'vitest';
import { ClusterError, type ClusterErrorCode } from './errors.js';
import { PuppetPeer, puppetNode, settled } from './puppet-ports.testing.js';

const A = 'ws://a:7000#00000000000000a1';
const K = 'ws://z:7000#00000000000000f1';

async function two(settings: Record<string, unknown> = {}) {
  const node = await puppetNode({ settings });
  const peer = new PuppetPeer(K, node.cluster, node.transport);
  peer.joins();
  return { ...node, peer };
}
const rejection = async (promise: Promise<unknown>): Promise<ClusterError> => {
  const error = await promise.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(ClusterError);
  return error as ClusterError;
};
const rejectsWith = async (code: ClusterErrorCode, promise: Promise<unknown>) =>
  expect((await rejection(promise)).code).toBe(code);

/** Each emission of a stream as text, and its end. */
function heard(stream: {
  subscribe(observer: {
    next: (each: unknown) => void;
    complete: () => void;
    error: () => void;
  }): unknown;
}) {
  const said: unknown[] = [];
  stream.subscribe({
    next: (each) => said.push(each),
    complete: () => said.push('done'),
    error: () => said.push('failed'),
  });
  return said;
}

describe('up()', () => {
  it('resolves at once when the node is up, and later when it is not yet', async () => {
    const { cluster } = await puppetNode();
    await cluster.up();
    const { cluster: late, clock } = await puppetNode({ seeds: ['ws://m:7000', 'ws://a:7000'] });
    let isUp = false;
    const waiting = late.up().then(() => {
      isUp = true;
    });
    await settled();
    expect(isUp).toBe(false);
    clock.advance(6_000);
    await waiting;
    expect(late.self.status).toBe('up');
  });

  it('rejects when a peer refuses, and says who and why', async () => {
    const { cluster, transport } = await puppetNode({ seeds: ['ws://a:7000'] });
    const waiting = rejection(cluster.up());
    const refusal = {
      code: 'settings',
      message: 'ws://a:7000 has other settings',
      by: 'ws://a:7000',
    } as const;
    const message = 'refused';
    transport.events?.dialFailed('ws://a:7000', { code: 'refused', message, refusal });
    expect(await waiting).toMatchObject({
      code: 'joinRefused',
      message: 'could not join: refused by ws://a:7000: ws://a:7000 has other settings',
    });
    await rejectsWith('joinRefused', cluster.up());
  });

  it('rejects when nobody lets it in', async () => {
    const settings = { join: { giveUpAfter: '2s' } };
    const { cluster, clock } = await puppetNode({ seeds: ['ws://a:7000'], settings });
    const waiting = rejectsWith('joinTimedOut', cluster.up());
    clock.advance(2_000);
    await waiting;
    expect(await cluster.ended).toMatchObject({ reason: 'gaveUp' });
  });

  it('rejects when the node is stopped while it waits', async () => {
    const { cluster } = await puppetNode({ seeds: ['ws://a:7000'] });
    const waiting = rejectsWith('stopped', cluster.up());
    await cluster.stop();
    await waiting;
  });

  it('is given up by a signal, before or while it waits; the node goes on', async () => {
    const { cluster, clock } = await puppetNode({ seeds: ['ws://m:7000', 'ws://a:7000'] });
    await rejectsWith('aborted', cluster.up({ signal: AbortSignal.abort() }));
    const controller = new AbortController();
    const waiting = rejection(cluster.up({ signal: controller.signal }));
    controller.abort(new Error('enough'));
    expect(await waiting).toMatchObject({ code: 'aborted', cause: new Error('enough') });
    clock.advance(6_000);
    expect(cluster.self.status).toBe('up');
  });
});

describe('leave()', () => {
  it('resolves when the run has ended, for everybody who asked', async () => {
    const { cluster } = await puppetNode();
    await Promise.all([cluster.leave(), cluster.leave()]);
    expect(await cluster.ended).toMatchObject({ reason: 'left' });
    await cluster.leave();
  });

  it('may be given up waiting for; the node leaves all the same', async () => {
    const { cluster, clock } = await two();
    const controller = new AbortController();
    const waiting = rejectsWith('aborted', cluster.leave({ signal: controller.signal }));
    controller.abort();
    await waiting;
    expect(cluster.self.status).toBe('leaving');
    clock.advance(20_000);
    expect(await cluster.ended).toMatchObject({ reason: 'left' });
  });

  it('is what disposal does', async () => {
    const { cluster } = await puppetNode();
    await cluster[Symbol.asyncDispose]();
    expect(await cluster.ended).toMatchObject({ reason: 'left' });
  });

  it('asks another member, by its unique address or its address, and does not wait for it', async () => {
    for (const node of [K, 'ws://z:7000']) {
      const { cluster } = await two();
      await cluster.leave({ node });
      expect(cluster.state.members[1]).toMatchObject({ node: K, status: 'leaving' });
    }
    const { cluster, transport } = await two();
    await rejectsWith('unknownMember', cluster.leave({ node: A }));
    // Let in, and not seen by the third member yet: nobody is up before everybody has.
    const late = new PuppetPeer(A, cluster, transport);
    late.introduces();
    await rejectsWith('notUp', cluster.leave({ node: A }));
  });
});

describe('down()', () => {
  it('resolves once the member is marked', async () => {
    const { cluster } = await two();
    await cluster.down('ws://z:7000');
    expect(cluster.state.members.map(({ node }) => node)).toEqual([cluster.self.node]);
  });

  it('rejects for somebody unknown, and when it would cost the quorum', async () => {
    const { cluster, transport } = await two();
    expect(await rejection(cluster.down('ws://nobody:1'))).toMatchObject({
      code: 'unknownMember',
      data: { node: 'ws://nobody:1' },
    });
    const third = new PuppetPeer(A, cluster, transport);
    const state = third.joins();
    new PuppetPeer(K, cluster, transport).agrees(state);
    await cluster.down(A);
    expect(cluster.state.members.map(({ status }) => status)).toEqual(['down', 'up', 'up']);
    expect(await rejection(cluster.down(K))).toMatchObject({
      code: 'wouldLoseQuorum',
      data: { node: K, missing: [A, K] },
    });
  });

  it('rejects when the node has stopped, and when it stops meanwhile', async () => {
    const { cluster } = await two();
    await cluster.stop();
    await rejectsWith('stopped', cluster.down(K));
  });
});

describe('stop()', () => {
  it('is at once and tells nobody', async () => {
    const { cluster, transport, clock } = await two();
    const before = transport.sent.length;
    await Promise.all([cluster.stop(), cluster.stop()]);
    expect(transport.sent).toHaveLength(before);
    expect(await cluster.ended).toEqual({ reason: 'stopped', message: expect.any(String) });
    expect(clock.pending).toBe(0);
    expect(transport.calls.filter((call) => call === 'close')).toHaveLength(1);
  });
});

describe('arguments that plain JavaScript may hand over', () => {
  const signal = AbortSignal.timeout(60_000);
  const MEMBER = 'node takes the address or unique address of a member as text, such as';

  it.each<[string, readonly unknown[], string, string]>([
    ['up', [signal], 'options', 'options must be an object such as { signal }, not an AbortSignal'],
    ['up', [null], 'options', 'options must be an object such as { signal }, not null'],
    ['up', [{ timeout: 1 }], 'timeout', "there is no option 'timeout'; there is signal"],
    ['up', [{ signal: 5 }], 'signal', 'signal takes an AbortSignal, such as AbortSignal.timeout('],
    ['up', [{ signal: new AbortController() }], 'signal', 'not an AbortController object'],
    ['leave', [{ signal: 5 }], 'signal', 'signal takes an AbortSignal'],
    ['leave', [{ signal: null }], 'signal', 'leave signal out instead'],
    ['leave', [{ nod: K }], 'nod', "no option 'nod'; the nearest is node, of node, signal"],
    ['leave', [{ node: 5 }], 'node', MEMBER],
    ['leave', [K], 'options', 'options must be an object such as { node, signal }, not text'],
    ['leave', [signal], 'options', 'not an AbortSignal object'],
    ['down', [], 'node', `${MEMBER} 'ws://127.0.0.1:7355', not undefined`],
    ['down', [5], 'node', MEMBER],
    ['down', [{ node: K }], 'node', MEMBER],
    ['tell', [5, 'hello'], 'node', MEMBER],
    ['ask', [undefined, 'hello'], 'node', MEMBER],
    ['ask', [K, 'hello', signal], 'options', 'such as { timeoutMs, signal }, not an AbortSignal'],
    ['ask', [K, 'hello', { timeout: 5 }], 'timeout', 'the nearest is timeoutMs, of timeoutMs, sig'],
    ['ask', [K, 'hello', { timeoutMs: '5s' }], 'timeoutMs', 'timeoutMs takes a number of milli'],
    ['ask', [K, 'hello', { timeoutMs: 0 }], 'timeoutMs', 'from 1 to 86400000, not 0'],
    ['ask', [K, 'hello', { signal: 5 }], 'signal', 'signal takes an AbortSignal'],
    [
      'answer',
      [],
      'handler',
      'handler takes a function from what was asked to the answer, not und',
    ],
    ['member$', [null], 'node', MEMBER],
    ['phi$', [5], 'node', MEMBER],
    ['phi', [undefined], 'node', MEMBER],
    ['phi', [K, { pauseMs: 3_001 }], 'pauseMs', '0 to detector.acceptablePause (3000), not 3001'],
    ['avoid$', [], 'options', 'such as { phi: 3, pauseMs: 500 }, not undefined'],
    ['avoid$', [{ phi: 3, pauseMs: -1 }], 'pauseMs', 'not -1'],
    ['avoid$', [{}], 'phi', 'phi takes a number above 0, such as 3, not undefined'],
    ['avoid$', [{ phi: 0 }], 'phi', 'a number above 0, such as 3, not 0'],
    ['avoid$', [{ phi: Number.NaN }], 'phi', 'not NaN'],
    ['avoid$', [{ phi: Number.POSITIVE_INFINITY }], 'phi', 'not Infinity'],
    ['avoid$', [{ pi: 3 }], 'pi', "no option 'pi'; the nearest is phi"],
  ])('%s(%j) says what it takes, and does nothing', async (name, given, setting, said) => {
    const { cluster } = await two();
    const commands = cluster as unknown as Record<string, (...given: unknown[]) => unknown>;
    // Streams throw where they are asked for: none of them ever fails.
    const asked = async () => commands[name]?.(...given);
    expect(await rejection(asked())).toMatchObject({
      code: 'badSetting',
      data: { setting },
      message: expect.stringContaining(said),
    });
    expect(cluster.self.status).toBe('up');
    expect(cluster.state.members).toHaveLength(2);
  });

  it('may be left out', async () => {
    const { cluster } = await two();
    await cluster.up({ signal: undefined } as object);
    await cluster.up({ signal });
  });
});

describe('the streams of a node', () => {
  it('complete when it stops, after every member was removed once; none fails', async () => {
    const { cluster } = await two();
    const streams = [
      cluster.state$,
      cluster.events$,
      cluster.members$,
      cluster.member$(K),
      cluster.phi$(K),
      cluster.avoid$({ phi: 3 }),
      cluster.blockers$,
    ];
    const all = streams.map((stream) => heard(stream as typeof cluster.state$));
    await cluster.stop();
    expect(all.map((said) => said.at(-1))).toEqual(Array(7).fill('done'));
    const events = all[1] as { type: string }[];
    expect(events.slice(0, -1).map(({ type }) => type)).toEqual([
      'selfRemoved',
      'memberRemoved',
      'memberRemoved',
      'convergenceLost',
    ]);
    expect(cluster.self.status).toBe('removed');
    expect([cluster.blockers, cluster.links]).toEqual([[], []]);
    expect(cluster.phi(K)).toBeUndefined();
  });

  it('give phi of a member that is observed, sampled, until it is gone', async () => {
    const { cluster, clock, peer } = await two();
    const said = heard(cluster.phi$(K));
    for (let i = 0; i < 5; i++) {
      peer.beats();
      clock.advance(1_000);
    }
    expect(said).toHaveLength(1 + 4 * 5);
    clock.advance(4_000);
    expect(said.at(-1)).toBeGreaterThan(5);
    await cluster.down(K);
    expect(said.at(-1)).toBe('done');
    expect(heard(cluster.phi$('ws://nobody:1'))).toEqual(['done']);
  });

  it('give views of members with this node’s own suspicion, where it has one', async () => {
    const { cluster } = await two();
    const [mine] = heard(cluster.member$('ws://m:7000'));
    const [theirs] = heard(cluster.member$('ws://z:7000'));
    expect(mine).toMatchObject({ status: 'up', phi: undefined });
    expect(theirs).toMatchObject({ status: 'up', phi: expect.any(Number) });
  });

  it('give blockers when they change, by a message or by time', async () => {
    const { cluster, clock } = await two({
      downing: { strategy: 'manual' },
      agreement: { observers: 1 },
    });
    const said = heard(cluster.blockers$) as { kind: string }[][];
    expect(said).toEqual([[]]);
    clock.advance(10_000);
    expect(said.at(-1)?.map(({ kind }) => kind)).toContain('unreachable');
    expect(said.length).toBeLessThan(5);
    expect(cluster.blockers).toEqual(said.at(-1));
  });

  it('need no timer while nobody listens', async () => {
    const { cluster, clock } = await two();
    const before = clock.pending;
    const subscriptions = [
      cluster.phi$(K).subscribe(),
      cluster.avoid$({ phi: 3 }).subscribe(),
      cluster.blockers$.subscribe(),
    ];
    expect(clock.pending).toBe(before + 3);
    for (const each of subscriptions) each.unsubscribe();
    expect(clock.pending).toBe(before);
  });

  it('agree with the values of today', async () => {
    const { cluster } = await two();
    expect(heard(cluster.state$)).toEqual([cluster.state]);
    expect(cluster.links).toMatchObject([{ observer: cluster.self.node, subject: K }]);
  });
});
