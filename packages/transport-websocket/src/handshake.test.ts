/** Two handshakes talking to each other, and one talking to somebody who is up to no good. */
import { PROTOCOL } from '@rollcall/core';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Handshake, type HandshakeOptions, type HandshakeOutcome } from './handshake.js';

let nonces = 0;
const nonce = (): string => {
  nonces += 1;
  return String(nonces).padStart(43, '0');
};

const dialerHello = {
  cluster: 'orders',
  protocol: PROTOCOL,
  self: 'ws://d:1#dddd',
  settings: ['downing.strategy=keep-majority'],
};
const acceptorHello = { ...dialerHello, self: 'ws://a:1#aaaa' };
type Some = Partial<HandshakeOptions>;

const dialer = (some: Some = {}): Handshake =>
  new Handshake({
    role: 'dialer',
    lanes: ['control'],
    hello: dialerHello,
    nonce: nonce(),
    secret: undefined,
    binding: undefined,
    ...some,
  });
const acceptor = (some: Some = {}): Handshake =>
  dialer({ role: 'acceptor', lanes: ['control', 'probe'], hello: acceptorHello, ...some });

interface Talk {
  readonly texts: string[];
  readonly dialer: HandshakeOutcome | undefined;
  readonly acceptor: HandshakeOutcome | undefined;
}

/** Carries texts until both are silent; `alter` may change what crosses. */
function talk(
  d: Handshake,
  a: Handshake,
  alter: (text: string, n: number) => string = (t) => t,
): Talk {
  const texts: string[] = [];
  const outcomes: Record<string, HandshakeOutcome | undefined> = {};
  let under: { to: Handshake; text: string }[] = d.start().send.map((text) => ({ to: a, text }));
  while (under.length > 0) {
    const [next, ...rest] = under;
    under = rest;
    if (!next) break;
    texts.push(next.text);
    const step = next.to.receive(alter(next.text, texts.length - 1));
    outcomes[next.to === d ? 'dialer' : 'acceptor'] ??= step.outcome;
    const to = next.to === d ? a : d;
    under.push(...step.send.map((text) => ({ to, text })));
  }
  return { texts, dialer: outcomes.dialer, acceptor: outcomes.acceptor };
}

const kinds = ({ dialer: d, acceptor: a }: Talk): unknown[] => [d?.kind, a?.kind];
const refusal = (outcome: HandshakeOutcome | undefined) =>
  outcome?.kind === 'refused' ? outcome.refusal : undefined;

describe('both let each other in', () => {
  const binding = Buffer.from('what this TLS connection alone knows');
  test.each([
    ['without a secret', {}],
    ['with one', { secret: 'sesame' }],
    ['with one over TLS', { secret: 'sesame', binding }],
    ['over TLS alone', { binding }],
  ])('%s', (_, some) => {
    const talked = talk(dialer(some), acceptor(some));
    expect(talked.dialer).toEqual({ kind: 'open', peer: acceptorHello, lane: 'control' });
    expect(talked.acceptor).toEqual({ kind: 'open', peer: dialerHello, lane: 'control' });
    expect(talked.texts).toHaveLength(4);
    expect(talked.texts.join()).not.toContain('sesame');
  });

  test('without a secret something in between may end TLS', () => {
    expect(kinds(talk(dialer({ binding }), acceptor()))).toEqual(['open', 'open']);
  });
});

describe('a refusal says what differs, at both ends', () => {
  const other = (hello: object): Some => ({ hello: { ...dialerHello, ...hello } });
  test.each([
    ['clusterName', other({ cluster: 'bills' }), /'bills'.*'orders'|'orders'.*'bills'/],
    ['protocol', other({ protocol: { min: 7, max: 9 } }), /7 to 9/],
    ['settings', other({ settings: ['downing.strategy=manual'] }), /downing\.strategy/],
    ['secret', { secret: 'sesame' }, /ws:\/\/d:1 asks for a secret and ws:\/\/a:1 has none/],
  ])('%s', (code, some, words) => {
    const talked = talk(dialer(some), acceptor());
    expect(refusal(talked.dialer)).toMatchObject({ code, by: 'ws://a:1' });
    expect(refusal(talked.dialer)?.message).toMatch(words);
    expect(refusal(talked.acceptor)).toMatchObject({ code, by: 'ws://a:1' });
    expect(refusal(talked.acceptor)?.message).toMatch(words);
  });

  test('a secret at the acceptor alone', () => {
    const talked = talk(dialer(), acceptor({ secret: 'sesame' }));
    const message = 'ws://a:1 asks for a secret and ws://d:1 has none';
    expect(refusal(talked.dialer)).toEqual({ code: 'secret', message, by: 'ws://a:1' });
  });

  test('another secret: the acceptor proves nothing to who has not', () => {
    const talked = talk(dialer({ secret: 'guess' }), acceptor({ secret: 'sesame' }));
    expect(refusal(talked.dialer)).toMatchObject({ code: 'secret', by: 'ws://a:1' });
    expect(refusal(talked.acceptor)?.message).toBe('ws://d:1 has another secret than ws://a:1');
    expect(talked.texts.map((text) => JSON.parse(text).type)).not.toContain('welcome');
  });

  test('another TLS connection: somebody sits between the two', () => {
    const [here, there] = [Buffer.from('one'), Buffer.from('other')];
    const secret = 'sesame';
    const talked = talk(dialer({ secret, binding: here }), acceptor({ secret, binding: there }));
    expect(refusal(talked.acceptor)?.message).toMatch(/something between them ends TLS/);
  });

  test('TLS at one end alone, with a secret', () => {
    const secret = 'sesame';
    const talked = talk(dialer({ secret, binding: Buffer.from('x') }), acceptor({ secret }));
    expect(refusal(talked.dialer)?.message).toMatch(/something between them ends it/);
  });

  test('an acceptor that lets in without knowing the secret', () => {
    const secret = 'sesame';
    const d = dialer({ secret });
    const a = acceptor({ secret: 'pretends' });
    const [hello = ''] = d.start().send;
    const [answer = ''] = a.receive(hello).send;
    d.receive(answer);
    const step = d.receive(JSON.stringify({ type: 'welcome', mac: '' }));
    expect(refusal(step.outcome)).toMatchObject({ code: 'secret', by: 'ws://a:1' });
  });
});

describe('a probe', () => {
  test('is answered across clusters, and by oneself', () => {
    const probe: Some = { lanes: ['probe'], hello: { ...dialerHello, cluster: 'bills' } };
    expect(talk(dialer(probe), acceptor()).dialer).toMatchObject({
      kind: 'open',
      peer: acceptorHello,
    });
    const mirror = talk(dialer({ lanes: ['probe'] }), acceptor({ hello: dialerHello }));
    expect(mirror.dialer).toMatchObject({ kind: 'open', peer: dialerHello });
  });

  test('takes the secret like everything else', () => {
    const talked = talk(
      dialer({ lanes: ['probe'], secret: 'guess' }),
      acceptor({ secret: 'sesame' }),
    );
    expect(kinds(talked)).toEqual(['refused', 'refused']);
  });
});

describe('a dialer thinks better of it', () => {
  test('when it has dialled itself', () => {
    const talked = talk(dialer(), acceptor({ hello: dialerHello }));
    expect(talked.dialer).toMatchObject({ kind: 'stopped', why: 'self' });
    expect(talked.acceptor).toMatchObject({ kind: 'stopped', why: 'self' });
  });

  test('before it proves anything', () => {
    const talked = talk(
      dialer({ secret: 's', consider: () => 'linked' }),
      acceptor({ secret: 's' }),
    );
    expect(talked.dialer).toEqual({ kind: 'stopped', why: 'linked', peer: acceptorHello });
    expect(talked.texts).toHaveLength(2);
  });
});

describe('an attacker', () => {
  const secret = 'sesame';

  test('replays a dialer that was let in, and is not', () => {
    const { texts } = talk(dialer({ secret }), acceptor({ secret }));
    const a = acceptor({ secret });
    a.receive(texts[0] ?? '');
    expect(refusal(a.receive(texts[2] ?? '').outcome)?.code).toBe('secret');
  });

  test('replays an acceptor that let in, and is found out', () => {
    const { texts } = talk(dialer({ secret }), acceptor({ secret }));
    const d = dialer({ secret });
    d.start();
    d.receive(texts[1] ?? '');
    expect(refusal(d.receive(texts[3] ?? '').outcome)?.code).toBe('secret');
  });

  test('reflects: gives a dialer its own words back', () => {
    const d = dialer({ secret });
    const [hello = ''] = d.start().send;
    expect(d.receive(hello).outcome).toMatchObject({ kind: 'stopped', why: 'self' });
    const again = dialer({ secret });
    const [own = ''] = again.start().send;
    const masked = own.replace('ws://d:1#dddd', 'ws://a:1#aaaa');
    const [prove = ''] = again.receive(masked).send;
    const echoed = prove.replace('"prove"', '"welcome"');
    expect(refusal(again.receive(echoed).outcome)?.code).toBe('secret');
  });

  test('uses one acceptor to answer for another handshake of the same node', () => {
    const victim = acceptor({ secret });
    const d = dialer({ secret });
    const [hello = ''] = d.start().send;
    const [answer = ''] = victim.receive(hello).send;
    // The attacker passes the answer on under another address: it wants to be taken for `evil`.
    const [prove = ''] = d.receive(answer.replace('ws://a:1#aaaa', 'ws://e:1#eeee')).send;
    expect(refusal(victim.receive(prove).outcome)?.code).toBe('secret');
  });

  test('changes any character on the way: nobody is let in who was not meant', () => {
    fc.assert(
      fc.property(
        fc.nat(3),
        fc.nat(400),
        fc.constantFrom('x', '0', '"', ' '),
        (which, at, letter) => {
          let isSame = false;
          const talked = talk(dialer({ secret }), acceptor({ secret }), (text, n) => {
            if (n !== which) return text;
            const place = at % text.length;
            const altered = text.slice(0, place) + letter + text.slice(place + 1);
            isSame = altered === text;
            return altered;
          });
          if (isSame) return;
          // The very last text can be broken after the acceptor has let the true dialer in.
          if (which !== 3) expect(talked.acceptor?.kind).not.toBe('open');
          expect(talked.dialer?.kind).not.toBe('open');
        },
      ),
      { numRuns: 2_000 },
    );
  });
});

describe('out of order', () => {
  const proof = JSON.stringify({ type: 'prove', mac: '' });
  const welcome = JSON.stringify({ type: 'welcome', mac: '' });

  test.each([
    ['a proof first', acceptor, [proof]],
    ['a welcome to an acceptor', acceptor, [welcome]],
    ['a welcome first', dialer, [welcome]],
    ['nonsense', acceptor, ['nonsense']],
  ])('%s is broken off with a reason', (_, make, texts) => {
    const machine = make();
    machine.start();
    const steps = texts.map((text) => machine.receive(text));
    expect(steps.at(-1)?.outcome).toMatchObject({ kind: 'broken' });
    expect(JSON.parse(steps.at(-1)?.send[0] ?? '')).toMatchObject({
      type: 'refuse',
      code: 'badFrame',
    });
  });

  test('hello twice', () => {
    const a = acceptor();
    const [hello = ''] = dialer().start().send;
    a.receive(hello);
    expect(a.receive(hello).outcome).toMatchObject({ kind: 'broken' });
  });

  test('a lane that the path does not stand for', () => {
    const a = acceptor({ lanes: ['user'] });
    const [hello = ''] = dialer().start().send;
    expect(a.receive(hello).outcome).toMatchObject({ kind: 'broken' });
  });

  test('after its end it says nothing more', () => {
    const a = acceptor();
    a.receive('nonsense');
    const [hello = ''] = dialer().start().send;
    expect(a.receive(hello)).toEqual({ send: [] });
  });
});
