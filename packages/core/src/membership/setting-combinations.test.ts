import type { Member, NodeKey } from '@rollcall/convergence';
import { expect, test } from 'vitest';
import { decode, encode } from './codec.js';
import {
  CHARACTERS_MAX,
  isUniqueAddress,
  isWord,
  KEY_BYTES_MAX,
  ROLES_MAX,
} from './member-facts.js';
import { memberBytesMax } from './setting-combinations.js';
import { readSettings } from './settings.js';

/** As long as addresses get: their host has letters of several bytes. */
const longest = (i: number): NodeKey => {
  const tail = `:65535#${String(i).padStart(16, '0')}`;
  const host = 'ö'.repeat((KEY_BYTES_MAX - 'wss://'.length - tail.length) / 2);
  return `wss://${host}${tail}`;
};

const word = (i: number): string => String(i).padStart(CHARACTERS_MAX, 'x');

test.each([1, 5, 10])('a member at all its limits takes what is reckoned: %i rings', (rings) => {
  const settings = readSettings({ heartbeat: { rings } });
  const neighbours = Array.from({ length: 2 * rings }, (_, i) => longest(100 + i));
  const largest = (i: number): Member => ({
    key: longest(i),
    status: 'Up',
    upNumber: 2 ** 52,
    row: {
      version: 2 ** 52,
      unreachable: neighbours,
      unwell: true,
      cutOff: true,
      leases: ['0'.repeat(32), '1'.repeat(32)],
    },
    roles: Array.from({ length: ROLES_MAX }, (_, role) => word(role)),
    appVersion: word(0),
  });
  const sizeOf = (count: number): number => {
    const put = Array.from({ length: count }, (_, i) => largest(i));
    const patch = {
      base: '0'.repeat(32),
      digest: '0'.repeat(32),
      clusterId: longest(0),
      epoch: 2 ** 52,
      removed: put.map(({ key }) => key),
      put,
      drop: [],
      buckets: [],
    };
    const welcome = { kind: 'welcome', token: '0'.repeat(16), patch } as const;
    const bytes = encode(welcome);
    expect(decode(bytes)).toEqual(welcome);
    return bytes.length;
  };
  expect(isUniqueAddress(longest(1)) && isWord(word(1))).toBe(true);
  const each = memberBytesMax(settings);
  const [one, many] = [sizeOf(1), sizeOf(41)];
  expect((many - one) / 40).toBeLessThanOrEqual(each);
  expect((many - one) / 40).toBeGreaterThan(0.98 * each);
  expect(one - each).toBeLessThanOrEqual(512);
});
