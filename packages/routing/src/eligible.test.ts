import type { ClusterState, Member, NodeKey } from '@rollcall/core';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { eligible } from './eligible.js';
import { FakeCluster, key, member } from './fake-cluster.testing.js';

const options = {
  preferLocal: false,
  includeWeaklyUp: false,
  drainLeaving: true,
  whenNone: 'throw',
} as const;
const nobody: ReadonlySet<NodeKey> = new Set();
const state = (...members: Member[]): ClusterState => new FakeCluster(...members).state;
const numbers = (members: readonly Member[]) =>
  members.map(({ address }) => Number(/(\d+):/.exec(address)?.[1]));

describe('routees', () => {
  const every = state(
    member(1),
    member(2, { status: 'weaklyUp' }),
    member(3, { status: 'joining' }),
    member(4, { status: 'leaving' }),
    member(5, { status: 'exiting' }),
    member(6, { status: 'down' }),
    member(7, { reachability: 'suspected' }),
    member(8, { reachability: 'unreachable' }),
    member(9, { roles: [] }),
  );

  it.each([
    [{}, [1, 7, 9]],
    [{ role: 'worker' }, [1, 7]],
    [{ role: 'nothing' }, []],
    [{ includeWeaklyUp: true }, [1, 2, 7, 9]],
    [{ drainLeaving: false }, [1, 4, 7, 9]],
    [{ preferLocal: true }, [1]],
    [{ whenNone: 'useUnreachable' as const }, [1, 7, 9]],
  ])('with %j', (given, wanted) => {
    expect(numbers(eligible(every, nobody, { ...options, ...given }))).toEqual(wanted);
  });

  it('are those that this node avoids only when there is no calmer one', () => {
    const avoid = new Set([key(1), key(2)]);
    expect(numbers(eligible(state(member(1), member(2), member(3)), avoid, options))).toEqual([3]);
    expect(numbers(eligible(state(member(1), member(2)), avoid, options))).toEqual([1, 2]);
  });

  it('are drained ones when nobody else can be reached, before any that is unreachable', () => {
    const left = state(
      member(1, { reachability: 'unreachable' }),
      member(2, { status: 'leaving' }),
    );
    const anybody = { ...options, whenNone: 'useUnreachable' } as const;
    expect(numbers(eligible(left, nobody, options))).toEqual([2]);
    expect(numbers(eligible(left, nobody, anybody))).toEqual([2]);
  });

  it('are unreachable ones only where that is asked for', () => {
    const lost = state(member(1, { reachability: 'unreachable' }));
    expect(eligible(lost, nobody, options)).toEqual([]);
    expect(eligible(lost, nobody, { ...options, whenNone: 'wait' })).toEqual([]);
    expect(numbers(eligible(lost, nobody, { ...options, whenNone: 'useUnreachable' }))).toEqual([
      1,
    ]);
  });

  it('hold no unreachable member while a reachable one that may be used exists, whatever is asked', () => {
    const members = fc.uniqueArray(
      fc.record({
        n: fc.integer({ min: 1, max: 30 }),
        status: fc.constantFrom(
          ...(['joining', 'weaklyUp', 'up', 'leaving', 'exiting', 'down'] as const),
        ),
        reachability: fc.constantFrom(...(['reachable', 'suspected', 'unreachable'] as const)),
        roles: fc.constantFrom(['worker'], []),
      }),
      { selector: ({ n }) => n, maxLength: 12 },
    );
    const given = fc.record({
      role: fc.constantFrom('worker', undefined),
      preferLocal: fc.boolean(),
      includeWeaklyUp: fc.boolean(),
      drainLeaving: fc.boolean(),
      whenNone: fc.constantFrom('throw', 'wait', 'useUnreachable'),
    });
    fc.assert(
      fc.property(
        members,
        given,
        fc.array(fc.integer({ min: 1, max: 30 })),
        (all, asked, avoid) => {
          const { role, ...rest } = asked;
          const chosen = eligible(
            state(...all.map(({ n, ...changes }) => member(n, changes))),
            new Set(avoid.map((n) => key(n))),
            role === undefined ? rest : { role, ...rest },
          );
          const offers = ({ roles }: { roles: readonly string[] }) =>
            role === undefined || roles.includes(role);
          const isReachable = ({ reachability }: { reachability: string }) =>
            reachability !== 'unreachable';
          const some = all.some(
            (each) => offers(each) && isReachable(each) && ['up', 'leaving'].includes(each.status),
          );
          if (some) expect(chosen.length > 0 && chosen.every(isReachable)).toBe(true);
          if (asked.whenNone !== 'useUnreachable') expect(chosen.every(isReachable)).toBe(true);
          for (const { status } of chosen) expect(['up', 'weaklyUp', 'leaving']).toContain(status);
          expect(chosen.every(offers)).toBe(true);
        },
      ),
      { numRuns: 500 },
    );
  });
});
