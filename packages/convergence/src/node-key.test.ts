import fc from 'fast-check';
import { expect, test } from 'vitest';
import { addressOf, compareKeys, type NodeKey, nodeKey, sortKeys, uidOf } from './index.js';
import { searchKeys } from './node-key.js';

test('a key is an address and the run that owns it', () => {
  const key = nodeKey('ws://10.0.0.5:7355', 'k3x9');
  expect(key).toBe('ws://10.0.0.5:7355#k3x9');
  expect([addressOf(key), uidOf(key)]).toEqual(['ws://10.0.0.5:7355', 'k3x9']);
  expect([addressOf('A#1'), uidOf('A#1'), uidOf('A')]).toEqual(['A', '1', '']);
});

/** Each list is in order. */
test.each([
  ['host, not scheme', ['wss://a:1#u', 'ws://b:1#u']],
  ['numeric port', ['ws://a:80#u', 'ws://a:443#u', 'ws://a:7355#u', 'ws://a:10000#u']],
  ['port before uid', ['ws://a:80#z', 'ws://a:443#a']],
  ['uid', ['ws://a:80#a', 'ws://a:80#b', 'ws://a:80#ba']],
  ['a shorter host first', ['ws://a:9#u', 'ws://ab:1#u']],
  ['scheme last', ['ws://a:80#u', 'wss://a:80#u']],
  ['IPv6', ['ws://[::1]:80#u', 'ws://[::1]:7355#u', 'ws://[fe80::2]:1#u']],
  ['no port', ['ws://[::1]#u', 'ws://[::1]:1#u', 'ws://a#u', 'ws://a:1#u']],
  ['short names', ['A#1', 'B#1', 'B#2', 'C#1']],
])('order: %s', (_, keys) => {
  expect(sortKeys([...keys].reverse())).toEqual(keys);
  for (let i = 1; i < keys.length; i += 1) {
    expect(compareKeys(keys[i - 1] as NodeKey, keys[i] as NodeKey)).toBeLessThan(0);
    expect(compareKeys(keys[i] as NodeKey, keys[i - 1] as NodeKey)).toBeGreaterThan(0);
  }
});

const part = fc.constantFrom(
  'a',
  'b',
  'ws://a',
  'wss://a',
  ':1',
  ':20',
  ':x',
  '#',
  'u',
  '[::1]',
  '',
);
const anyKey = fc.array(part, { maxLength: 5 }).map((parts) => parts.join(''));

test('the order is total, whatever the text', () => {
  const law = fc.property(anyKey, anyKey, anyKey, (a, b, c) => {
    expect(Math.sign(compareKeys(a, b))).toBe(-Math.sign(compareKeys(b, a)) + 0);
    expect(compareKeys(a, b) === 0).toBe(a === b);
    if (compareKeys(a, b) < 0 && compareKeys(b, c) < 0) {
      expect(compareKeys(a, c)).toBeLessThan(0);
    }
  });
  fc.assert(law, { numRuns: 1000 });
});

test('sorting drops doubles, and searching finds each place', () => {
  const law = fc.property(fc.array(anyKey), anyKey, (keys, key) => {
    const sorted = sortKeys(keys);
    expect(sorted).toEqual([...new Set(keys)].sort(compareKeys));
    const at = searchKeys(sorted, key);
    if (at >= 0) expect(sorted[at]).toBe(key);
    else expect(sortKeys([...keys, key]).indexOf(key)).toBe(-1 - at);
  });
  fc.assert(law);
});
