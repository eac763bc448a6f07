/** User messages to text and back, and texts that are none. */
import fc from 'fast-check';
import { SuperJSON } from 'superjson';
import { describe, expect, test } from 'vitest';
import { decodeMessage, encodeMessage } from './user-message.js';

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

test('what an application registers with the shared superjson stays out of the wire', () => {
  class Gadget {}
  SuperJSON.registerClass(Gadget, 'Gadget');
  expect(decodeMessage('{"json":{},"meta":{"values":[["class","Gadget"]]}}')).toHaveProperty(
    'problem',
  );
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
