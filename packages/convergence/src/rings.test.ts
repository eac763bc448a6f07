/** The twin test compares whole rings; here is what a person, or another language, can check. */
import { expect, test } from 'vitest';
import {
  baseNeighbours,
  bucketIndex,
  type Member,
  murmur32,
  neighbours,
  RING_HASH,
  State,
} from './index.js';

test('the ring hash is MurmurHash3_x86_32 of the key, seeded with the number of the ring', () => {
  expect(RING_HASH).toBe('murmur3-x86-32');
  const key = 'ws://10.0.0.5:7355#k3x9';
  expect([murmur32(key, 0), murmur32(key, 3)]).toEqual([0xeead9fbb, 0x33a50487]);
  expect(bucketIndex(key)).toBe(20);
});

const members = Array.from(
  { length: 30 },
  (_, i): Member => ({
    key: `ws://h:${7000 + i}#u`,
    status: 'Up',
    upNumber: 1,
    row: { version: 0, unreachable: [], unwell: false, cutOff: false },
    roles: [],
    appVersion: '1',
  }),
);
const state = State.from({ clusterId: 'c', epoch: 2, members, removed: [] });
const keys = members.map(({ key }) => key);

test('a link has two ends, and nobody has more than 2K', () => {
  for (const key of keys) {
    const near = baseNeighbours(state, key, 5);
    expect(near.length).toBeLessThanOrEqual(10);
    for (const other of near) expect(baseNeighbours(state, other, 5)).toContain(key);
  }
});

test('up to 2K + 1 members everybody watches everybody', () => {
  const small = State.from({
    clusterId: 'c',
    epoch: 2,
    members: members.slice(0, 11),
    removed: [],
  });
  const key = keys[0] as string;
  expect(baseNeighbours(small, key, 5).length).toBe(10);
  expect(baseNeighbours(small, key, 4).length).toBeLessThan(10);
});

test('an accused neighbour stays, and the next one is added', () => {
  const key = keys[3] as string;
  const [next, previous] = baseNeighbours(state, key, 1);
  const accused = new Set([next as string]);
  const extended = neighbours(state, key, 1, accused);
  expect(extended).toContain(next);
  expect(extended).toContain(previous);
  expect(extended.length).toBe(3);
  expect(neighbours(state, key, 1, new Set(keys)).length).toBe(29);
});

test('a row changes no ring; a departure moves only the places beside it', () => {
  const gone = keys[9] as string;
  const without = state.with({ ...(state.get(gone) as Member), status: 'Down' });
  const affected = keys.filter(
    (key) => baseNeighbours(state, key, 1).join() !== baseNeighbours(without, key, 1).join(),
  );
  expect(new Set(affected)).toEqual(new Set([...baseNeighbours(state, gone, 1)]));
});
