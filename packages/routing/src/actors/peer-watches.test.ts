import { ClusterError, HandClock } from '@rollcall/core';
import { expect, it } from 'vitest';
import { settled } from '../fake-cluster.testing.js';
import { PeerWatches, type Watch } from './peer-watches.js';

function peer() {
  const clock = new HandClock();
  const said: {
    readonly block: number;
    readonly ids: readonly number[];
    end(error?: unknown): void;
  }[] = [];
  const watches = new PeerWatches(clock, {
    say: (block, list) =>
      new Promise((resolve, reject) => {
        const end = (error?: unknown) => (error === undefined ? resolve() : reject(error));
        said.push({ block, ids: [...list].map(([id]) => id), end });
      }),
    unknown: () => {},
  });
  const failed: string[] = [];
  const watch = (path = 'a'): Watch => ({
    path,
    sinceMs: 0,
    over: () => {},
    complete: () => {},
    fail: () => failed.push(path),
  });
  return { clock, said, watches, watch, failed };
}

it('a watch that begins while its block is said to be empty stays', async () => {
  const { said, watches, watch } = peer();
  const first = watches.add(watch());
  await settled();
  said[0]?.end();
  await settled();
  watches.remove(first);
  watches.renew();
  await settled();
  const second = watches.add(watch());
  said[1]?.end();
  await settled();
  said[2]?.end();
  await settled();
  expect(said.map(({ ids }) => ids)).toEqual([[first], [], [second]]);
  expect([watches.size, watches.renew(), watches.take(second)?.path]).toEqual([1, true, 'a']);
});

it('what could not be said is said again, a second later', async () => {
  const { clock, said, watches, watch } = peer();
  watches.add(watch());
  await settled();
  said[0]?.end(new ClusterError('noLink', 'no link'));
  await settled();
  clock.advance(999);
  await settled();
  expect(said).toHaveLength(1);
  clock.advance(1);
  await settled();
  expect(said.map(({ ids }) => ids)).toEqual([[0], [0]]);
});

it('of a block that is too large the newest watch fails, and no other', async () => {
  const { said, watches, watch, failed } = peer();
  for (const path of ['a', 'b', 'long']) watches.add(watch(path));
  await settled();
  said[0]?.end(new ClusterError('tooLarge', 'too large'));
  await settled();
  expect([failed, said.at(-1)?.ids]).toEqual([['long'], [0, 1]]);
});

it('of many blocks a few are under way at once', async () => {
  const { said, watches, watch } = peer();
  for (let i = 0; i < 64 * 20; i++) watches.add(watch());
  await settled();
  expect(said).toHaveLength(8);
  for (const each of [...said]) each.end();
  await settled();
  expect(said).toHaveLength(16);
});
