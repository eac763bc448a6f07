import { expect, test } from 'vitest';
import { isLoopback, readManagementAddress } from './management-address.js';

test.each([
  ['127.0.0.1:8355', { host: '127.0.0.1', port: 8355 }],
  ['8355', { host: '127.0.0.1', port: 8355 }],
  ['[::1]:0', { host: '::1', port: 0 }],
  ['node-1.local:80', { host: 'node-1.local', port: 80 }],
  ['127.0.0.1', undefined],
  ['127.0.0.1:70000', undefined],
  ['http://127.0.0.1:80', undefined],
  ['', undefined],
])('%s', (text, expected) => {
  expect(readManagementAddress(text)).toEqual(expected);
});

test.each([
  ['127.0.0.1', true],
  ['127.8.0.1', true],
  ['::1', true],
  ['localhost', true],
  ['0.0.0.0', false],
  ['::', false],
  ['10.0.0.1', false],
  ['127.0.0.1.evil.example', false],
])('%s: loopback %s', (host, expected) => {
  expect(isLoopback(host)).toBe(expected);
});
