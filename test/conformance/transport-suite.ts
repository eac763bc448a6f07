/**
 * What core's Transport port promises, as tests that any implementation can be run against. The
 * network that makes the transports also says how time passes in it: a real one waits, a simulated
 * one moves its clock.
 */
import { ClusterError, type NodeKey, nodeKey, type Transport } from '@rollcall/core';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { Bench, type TransportNetwork } from './transport-bench.js';

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const codeOf = (error: unknown): unknown => (error instanceof ClusterError ? error.code : error);

/** Prepares and sends; what either says is one outcome. */
async function post(
  { transport }: { readonly transport: Transport },
  to: NodeKey,
  value: unknown,
): Promise<void> {
  return transport.prepare(to, value)();
}

export function transportSuite(name: string, open: () => TransportNetwork): void {
  describe(`${name} keeps the promises of the Transport port`, () => {
    let bench: Bench;
    beforeEach(() => {
      bench = new Bench(open());
    });
    afterEach(() => bench.close());

    describe('links', () => linkTests(() => bench));
    describe('dials that fail', () => failureTests(() => bench));
    describe('identity', () => identityTests(() => bench));
    describe('what is carried', () => carryingTests(() => bench));
    describe('probes', () => probeTests(() => bench));
    describe('the end', () => closingTests(() => bench));
  });
}

function linkTests(on: () => Bench): void {
  test('come up at both ends, once, with the address at the end that dialled', async () => {
    const [a, b] = await on().pair();
    expect(a.ups).toEqual([{ peer: b.key, dialled: b.address }]);
    expect(b.ups).toEqual([{ peer: a.key, dialled: undefined }]);
  });

  test('an accepted one is a link to that address', async () => {
    const [a, b] = await on().pair();
    b.call((transport) => transport.link(a.address));
    b.call((transport) => transport.send(a.key, bytes('over it'), 'urgent'));
    await on().until('the frame', () => a.frames.length === 1);
    expect([a.ups.length, b.ups.length]).toEqual([1, 1]);
  });

  test('two dials at once are one link', async () => {
    const [a, b] = [await on().start(), await on().start()];
    a.call((transport) => transport.link(b.address));
    b.call((transport) => transport.link(a.address));
    await on().linked(a, b);
    a.call((transport) => transport.send(b.key, bytes('to b'), 'urgent'));
    b.call((transport) => transport.send(a.key, bytes('to a'), 'urgent'));
    await on().until('both frames', () => a.frames.length === 1 && b.frames.length === 1);
    expect([a.linked.size, b.linked.size]).toEqual([1, 1]);
  });

  test('go when nobody wants them and nobody uses them', async () => {
    const [a, b] = await on().pair({ 'limits.idleLink': 200 });
    a.call((transport) => transport.unlink(b.address));
    await on().until('down at both ends', () => a.downs.length === 1 && b.downs.length === 1);
  });

  test('that are dropped go at both ends; a wanted one comes again', async () => {
    const [a, b] = await on().pair();
    b.call((transport) => transport.drop(a.key, 'a frame made no sense'));
    await on().until('up again', () => a.ups.length === 2 && b.ups.length === 2);
    expect([a.downs, b.downs]).toEqual([[b.key], [a.key]]);
  });

  test('come again under another uid when the peer has been started anew', async () => {
    const [a, b] = await on().pair();
    await on().settled(b.transport.close());
    await on().until('down', () => a.downs.length === 1);
    const again = await on().start({ address: b.address });
    expect(again.address).toBe(b.address);
    await on().linked(a, again);
    expect(a.ups.map(({ peer }) => peer)).toEqual([b.key, again.key]);
  });
}

function failureTests(on: () => Bench): void {
  test('are told again and again while nobody answers, until the wish is withdrawn', async () => {
    const a = await on().start();
    const { nobody } = on();
    a.call((transport) => transport.link(nobody));
    await on().until('three failures', () => a.failures.length >= 3);
    expect(a.failures[0]?.address).toBe(nobody);
    expect(['unreachable', 'timeout']).toContain(a.failures[0]?.failure.code);
    expect(a.failures[0]?.failure.message).toContain(nobody);
    a.call((transport) => transport.unlink(nobody));
    const before = a.failures.length;
    const b = await on().start();
    a.call((transport) => transport.link(b.address));
    await on().linked(a, b);
    expect(a.failures.length).toBe(before);
  });

  test.each([
    ['clusterName', { cluster: 'bills' }],
    ['settings', { settings: { 'heartbeat.rings': 3 } }],
  ] as const)(
    'for %s are refusals that name the peer, once, and no link',
    async (code, options) => {
      const a = await on().start(options);
      const b = await on().start();
      a.call((transport) => transport.link(b.address));
      await on().until('the refusal', () => a.failures.length > 0);
      const { address, failure } = a.failures[0] ?? {};
      expect(address).toBe(b.address);
      expect(failure).toMatchObject({ code: 'refused', refusal: { code, by: b.address } });
      expect(failure?.message).toContain(b.address);
      const c = await on().start();
      c.call((transport) => transport.link(b.address));
      await on().linked(b, c);
      expect([a.failures.length, a.ups, b.ups.length]).toEqual([1, [], 1]);
    },
  );

  test('for a refusal are tried again when wanted again', async () => {
    const a = await on().start({ cluster: 'bills' });
    const b = await on().start();
    a.call((transport) => transport.link(b.address));
    await on().until('the refusal', () => a.failures.length === 1);
    a.call((transport) => transport.unlink(b.address));
    a.call((transport) => transport.link(b.address));
    await on().until('another', () => a.failures.length === 2);
  });
}

function identityTests(on: () => Bench): void {
  test('nobody is let in before there is one', async () => {
    const a = on().make();
    await on().settled(a.listen());
    const b = await on().start();
    const c = await on().start();
    b.call((transport) => transport.link(a.address));
    b.call((transport) => transport.link(c.address));
    await on().linked(b, c);
    expect([a.ups, b.ups.length]).toEqual([[], 1]);
    a.identify('late');
    await on().linked(a, b);
  });

  test('wishes wait for it', async () => {
    const a = on().make();
    await on().settled(a.listen());
    const b = await on().start();
    a.call((transport) => transport.link(b.address));
    a.identify('late');
    await on().linked(a, b);
  });

  test('another one ends every link of the old and makes the wanted ones anew', async () => {
    const [a, b] = await on().pair();
    const before = a.key;
    a.identify('other');
    await on().linked(a, b);
    expect([a.downs, b.downs]).toEqual([[b.key], [before]]);
  });

  test('the same one changes nothing', async () => {
    const [a, b] = await on().pair();
    a.call((transport) => transport.identify({ ...a.hello }));
    a.call((transport) => transport.send(b.key, bytes('still here'), 'urgent'));
    await on().until('the frame', () => b.frames.length === 1);
    expect([a.downs, b.downs]).toEqual([[], []]);
  });
}

function carryingTests(on: () => Bench): void {
  test('frames arrive as they were sent, from who sent them, in order', async () => {
    const [a, b] = await on().pair();
    const texts = Array.from({ length: 50 }, (_, n) => `frame ${n}`);
    for (const text of texts) a.call((t) => t.send(b.key, bytes(text), 'urgent'));
    await on().until('all', () => b.frames.length === 50);
    expect(b.texts()).toEqual(texts);
    expect(b.frames.every(({ from }) => from === a.key)).toBe(true);
  });

  test('the bytes of a frame belong to the receiver', async () => {
    const [a, b] = await on().pair();
    const c = await on().start();
    c.call((transport) => transport.link(a.address));
    await on().linked(a, c);
    const frame = bytes('shared');
    for (const { key } of [b, c]) a.call((transport) => transport.send(key, frame, 'gossip'));
    await on().until('both', () => b.frames.length === 1 && c.frames.length === 1);
    b.frames[0]?.bytes.fill(0);
    expect(c.texts()).toEqual(['shared']);
    expect(frame).toEqual(bytes('shared'));
    expect(Object.getPrototypeOf(c.frames[0]?.bytes)).toBe(Uint8Array.prototype);
  });

  test('a frame to nobody is nothing', async () => {
    const a = await on().start();
    const stranger = nodeKey(on().nobody, 'x');
    a.call((transport) => transport.send(stranger, bytes('lost'), 'urgent'));
    a.call((transport) => transport.drop(stranger, 'it is not here'));
    expect(a.wrong).toEqual([]);
  });

  test('a frame that is cast arrives beside the link or on it, and is nothing to nobody', async () => {
    const [a, b] = await on().pair();
    const cast = (to: NodeKey, text: string) =>
      a.call((transport) => {
        if (transport.cast === undefined) transport.send(to, bytes(text), 'urgent');
        else transport.cast(to, bytes(text));
      });
    cast(nodeKey(on().nobody, 'x'), 'lost');
    cast(nodeKey(b.address, 'anotherrun'), 'lost as well');
    cast(b.key, 'to b');
    await on().until('it', () => b.frames.length === 1);
    expect(b.texts()).toEqual(['to b']);
    expect(b.frames[0]?.from).toBe(a.key);
    expect([a.wrong, b.wrong]).toEqual([[], []]);
  });

  test('user messages arrive in order, and the sender is told', async () => {
    const [a, b] = await on().pair();
    for (const n of [1, 2, 3]) await on().settled(post(a, b.key, { n, list: ['a', null] }));
    await on().settled(post(b, a.key, 'back'));
    await on().until('all', () => b.messages.length === 3 && a.messages.length === 1);
    expect(b.messages).toEqual(
      [1, 2, 3].map((n) => ({ from: a.key, value: { n, list: ['a', null] } })),
    );
    expect(a.messages).toEqual([{ from: b.key, value: 'back' }]);
  });

  test('a user message to itself arrives as a copy, and not from inside the call', async () => {
    const [a] = await on().pair();
    const value = { list: [1] };
    const posted = post(a, a.key, value);
    expect(a.messages).toEqual([]);
    await on().settled(posted);
    await on().until('it', () => a.messages.length === 1);
    expect(a.messages).toEqual([{ from: a.key, value: { list: [1] } }]);
    expect(a.messages[0]?.value).not.toBe(value);
  });

  test('a user message is copied when it is prepared, whenever it goes', async () => {
    const [a, b] = await on().pair();
    for (const to of [a, b]) {
      const value = { list: [1] };
      const send = a.transport.prepare(to.key, value);
      value.list.push(2);
      await on().settled(send());
      await on().until('it', () => to.messages.length === 1);
      expect(to.messages[0]?.value).toEqual({ list: [1] });
    }
  });

  test('a user message to nobody, and one above its limit, are refused at the sender', async () => {
    const [a, b] = await on().pair({ 'limits.messageBytes': 2_000 });
    const stranger = nodeKey(on().nobody, 'x');
    expect(await on().settled(post(a, stranger, 1).catch(codeOf))).toBe('noLink');
    const large = post(a, b.key, 'x'.repeat(4_000)).catch(codeOf);
    expect(await on().settled(large)).toBe('tooLarge');
    expect(b.messages).toEqual([]);
  });
}

function probeTests(on: () => Bench): void {
  test('bring the hello of who answers, linked or not, and change no link', async () => {
    const [a, b] = await on().pair();
    const c = await on().start();
    expect((await on().settled(a.transport.probe(b.address, 5_000)))?.self).toBe(b.key);
    expect((await on().settled(a.transport.probe(c.address, 5_000)))?.self).toBe(c.key);
    expect([a.ups.length, a.downs, b.downs, c.ups]).toEqual([1, [], [], []]);
  });

  test('are answered across clusters: that is what they are asked for', async () => {
    const [a, b] = [await on().start(), await on().start({ cluster: 'bills' })];
    const found = await on().settled(a.transport.probe(b.address, 5_000));
    expect([found?.self, found?.cluster]).toEqual([b.key, 'bills']);
  });

  test('of nobody bring nothing', async () => {
    const a = await on().start();
    expect(await on().settled(a.transport.probe(on().nobody, 200))).toBeUndefined();
    expect(a.failures).toEqual([]);
  });
}

function closingTests(on: () => Bench): void {
  test('is seen by the peers and told to nobody here', async () => {
    const [a, b] = await on().pair();
    await on().settled(a.transport.close());
    await on().until('down at the peer', () => b.downs.length === 1);
    expect(a.downs).toEqual([]);
  });

  test('lets what was sent before it arrive, and only then goes the link', async () => {
    const [a, b] = await on().pair();
    a.call((transport) => transport.send(b.key, bytes('last words'), 'urgent'));
    await on().settled(a.transport.close());
    await on().until('down at the peer', () => b.downs.length === 1);
    expect(b.frames.map((frame) => Buffer.from(frame.bytes).toString())).toEqual(['last words']);
  });

  test('may be asked for twice, and nothing asked after it does anything', async () => {
    const [a, b] = await on().pair();
    await on().settled(Promise.all([a.transport.close(), a.transport.close()]));
    a.call((transport) => transport.link(b.address));
    a.call((transport) => transport.unlink(b.address));
    a.call((transport) => transport.send(b.key, bytes('late'), 'urgent'));
    a.call((transport) => transport.drop(b.key, 'late'));
    a.call((transport) => transport.identify(a.hello));
    expect(await on().settled(a.transport.probe(b.address, 200))).toBeUndefined();
    const posted = post(a, b.key, 'late').then(() => 'sent', codeOf);
    expect(['noLink', 'stopped']).toContain(await on().settled(posted));
    expect(b.frames).toEqual([]);
  });
}
