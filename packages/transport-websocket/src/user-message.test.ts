/** User messages to text and back, and texts that are none. */
import fc from 'fast-check';
import { SuperJSON } from 'superjson';
import { describe, expect, test } from 'vitest';
import { MessageCodec } from './user-message.js';

const codec = new MessageCodec();
const encodeMessage = (value: unknown): string => codec.encode(value);
const decodeMessage = (text: string) => codec.decode(text);

const roundTrip = (value: unknown): unknown => {
  const decoded = decodeMessage(encodeMessage(value));
  if ('problem' in decoded) throw new Error(decoded.problem);
  return decoded.value;
};

describe('what survives', () => {
  test.each([
    ['undefined', undefined],
    ['null', null],
    ['text', 'a "quoted" \u2028 text'],
    [
      'Map',
      new Map<unknown, unknown>([
        ['__proto__', 1],
        [{ a: 1 }, new Set([2])],
      ]),
    ],
    ['Set', new Set([1, 'two', undefined])],
    ['Date', new Date(86_400_000)],
    ['BigInt', 2n ** 80n],
    ['numbers that JSON lacks', [Number.NaN, Number.POSITIVE_INFINITY, -0]],
    ['bytes', new Uint8Array([0, 255])],
    ['a dotted key', { 'a.constructor': new Date(1), 'b\\': undefined }],
    ['nested', { when: [new Date(0)], who: new Map([['a', { n: 1n }]]) }],
  ])('%s', (_, value) => {
    expect(roundTrip(value)).toEqual(value);
  });

  test('Error, with its cause', () => {
    const back = roundTrip(new RangeError('too far', { cause: new Error('why') })) as Error;
    expect(back).toBeInstanceOf(Error);
    expect([back.name, back.message, (back.cause as Error).message]).toEqual([
      'RangeError',
      'too far',
      'why',
    ]);
  });

  test('any JSON value without forbidden keys', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        fc.pre(!/"(__proto__|constructor|prototype)"/.test(JSON.stringify(value)));
        expect(roundTrip(value)).toEqual(value);
      }),
    );
  });
});

describe('what cannot be sent says so at the sender', () => {
  test.each([
    ['a function', () => 1],
    ['a symbol', Symbol('s')],
    ['a key of a prototype', { constructor: 1 }],
    ['one further down', [{ a: JSON.parse('{"__proto__": 1}') }]],
  ])('%s', (_, value) => {
    expect(() => encodeMessage(value)).toThrow(TypeError);
  });

  class Gadget {}
  class Faster extends Map<string, number> {}
  const circle: { around?: unknown } = {};
  circle.around = [new Map([['here', circle]])];
  test.each([
    [{ a: [() => 1] }, 'a function at a > 0'],
    [{ a: Array(3) }, 'a hole in a list at a > 0: say undefined there'],
    [Object.assign([1], { total: 1 }), 'a field of a list at total: send an object'],
    [Object.assign(Array(1), { total: 1 }), 'a hole in a list at 0'],
    [new Set([Symbol('s')]), 'a symbol at 0'],
    [{ a: { b: new Gadget() } }, 'a Gadget at a > b: name its class in classes, or send fields'],
    [new Map([['k', new Faster()]]), 'a Faster at value 0: name its class'],
    [new Error('x', { cause: new Gadget() }), 'a Gadget at cause'],
    [{ bytes: Buffer.from('x') }, 'a Buffer at bytes: send new Uint8Array(it)'],
    [[new Date(Number.NaN)], 'an invalid date at 0'],
    [['ask', 7, { a: new Gadget() }], 'sent: a Gadget at a: name its class'],
    [Promise.resolve(), 'a Promise: name its class'],
    [new ArrayBuffer(1), 'a ArrayBuffer: name its class'],
    [Object.create(circle), 'a Object: name its class'],
    [circle, 'it contains itself at around > 0 > value 0'],
  ])('%o, and where it is', (value, said) => {
    expect(() => encodeMessage(value)).toThrow(TypeError);
    expect(() => encodeMessage(value)).toThrow(said);
  });

  test('depth, by an error and not by a crash', () => {
    let deep: unknown = 1;
    for (let i = 0; i < 100_000; i++) deep = [deep];
    expect(() => encodeMessage(deep)).toThrow(TypeError);
  });

  test('what is shared is none of it, however often', () => {
    let twice: unknown = new Date(1);
    for (let i = 0; i < 12; i++) twice = { left: twice, right: twice };
    expect(roundTrip(twice)).toEqual(twice);
  });
});

describe('what is refused at the receiver', () => {
  test.each([
    ['no JSON', '{"json":'],
    ['no object', '7'],
    ['null', 'null'],
    ['no json', '{"meta":{}}'],
    ['an own __proto__', '{"json":{"__proto__":{"polluted":1}}}'],
    ['an escaped __proto__', '{"json":{"\\u005f_proto__":{"polluted":1}}}'],
    ['a constructor deep down', '{"json":[[{"a":{"constructor":{}}}]]}'],
    ['a prototype', '{"json":{"prototype":1}}'],
    ['a path to a prototype', '{"json":{"a":1},"meta":{"values":{"__proto__.x":["Date"]},"v":1}}'],
    ['a path to a constructor', '{"json":{"a":1},"meta":{"values":{"a.constructor":["Date"]}}}'],
    ['equal paths into one', '{"json":{},"meta":{"referentialEqualities":{"a":["__proto__.x"]}}}'],
    ['an unknown class', '{"json":{},"meta":{"values":[["class","Gadget"]]}}'],
    ['an unknown symbol', '{"json":"s","meta":{"values":[["symbol","s"]]}}'],
    ['an unknown custom value', '{"json":"s","meta":{"values":[["custom","s"]]}}'],
    ['annotations that do not fit', '{"json":1,"meta":{"values":[["map"]]}}'],
  ])('%s', (_, text) => {
    expect(decodeMessage(text)).toHaveProperty('problem');
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
    expect(({} as { x?: unknown }).x).toBeUndefined();
  });

  test('depth is no way to break it', () => {
    const deep = `${'['.repeat(200_000)}${']'.repeat(200_000)}`;
    expect(() => decodeMessage(`{"json":${deep}}`)).not.toThrow();
    expect(() => decodeMessage(`{"json":${deep},"a":"\\u0061"}`)).not.toThrow();
    expect(() => decodeMessage(`{"json":1,"meta":{"values":${deep}}}`)).not.toThrow();
  });

  test('no text throws', () => {
    const texts = fc.oneof(fc.string(), fc.json(), mutated());
    fc.assert(
      fc.property(texts, (text) => void decodeMessage(text)),
      { numRuns: 2_000 },
    );
  });
});

describe('classes of an application', () => {
  class Money {
    readonly #secret = 7;
    readonly cents: bigint;
    readonly on: Date;
    constructor(cents: bigint, on: Date) {
      this.cents = cents;
      this.on = on;
    }
    get euros(): number {
      return Number(this.cents) / 100;
    }
    get hidden(): number {
      return this.#secret;
    }
  }
  const both = new MessageCodec({ Money });
  const money = new Money(1_250n, new Date(5));

  test('that are named arrive as themselves, wherever they are', () => {
    const decoded = both.decode(both.encode({ all: new Map([['a', [money]]]) }));
    const { all } = (decoded as { value: { all: Map<string, Money[]> } }).value;
    const back = all.get('a')?.[0] as Money;
    expect(back).toBeInstanceOf(Money);
    expect([back.euros, back.on]).toEqual([12.5, new Date(5)]);
    // No constructor ran, so what is private is not there.
    expect(() => back.hidden).toThrow(TypeError);
  });

  test('that this node does not know cost their message, and tell whose it was', () => {
    expect(codec.decode(both.encode(['ask', 7, money]))).toEqual({
      problem: expect.stringContaining("unknown class 'Money'"),
      isForeign: false,
      head: ['ask', 7],
    });
    expect(codec.decode('{"json":{"__proto__":1}}')).toMatchObject({ isForeign: true });
  });

  test.each([
    [{ Money: 5 }, 'classes.Money takes a class, not a number'],
    [{ Money: () => 1 }, 'classes.Money takes a class, not a function'],
    [{ Bad: class extends Error {} }, 'classes.Bad extends Error'],
    [{ Bytes: class extends Uint8Array {} }, 'classes.Bytes extends a view of bytes'],
    [{ '': Money }, 'classes takes a name'],
  ])('refuses %o', (given, said) => {
    expect(() => new MessageCodec(given as never)).toThrow(said);
  });

  test('that are registered with the shared superjson stay out of the wire', () => {
    class Gadget {}
    SuperJSON.registerClass(Gadget, 'Gadget');
    expect(decodeMessage('{"json":{},"meta":{"values":[["class","Gadget"]]}}')).toHaveProperty(
      'problem',
    );
  });

  test('a circle that a peer closes is refused', () => {
    const text = '{"json":{"a":null},"meta":{"referentialEqualities":[["a"]]}}';
    const closed = codec.decode(text);
    expect(closed).toEqual({ problem: 'it contains itself at a', isForeign: false, head: [] });
  });
});

describe('everything that superjson carries', () => {
  class Point {
    readonly x: number;
    readonly y: unknown;
    constructor(x: number, y: unknown) {
      this.x = x;
      this.y = y;
    }
  }
  const named = new MessageCodec({ Point });
  const key = fc
    .string()
    .filter((text) => !['__proto__', 'constructor', 'prototype'].includes(text));
  const errors = fc
    .tuple(fc.string(), fc.constantFrom('Error', 'TypeError', 'E_CUSTOM'))
    .map(([message, name]) => Object.assign(new Error(message), { name }));
  const leaves = fc.oneof(
    fc.constantFrom(
      undefined,
      null,
      Number.NaN,
      -0,
      Number.POSITIVE_INFINITY,
      Number.NEGATIVE_INFINITY,
    ),
    fc.double(),
    fc.bigInt(),
    fc.boolean(),
    fc.string({ unit: 'binary' }),
    fc.date({ noInvalidDate: true }),
    fc.constantFrom(/a+b/gi, /[/\\]\n/u, /(?:)/),
    fc.webUrl().map((url) => new URL(url)),
    errors,
    fc.int8Array(),
    fc.uint8Array(),
    fc.uint8ClampedArray(),
    fc.int16Array(),
    fc.uint16Array(),
    fc.int32Array(),
    fc.uint32Array(),
    fc.float32Array(),
    fc.float64Array(),
    fc.bigInt64Array(),
    fc.bigUint64Array(),
  );
  const { value: anything } = fc.letrec((tie) => ({
    value: fc.oneof({ depthSize: 'small', withCrossShrink: true }, leaves, tie('branch')),
    branch: fc.oneof(
      fc.array(tie('value'), { maxLength: 4 }),
      fc.dictionary(key, tie('value'), { maxKeys: 4, noNullPrototype: true }),
      fc.array(fc.tuple(leaves, tie('value')), { maxLength: 4 }).map((pairs) => new Map(pairs)),
      fc.array(tie('value'), { maxLength: 4 }).map((items) => new Set(items)),
      fc.tuple(fc.double(), tie('value')).map(([x, y]) => new Point(x, y)),
      // A name that arrives is a field of the error's own.
      tie('value').map((cause) => Object.assign(new Error('outer', { cause }), { name: 'Error' })),
    ),
  }));

  test('comes back as it was, in any nesting', () => {
    fc.assert(
      fc.property(anything, (value) => {
        const decoded = named.decode(named.encode(['tell', value]));
        expect(decoded).toStrictEqual({ value: ['tell', value] });
      }),
      { numRuns: 1_000 },
    );
  });
});

/** A real message with a few characters exchanged. */
function mutated(): fc.Arbitrary<string> {
  const whole = encodeMessage({
    m: new Map([[1n, new Date(0)]]),
    s: new Set([undefined]),
    e: new Error('x'),
  });
  const change = fc.tuple(fc.nat(whole.length - 1), fc.constantFrom(...'{}[]":,01n.\\_'));
  return fc.array(change, { minLength: 1, maxLength: 6 }).map((changes) => {
    const letters = [...whole];
    for (const [at, letter] of changes) letters[at] = letter;
    return letters.join('');
  });
}
