import { addressOf } from '@rollcall/convergence';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Writer } from './bytes.js';
import { decode, encode, KINDS } from './codec.js';
import type { Message } from './message.js';
import { anyMessage, messagesByKind } from './messages.testing.js';

const isBad = (bytes: Uint8Array): boolean => decode(bytes).kind === 'bad';

const digest = '00112233445566778899aabbccddeeff';
const beat: Message = {
  kind: 'heartbeat',
  seq: 300,
  echo: 299,
  observes: true,
  status: { epoch: 7, digest, seen: 'all' },
};

describe('every message', () => {
  it.each(KINDS)('%s comes back as it was sent', (kind) => {
    fc.assert(
      fc.property(messagesByKind[kind], (message) => {
        expect(decode(encode(message))).toEqual(message);
      }),
    );
  });

  it('begins with the number of its kind', () => {
    expect(KINDS).toHaveLength(Object.keys(messagesByKind).length);
    fc.assert(
      fc.property(anyMessage, (message) => {
        expect(KINDS[encode(message)[0] ?? -1]).toBe(message.kind);
      }),
    );
  });

  it('may be followed by fields of a later version, which are ignored', () => {
    fc.assert(
      fc.property(anyMessage, fc.uint8Array({ maxLength: 40 }), (message, appended) => {
        expect(decode(Uint8Array.from([...encode(message), ...appended]))).toEqual(message);
      }),
    );
  });
});

describe('a damaged frame', () => {
  it('is a reason at every length short of the whole', () => {
    fc.assert(
      fc.property(anyMessage, (message) => {
        const bytes = encode(message);
        for (let length = 0; length < bytes.length; length++) {
          expect(decode(bytes.subarray(0, length))).toEqual({
            kind: 'bad',
            reason: expect.any(String),
          });
        }
      }),
    );
  });

  it('never throws, whatever was done to it, and what still reads can be said again', () => {
    const edit = fc.record({
      at: fc.nat(),
      byte: fc.nat(255),
      how: fc.constantFrom('put', 'cut', 'add'),
    });
    const edits = fc.array(edit, { minLength: 1, maxLength: 6 });
    fc.assert(
      fc.property(anyMessage, edits, (message, changes) => {
        const bytes = [...encode(message)];
        for (const { at, byte, how } of changes) {
          const place = at % (bytes.length + 1);
          bytes.splice(place, how === 'add' ? 0 : 1, ...(how === 'cut' ? [] : [byte]));
        }
        const read = decode(Uint8Array.from(bytes));
        if (read.kind !== 'bad') expect(decode(encode(read))).toEqual(read);
      }),
      { numRuns: 10_000 },
    );
  });

  it('is a reason or a message when it is noise', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (noise) => {
        expect(decode(noise).kind).toBeTypeOf('string');
      }),
      { numRuns: 5_000 },
    );
  });

  it('says what is wrong with it', () => {
    expect(decode(Uint8Array.of())).toEqual({ kind: 'bad', reason: 'ends too early' });
    expect(decode(Uint8Array.of(99))).toEqual({ kind: 'bad', reason: 'has the unknown kind 99' });
    expect(decode(Uint8Array.of(255, 1, 2))).toMatchObject({ kind: 'bad' });
  });

  it('cannot make the reader set aside more than the frame is long', () => {
    const claims = [KINDS.indexOf('join'), KINDS.indexOf('buckets')].map((kind) =>
      new Writer().byte(kind).varint(Number.MAX_SAFE_INTEGER).bytes(),
    );
    for (const claim of claims) expect(isBad(claim)).toBe(true);
  });
});

describe('what a frame may carry', () => {
  const join = (roles: readonly string[], appVersion = '1'): Message => {
    return { kind: 'join', roles, appVersion };
  };
  const seedAnswer = (acceptors: readonly string[]): Message => ({
    kind: 'seedAnswer',
    standing: { clusterId: undefined, first: false, loner: false, size: 0, acceptors },
  });

  const retry = (ask: readonly string[]): Message => ({
    kind: 'joinRetry',
    afterMs: 0,
    freshUid: false,
    ask,
  });
  const refused = (by: string): Message => ({
    kind: 'joinRefused',
    refusal: { code: 'limit', message: 'no', by },
  });

  it('is limited: texts', () => {
    expect(isBad(encode(join(['r'.repeat(64)], 'v'.repeat(64))))).toBe(false);
    expect(isBad(encode(join(['r'.repeat(65)])))).toBe(true);
    expect(isBad(encode(join([], 'v'.repeat(65))))).toBe(true);
  });

  it('is limited: a role and a version are words', () => {
    expect(isBad(encode(join(['gpu+a100'], '1.4.0-rc.1+b7')))).toBe(false);
    expect(isBad(encode(join(['two words'])))).toBe(true);
    expect(isBad(encode(join([], 'a\u0000b')))).toBe(true);
  });

  it('is limited: lists', () => {
    const many = (count: number) => Array.from({ length: count }, (_, i) => `${i + 1}`);
    expect(isBad(encode(join(many(64))))).toBe(false);
    expect(isBad(encode(join(many(65))))).toBe(true);
    const keys = many(65).map((port) => `ws://a:${port}#1`);
    expect(isBad(encode(seedAnswer(keys.slice(1))))).toBe(false);
    expect(isBad(encode(seedAnswer(keys)))).toBe(true);
    expect(isBad(encode(retry(keys.slice(1).map(addressOf))))).toBe(false);
    expect(isBad(encode(retry(keys.map(addressOf))))).toBe(true);
    const status = { epoch: 1, digest, seen: 'all' } as const;
    const buckets = Array.from({ length: 1_025 }, () => '00000000');
    expect(isBad(encode({ kind: 'buckets', status, buckets }))).toBe(true);
  });

  it.each([
    'a:1#1',
    'http://a:1#1',
    'ws://a#1',
    'ws://a:1',
    'ws://a:1#',
    'ws://a:1#UPPER',
    'ws://a b:1#1',
    'ws://a/b:1#1',
    'ws://a:123456#1',
    'ws://a:0#1',
    'ws://a:07355#1',
    'ws://a:65536#1',
    'ws://a:99999#1',
    'ws://a:1#1#1',
    `ws://a:1#${'0'.repeat(33)}`,
    `ws://${'a'.repeat(256)}:1#1`,
    '__proto__',
  ])('is never the key %s', (key) => {
    expect(isBad(encode(seedAnswer([key])))).toBe(true);
  });

  it.each([1, 65_535])('may be an address with the port %i', (port) => {
    const address = `ws://a:${port}`;
    const frames = [seedAnswer([`${address}#1`]), retry([address]), refused(address)];
    for (const each of frames) expect(decode(encode(each))).toEqual(each);
  });

  it.each([
    'ws://a:0',
    'ws://a:65536',
    'ws://a:01',
    'ws://a',
    'http://a:1',
    'ws://a:1#1',
    'a\u001b[2J',
  ])('is never the address %j', (address) => {
    expect(isBad(encode(retry([address])))).toBe(true);
    expect(isBad(encode(refused(address)))).toBe(true);
  });
});

describe('a heartbeat', () => {
  it('has these bytes, for ever', () => {
    const hex = Buffer.from(encode(beat)).toString('hex');
    expect(hex).toBe(`00ac02ab020307${digest}`);
  });

  it('takes at most 60 bytes in a steady cluster, after years and many changes', () => {
    const late = {
      ...beat,
      seq: 2 ** 35,
      echo: 2 ** 35,
      observes: true,
      status: { ...beat.status, epoch: 2 ** 30 },
    };
    expect(encode(beat).length).toBeLessThanOrEqual(60);
    expect(encode(late).length).toBeLessThanOrEqual(60);
  });
});
