import fc from 'fast-check';
import { expect, it } from 'vitest';
import { FakeCluster, key, member } from './fake-cluster.testing.js';
import { oldest$, oldestOf } from './oldest.js';

it('the oldest is who was up first, whatever befalls it short of its removal', () => {
  const cluster = new FakeCluster();
  const said: unknown[] = [];
  oldest$(cluster, { role: 'worker' }).subscribe({
    next: (oldest) => said.push(oldest?.node),
    complete: () => said.push('done'),
  });
  const [second, young] = [member(2, { age: 4 }), member(1, { age: 5 })];
  const noWorker = member(4, { age: 1, roles: [] });
  cluster.shows(young, second, member(3, { age: 3 }), noWorker);
  cluster.shows(young, second, member(3, { age: 3, reachability: 'unreachable' }), noWorker);
  cluster.shows(young, second, member(3, { age: 3, status: 'down' }), noWorker);
  cluster.shows(young, second, noWorker);
  cluster.stops();
  expect(said).toEqual([undefined, key(3), key(2), undefined, 'done']);
});

it('of equal age the one first in address order; the same in any order of members', () => {
  const members = [3, 1, 2, 5].map((n) => member(n, { age: n === 5 ? 9 : 7 }));
  fc.assert(
    fc.property(fc.shuffledSubarray(members, { minLength: 4 }), (shuffled) => {
      expect(oldestOf(new FakeCluster(...shuffled).state)?.node).toBe(key(1));
    }),
  );
});

it('refuses an option that it does not know', () => {
  expect(() => oldest$(new FakeCluster(), { roles: [] } as never)).toThrow("no option 'roles'");
});
