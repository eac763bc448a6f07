/** The texts of a handshake: what is read, what is refused, what is ignored. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  HANDSHAKE_BYTES,
  readHandshake,
  showHandshake,
  type WireHello,
} from './handshake-message.js';

const hello: WireHello = {
  type: 'hello',
  hello: {
    cluster: 'orders',
    protocol: { min: 1, max: 2 },
    self: 'ws://10.0.0.1:7355#0123456789abcdef',
    settings: ['heartbeat.rings=5', 'downing.role='],
  },
  lane: 'control',
  nonce: 'A'.repeat(43),
  secured: true,
  tls: false,
};
const fields = JSON.parse(showHandshake(hello)) as Record<string, unknown>;

describe('what is read is what was said', () => {
  test.each([
    hello,
    { type: 'prove', mac: 'abc' } as const,
    { type: 'welcome', mac: '' } as const,
    { type: 'welcome', mac: '', token: 'A-_9'.repeat(10).concat('abc') } as const,
    { type: 'refuse', code: 'clusterName', message: 'another name' } as const,
  ])('$type', (message) => {
    expect(readHandshake(showHandshake(message))).toEqual(message);
  });
});

test('fields that are not known are ignored', () => {
  const read = readHandshake(JSON.stringify({ ...fields, later: { than: 'us' } }));
  expect(read).toEqual(hello);
});

describe('a hello is a problem', () => {
  test.each([
    ['cluster', ''],
    ['cluster', 'a\nb'],
    ['cluster', 'x'.repeat(257)],
    ['cluster', 7],
    ['protocol', { min: 2, max: 1 }],
    ['protocol', { min: 1 }],
    ['protocol', { min: 0.5, max: 1 }],
    ['protocol', null],
    ['self', 'nobody'],
    ['self', 'ws://a:1'],
    ['self', 'http://a:1#u'],
    ['self', 'ws://a:0#u'],
    ['self', 'ws://a:99999#u'],
    ['self', 'ws://a:007355#u'],
    ['self', 'ws://a\u001b[2J:1#u'],
    ['self', `ws://${'a'.repeat(600)}:1#u`],
    ['settings', 'a=b'],
    ['settings', ['no pair']],
    ['settings', [1]],
    ['settings', Array.from({ length: 257 }, () => 'a=b')],
    ['lane', 'fast'],
    ['nonce', 'short'],
    ['nonce', '!'.repeat(43)],
    ['secured', 'yes'],
    ['tls', undefined],
  ])('with %s %j', (field, value) => {
    const text = JSON.stringify({ ...fields, [field]: value });
    expect(readHandshake(text)).toMatchObject({ type: 'problem' });
  });

  test('above its size', () => {
    const text = JSON.stringify({ ...fields, more: 'x'.repeat(HANDSHAKE_BYTES) });
    expect(readHandshake(text)).toEqual({ type: 'problem', message: 'is too long' });
  });
});

test.each([
  ['', 'is not JSON'],
  ['[]', 'is not an object'],
  ['null', 'is not an object'],
  ['{}', 'is of no known type'],
  ['{"type":"__proto__"}', 'is of no known type'],
  ['{"type":"prove"}', 'has no proof'],
  ['{"type":"prove","mac":"","token":"short"}', 'has a token that is none'],
  ['{"type":"welcome","mac":"","token":7}', 'has a token that is none'],
  ['{"type":"refuse","code":"mood","message":""}', 'refuses without a reason'],
])('%s %s', (text, message) => {
  expect(readHandshake(text)).toEqual({ type: 'problem', message });
});

test('a reason of a peer reaches no terminal with its escapes', () => {
  const text = JSON.stringify({ type: 'refuse', code: 'secret', message: '\u001b[31mred\r\nline' });
  expect(readHandshake(text)).toMatchObject({ message: '?[31mred??line' });
});

test('no text throws', () => {
  fc.assert(fc.property(fc.oneof(fc.string(), fc.json()), (text) => void readHandshake(text)));
});
