/** Addresses and their spellings. */
import { describe, expect, test } from 'vitest';
import { isLoopback, normalAddress, readAddress, showAddress } from './address.js';

test.each([
  ['ws://10.0.0.1:7355', { secure: false, host: '10.0.0.1', port: 7355 }],
  ['wss://node.example:7355/', { secure: true, host: 'node.example', port: 7355 }],
  ['ws://[::1]:7355', { secure: false, host: '::1', port: 7355 }],
  ['ws://node:80', { secure: false, host: 'node', port: 80 }],
  ['wss://node', { secure: true, host: 'node', port: 443 }],
  ['ws://node:0', { secure: false, host: 'node', port: 0 }],
])('%s is read', (text, endpoint) => {
  expect(readAddress(text)).toEqual(endpoint);
  expect(readAddress(showAddress(endpoint))).toEqual(endpoint);
});

test.each([
  ['', 'node:7355', 'http://node:1', 'ws://', 'ws://node:70000', 'ws://node:1/path'],
  ['ws://user@node:1', 'ws://node:1?q', 'ws://node:1#uid', 'ws+unix://tmp'],
])('%s and its like are no addresses', (...texts) => {
  expect(texts.map(readAddress)).toEqual(texts.map(() => undefined));
});

test('spellings of one address have one normal form', () => {
  const spellings = ['ws://Node:80', 'ws://node/', 'ws://NODE:80/'];
  expect(new Set(spellings.map(normalAddress))).toEqual(new Set(['ws://node:80']));
  expect(normalAddress('no address')).toBe('no address');
});

describe('loopback', () => {
  test.each(['localhost', '127.0.0.1', '127.8.9.10', '::1', '::ffff:127.0.0.1'])('%s', (host) => {
    expect(isLoopback(host)).toBe(true);
  });

  test.each(['0.0.0.0', '::', '10.0.0.1', '127.example', 'localhost.example'])('not %s', (host) => {
    expect(isLoopback(host)).toBe(false);
  });
});
