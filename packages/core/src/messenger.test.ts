import { describe, expect, it } from 'vitest';
import { ClusterError } from './errors.js';
import type { IncomingMessage } from './incoming-message.js';
import { PuppetPeer, puppetNode, settled } from './puppet-ports.testing.js';

const K = 'ws://z:7000#00000000000000f1';
const L = 'ws://y:7000#00000000000000f2';

/** Two members that are linked, and what the first one's user is brought. */
async function two(settings: Record<string, unknown> = {}) {
  const node = await puppetNode({ settings });
  const peer = new PuppetPeer(K, node.cluster, node.transport);
  peer.joins();
  return { ...node, peer };
}

const brings = (node: Awaited<ReturnType<typeof two>>, value: unknown, from = K) =>
  node.transport.events?.message(from, value);

function heardBy({ cluster }: Awaited<ReturnType<typeof two>>): IncomingMessage[] {
  const heard: IncomingMessage[] = [];
  cluster.messages$.subscribe((message) => heard.push(message));
  return heard;
}

const outcome = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    (value) => ['resolved', value],
    (error: unknown) => (error instanceof ClusterError ? [error.code, error.data] : error),
  );

describe('a tell', () => {
  it('goes to a member, by its unique address or its address', async () => {
    const { cluster, transport } = await two();
    await cluster.tell(K, { n: 1 });
    await cluster.tell('ws://z:7000', 'two');
    expect(transport.posted).toEqual([
      { to: K, value: ['tell', { n: 1 }] },
      { to: K, value: ['tell', 'two'] },
    ]);
  });

  it('to nobody who is known, a removed uid too, is refused at once', async () => {
    const { cluster, transport } = await two();
    const refused = await outcome(cluster.tell('ws://z:7000#00000000000000f0', 1));
    expect(refused).toEqual(['unknownMember', { node: 'ws://z:7000#00000000000000f0' }]);
    expect(transport.posted).toEqual([]);
  });

  it('rejects as the transport does', async () => {
    const { cluster, transport } = await two();
    transport.refusesNextPost = new ClusterError('tooLarge', 'too large', { max: 1 });
    expect(await outcome(cluster.tell(K, 1))).toEqual(['tooLarge', { max: 1 }]);
    const unsendable = new TypeError('a function');
    transport.refusesNextPost = unsendable;
    expect(await outcome(cluster.tell(K, 1))).toBe(unsendable);
  });

  it('goes to oneself by the transport too, which copies it', async () => {
    const { cluster, transport } = await two();
    await cluster.tell(cluster.self.node, 'me');
    expect(transport.posted).toEqual([{ to: cluster.self.node, value: ['tell', 'me'] }]);
  });

  it('that arrives is a message, from whom it came', async () => {
    const node = await two();
    const heard = heardBy(node);
    brings(node, ['tell', { n: 1 }]);
    expect(heard).toEqual([{ kind: 'tell', from: K, body: { n: 1 } }]);
  });

  it('of a node that is no member is dropped', async () => {
    const node = await two();
    const heard = heardBy(node);
    brings(node, ['tell', 1], L);
    expect(heard).toEqual([]);
  });
});

describe('a member without a link', () => {
  async function unlinked(settings: Record<string, unknown> = {}) {
    const node = await two(settings);
    node.transport.events?.linkDown(K);
    return node;
  }

  it('is linked for the message; what was told meanwhile goes in order, and nothing overtakes it', async () => {
    const { cluster, transport, peer } = await unlinked();
    const told = [1, 2, 3].map((n) => cluster.tell(K, n));
    await settled();
    expect(transport.posted).toEqual([]);
    transport.events?.linkUp(peer.hello, undefined);
    const last = cluster.tell(K, 4);
    await Promise.all([...told, last]);
    expect(transport.posted.map(({ value }) => value)).toEqual(
      [1, 2, 3, 4].map((n) => ['tell', n]),
    );
  });

  it('gets messages as they were when they were told', async () => {
    const { cluster, transport, peer } = await unlinked();
    const list = [1];
    const told = cluster.tell(K, list);
    list.push(2);
    transport.events?.linkUp(peer.hello, undefined);
    await told;
    expect(transport.posted).toEqual([{ to: K, value: ['tell', [1]] }]);
  });

  it('is waited for until messages.linkTimeout', async () => {
    const { cluster, clock } = await unlinked({ messages: { linkTimeout: '2s' } });
    const told = outcome(cluster.tell(K, 1));
    clock.advance(2_000);
    expect(await told).toEqual(['noLink', { to: K }]);
  });

  it('has so many messages wait and no more', async () => {
    const { cluster } = await unlinked({ limits: { userOutbox: 2 } });
    const waiting = [1, 2].map((n) => outcome(cluster.tell(K, n)));
    expect(await outcome(cluster.tell(K, 3))).toEqual(['backPressure', { to: K, max: 2 }]);
    await cluster.stop();
    expect(await Promise.all(waiting)).toEqual([
      ['stopped', {}],
      ['stopped', {}],
    ]);
  });
});

const idOf = (value: unknown) => (value as readonly [string, number])[1];

describe('an ask', () => {
  it('is answered by the one that was asked', async () => {
    const node = await two();
    const asked = outcome(node.cluster.ask(K, 'how much?'));
    await settled();
    const [question] = node.transport.posted;
    expect(question).toEqual({ to: K, value: ['ask', idOf(question?.value), 'how much?'] });
    const id = idOf(question?.value);
    brings(node, ['answer', id, 'not from me'], L);
    brings(node, ['answer', id + 1, 'another question']);
    brings(node, ['answer', id, 42n]);
    brings(node, ['answer', id, 'too late']);
    expect(await asked).toEqual(['resolved', 42n]);
  });

  it('carries the error of the other side, with its name, message and code', async () => {
    const node = await two();
    const asked = node.cluster.ask(K, 1).catch((error: unknown) => error);
    await settled();
    const failure = { name: 'RangeError', message: 'not so many', code: 'E_MANY' };
    brings(node, ['failed', idOf(node.transport.posted[0]?.value), failure]);
    expect(await asked).toMatchObject({
      code: 'askFailed',
      message: 'not so many',
      data: { from: K, name: 'RangeError', code: 'E_MANY' },
    });
  });

  it('says whether it was begun at the other side', async () => {
    const node = await two();
    const failure = { name: 'Error', message: 'no', code: 'busy' };
    for (const kind of ['failed', 'refused']) {
      const asked = node.cluster.ask(K, 1).catch((error: unknown) => error);
      await settled();
      brings(node, [kind, idOf(node.transport.posted.at(-1)?.value), failure]);
      const data = { code: 'busy', isRefused: kind === 'refused' };
      expect(await asked).toMatchObject({ code: 'askFailed', data });
    }
  });

  it('fails when nobody answers in time, by default after messages.askTimeout', async () => {
    const { cluster, clock } = await two({ messages: { askTimeout: '3s' } });
    const first = outcome(cluster.ask(K, 1));
    const second = outcome(cluster.ask(K, 2, { timeoutMs: 1_000 }));
    clock.advance(1_000);
    expect(await second).toEqual(['askTimedOut', { to: K, timeoutMs: 1_000 }]);
    clock.advance(2_000);
    expect(await first).toEqual(['askTimedOut', { to: K, timeoutMs: 3_000 }]);
  });

  it('is given up by its signal', async () => {
    const { cluster } = await two();
    const controller = new AbortController();
    const asked = outcome(cluster.ask(K, 1, { signal: controller.signal }));
    controller.abort();
    expect(await asked).toEqual(['aborted', { to: K }]);
    expect(await outcome(cluster.ask(K, 1, { signal: controller.signal }))).toEqual([
      'aborted',
      { to: K },
    ]);
  });

  it('fails when its member is removed, and when this node stops', async () => {
    const node = await two();
    const first = outcome(node.cluster.ask(K, 1));
    await node.cluster.down(K);
    expect(await first).toEqual(['memberGone', { to: K }]);
    const second = outcome(node.cluster.ask(node.cluster.self.node, 1));
    await node.cluster.stop();
    expect(await second).toEqual(['stopped', {}]);
  });

  it('waits beside so many others and no more', async () => {
    const { cluster } = await two({ limits: { asks: 2 } });
    const waiting = [1, 2].map((n) => outcome(cluster.ask(K, n)));
    expect(await outcome(cluster.ask(K, 3))).toEqual(['backPressure', { to: K, max: 2 }]);
    await cluster.stop();
    await Promise.all(waiting);
  });
});

describe('who is asked', () => {
  const answers = ({ transport }: Awaited<ReturnType<typeof two>>) =>
    transport.posted.map(({ value }) => value);

  it('answers once; later answers do not count', async () => {
    const node = await two();
    const heard = heardBy(node);
    brings(node, ['ask', 7, 'q']);
    const [asked] = heard;
    if (asked?.kind !== 'ask') throw new Error('it was not asked');
    await asked.reply('a');
    await asked.reply('b');
    await asked.fail(new Error('c'));
    expect(answers(node)).toEqual([['answer', 7, 'a']]);
  });

  it('answers by a function: what it returns, resolves to or throws', async () => {
    const node = await two();
    const end = node.cluster.answer(({ body }) => {
      if (body === 'bad') throw Object.assign(new RangeError('no'), { code: 'E_NO' });
      return body === 'late' ? Promise.resolve(2) : 1;
    });
    for (const [id, body] of [
      [1, 'now'],
      [2, 'late'],
      [3, 'bad'],
    ])
      brings(node, ['ask', id, body]);
    await settled();
    expect(answers(node).sort()).toEqual([
      ['answer', 1, 1],
      ['answer', 2, 2],
      ['failed', 3, { name: 'RangeError', message: 'no', code: 'E_NO' }],
    ]);
    end();
    brings(node, ['ask', 4, 'now']);
    await settled();
    expect(answers(node).at(-1)).toMatchObject(['refused', 4, { code: 'nobodyAnswers' }]);
  });

  it('says so when its answer cannot be sent', async () => {
    const node = await two();
    node.cluster.answer(() => 'unsendable');
    node.transport.refusesNextPost = new TypeError('this message cannot be sent');
    brings(node, ['ask', 1, 'q']);
    await settled();
    expect(answers(node)).toMatchObject([['failed', 1, { name: 'TypeError' }]]);
  });
});

describe('what is no message', () => {
  it.each([
    [undefined],
    ['tell'],
    [['tell']],
    [['tell', 1, 2]],
    [['ask', 'x', 1]],
    [['answer', 1.5, 1]],
    [['failed', 1, { name: 'E' }]],
    [['refused', 1, 'busy']],
    [['shout', 1, 2]],
    [{ kind: 'tell' }],
  ])('is dropped, and told of seldom: %j', async (value) => {
    const node = await two();
    const heard = heardBy(node);
    for (let n = 0; n < 12; n++) brings(node, value);
    expect(heard).toEqual([]);
    const warnings = node.ports.lines.filter(({ message }) => message.includes('user message'));
    expect(warnings).toHaveLength(2);
  });
});

describe('a message that cannot be read', () => {
  const unreadable = (node: Awaited<ReturnType<typeof two>>, ...head: unknown[]) =>
    node.transport.events?.unreadable?.(K, head, "unknown class 'Money'");

  it('is told of in the log, and fails the ask at the one who asked', async () => {
    const node = await two();
    const heard = heardBy(node);
    unreadable(node, 'tell');
    unreadable(node, 'ask', 7);
    await settled();
    expect(heard).toEqual([]);
    expect(node.ports.lines.map(({ message }) => message)).toContain(
      `a message of ${K} cannot be read here: unknown class 'Money'`,
    );
    const failure = {
      name: 'TypeError',
      message: `${node.cluster.self.node} cannot read it: unknown class 'Money'`,
      code: 'unreadable',
    };
    expect(node.transport.posted).toEqual([{ to: K, value: ['refused', 7, failure] }]);
  });

  it('fails the ask that it answers, and nothing else, whatever its head', async () => {
    const node = await two();
    const asked = node.cluster.ask(K, 1).catch((error: unknown) => error);
    await settled();
    const id = idOf(node.transport.posted[0]?.value);
    for (const head of [[], [{}], ['answer'], ['answer', 'x'], ['answer', id + 1], ['failed', id]])
      unreadable(node, ...head);
    unreadable(node, 'answer', id);
    expect(await asked).toMatchObject({ code: 'askFailed', data: { code: 'unreadable', from: K } });
    expect(node.transport.posted).toHaveLength(1);
  });
});
