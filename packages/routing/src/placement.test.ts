import type { ClusterEvent, Member, MemberStatus, Reachability } from '@rollcall/core';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { FakeCluster, key, member } from './fake-cluster.testing.js';
import { HashRing, RING } from './hash-ring.js';
import { MoveFinder, type PlacementChange } from './moves.js';
import { OwnerRing } from './owner-ring.js';
import { createPlacement, type PlacementOptions } from './placement.js';
import { keys } from './ring-cases.testing.js';

const of = (count: number): Member[] => Array.from({ length: count }, (_, i) => member(i + 1));
const many = keys(10_000);
const ownersIn = (members: readonly Member[], wanted = many, options: PlacementOptions = {}) => {
  const placement = createPlacement(new FakeCluster(...members), options);
  return wanted.map((each) => placement.ownerOf(each));
};

function heard(cluster: FakeCluster, options: PlacementOptions = {}, wanted = many) {
  const changes: PlacementChange[] = [];
  createPlacement(cluster, options)
    .moves$(() => wanted)
    .subscribe((change) => changes.push(change));
  return changes;
}

/** As a driver tells it: the event first, then the state. */
function removes(cluster: FakeCluster, gone: Member, ...left: Member[]): void {
  const { state } = cluster;
  const now: Member = { ...gone, status: 'removed' };
  const event: ClusterEvent = {
    type: 'memberRemoved',
    member: now,
    previous: gone,
    why: '',
    state,
  };
  cluster.events$.next(event);
  cluster.shows(...left);
}

describe('the owner of a key', () => {
  it('is the same for 10,000 keys in whichever order members are listed', () => {
    const owners = ownersIn(of(12));
    fc.assert(
      fc.property(fc.shuffledSubarray(of(12), { minLength: 12 }), (members) => {
        expect(ownersIn(members)).toEqual(owners);
      }),
      { numRuns: 20 },
    );
  });

  it('stays through whatever befalls a member short of its removal', () => {
    const owners = ownersIn(of(5), keys(500));
    const condition = fc.record({
      status: fc.constantFrom<MemberStatus>('up', 'leaving', 'exiting', 'down'),
      reachability: fc.constantFrom<Reachability>('reachable', 'suspected', 'unreachable'),
    });
    fc.assert(
      fc.property(fc.tuple(...of(5).map(() => condition)), (conditions) => {
        const members = conditions.map((each, i) => member(i + 1, each));
        expect(ownersIn(members, keys(500))).toEqual(owners);
      }),
    );
  });

  it('is none that was not agreed to be up, nor one without the role', () => {
    const owners = ownersIn(of(3), keys(500), { role: 'worker' });
    const others = [
      member(4, { status: 'joining', age: undefined }),
      member(5, { status: 'weaklyUp', age: undefined }),
      member(6, { status: 'down', age: undefined }),
      member(7, { roles: [] }),
      // Up by number, and held back until `members.min` are.
      member(8, { status: 'joining' }),
    ];
    expect(ownersIn([...of(3), ...others], keys(500), { role: 'worker' })).toEqual(owners);
  });

  it('may move sooner where that is asked for', () => {
    const [suspected, lost] = [
      member(2, { reachability: 'suspected' }),
      member(3, { reachability: 'unreachable' }),
    ];
    const [one, two, three] = of(3) as [Member, Member, Member];
    const wanted = keys(300);
    const now = (moveOn: 'unreachable' | 'suspicion') =>
      ownersIn([one, suspected, lost], wanted, { moveOn });
    expect(now('unreachable')).toEqual(ownersIn([one, two], wanted));
    expect(now('suspicion')).toEqual(ownersIn([one], wanted));
    expect(ownersIn([one, suspected, lost], wanted)).toEqual(ownersIn([one, two, three], wanted));
  });

  it('is nobody before this node is a member, and after its run', () => {
    const cluster = new FakeCluster();
    const placement = createPlacement(cluster);
    const said: unknown[] = [];
    placement.ownerOf$('a').subscribe({
      next: (owner) => said.push(owner),
      complete: () => said.push('done'),
    });
    cluster.shows(member(1));
    cluster.shows(member(1, { reachability: 'suspected' }));
    cluster.stops();
    expect(said).toEqual([undefined, key(1), undefined, 'done']);
  });

  it('that is started again at its address is the new run, as soon as that is up', () => {
    const again = member(2, { node: key(2, 99) });
    const before = ownersIn(of(3));
    const after = ownersIn([member(1), member(2, { status: 'down' }), again, member(3)]);
    expect(after).toEqual(before.map((owner) => (owner === key(2) ? key(2, 99) : owner)));
  });
});

describe('moves', () => {
  it('of a member that comes are to it alone, from those who have the keys, and no more than 1.5 × keys / n', () => {
    const cluster = new FakeCluster(...of(9));
    const changes = heard(cluster);
    changes.length = 0;
    cluster.shows(...of(10));
    expect(changes).toMatchObject([{ phase: 'moved', epoch: 2 }]);
    const moves = changes[0]?.moves ?? [];
    expect(moves.length).toBeGreaterThan(500);
    expect(moves.length).toBeLessThanOrEqual((1.5 * 10_000) / 10);
    for (const { to, former } of moves) expect([to, former]).toEqual([key(10), 'there']);
  });

  it('of a member that crashes come when it is removed, and not a moment before', () => {
    const cluster = new FakeCluster(...of(10));
    const changes = heard(cluster);
    changes.length = 0;
    const rest = of(9);
    for (const reachability of ['suspected', 'unreachable', 'reachable', 'unreachable'] as const)
      cluster.shows(...rest, member(10, { reachability }));
    expect(changes).toEqual([]);
    const down = member(10, { reachability: 'unreachable', status: 'down' });
    cluster.shows(...rest, down);
    expect(changes.map(({ phase }) => phase)).toEqual(['coming']);
    cluster.clock.advance(70);
    removes(cluster, down, ...rest);
    expect(changes.map(({ phase }) => phase)).toEqual(['coming', 'moved']);
    const [coming, moved] = changes.map(({ moves }) => moves.map(({ key, to }) => [key, to]));
    expect(moved).toEqual(coming);
    expect(changes[1]?.moves[0]).toMatchObject({ from: key(10), former: 'removed', atMs: 70 });
    expect(moved?.length).toBeLessThanOrEqual((1.5 * 10_000) / 10);
  });

  it('of a member that leaves are told while it is there to hand over', () => {
    const cluster = new FakeCluster(...of(4));
    const changes = heard(cluster);
    changes.length = 0;
    const rest = of(3);
    cluster.shows(...rest, member(4, { status: 'leaving' }));
    cluster.shows(...rest, member(4, { status: 'exiting' }));
    removes(cluster, member(4, { status: 'exiting' }), ...rest);
    expect(changes.map(({ phase, moves }) => [phase, moves[0]?.former])).toEqual([
      ['coming', 'there'],
      ['moved', 'left'],
    ]);
  });

  it('that are coming are told once, though more members go meanwhile', () => {
    const cluster = new FakeCluster(...of(5));
    const changes = heard(cluster);
    changes.length = 0;
    const [leaving4, leaving5] = [4, 5].map((n) => member(n, { status: 'leaving' })) as [
      Member,
      Member,
    ];
    cluster.shows(...of(3), leaving4, member(5));
    cluster.shows(...of(3), leaving4, leaving5);
    cluster.shows(...of(3), member(4, { status: 'exiting' }), leaving5);
    expect(changes.map(({ phase }) => phase)).toEqual(['coming', 'coming']);
    const [first, second] = changes.map(({ moves }) => moves);
    for (const { from } of first ?? []) expect(from).toBe(key(4));
    // The second has what is new: of the fifth, and of the fourth only what was to go to the fifth.
    const toFifth = (first ?? []).filter(({ to }) => to === key(5)).map((move) => move.key);
    expect(toFifth.length).toBeGreaterThan(0);
    const again = (second ?? []).filter(({ from }) => from === key(4)).map((move) => move.key);
    expect(again).toEqual(toFifth);
  });

  it('that are coming are told anew where somebody who joined meanwhile will have the keys', () => {
    const cluster = new FakeCluster(...of(3));
    const changes = heard(cluster);
    changes.length = 0;
    const [leaving, exiting] = (['leaving', 'exiting'] as const).map((status) =>
      member(3, { status }),
    ) as [Member, Member];
    cluster.shows(...of(2), leaving);
    cluster.shows(...of(2), leaving, member(4));
    cluster.shows(...of(2), exiting, member(4));
    removes(cluster, exiting, ...of(2), member(4));
    const coming = changes.filter(({ phase }) => phase === 'coming').flatMap(({ moves }) => moves);
    const said = new Map(coming.map((move) => [move.key, move.to]));
    const moved = changes.at(-1)?.moves ?? [];
    expect(moved.some(({ to }) => to === key(4))).toBe(true);
    for (const move of moved) expect(said.get(move.key)).toBe(move.to);
  });

  it.each([1, 2])(
    'are all told by the next state if the keys could not be named for one (%i)',
    (failing) => {
      const { clock, settings, state } = new FakeCluster();
      let calls = Number.NEGATIVE_INFINITY;
      const named = () => {
        if (++calls === failing) throw new Error('not now');
        return many;
      };
      const finder = new MoveFinder(named, clock, settings);
      const changes = (...members: readonly Member[]) =>
        finder.changes({ ...state, members }, new OwnerRing(members, HashRing.of([], RING)));
      changes(...of(2));
      calls = 0;
      const next = [member(1), member(2, { status: 'leaving' }), member(3)];
      expect(() => changes(...next)).toThrow('not now');
      expect(changes(...next).map(({ phase }) => phase)).toEqual(['moved', 'coming']);
    },
  );

  it('know of removals however many there were at once', () => {
    const cluster = new FakeCluster(...of(100));
    const changes = heard(cluster, {}, keys(500));
    const rest = of(20);
    for (let n = 100; n > 20; n--) {
      const gone = member(n, { status: 'down' });
      const { state } = cluster;
      const now: Member = { ...gone, status: 'removed' };
      cluster.events$.next({ type: 'memberRemoved', member: now, previous: gone, why: '', state });
    }
    cluster.shows(...rest);
    const moves = changes.at(-1)?.moves ?? [];
    expect(moves.length).toBeGreaterThan(200);
    expect(moves.filter(({ removedAtMs }) => removedAtMs === undefined)).toEqual([]);
  });

  it('of one that left know of the one before it, whom others had removed not long ago', () => {
    const cluster = new FakeCluster(...of(4));
    const changes = heard(cluster);
    const last = () => changes.findLast(({ phase }) => phase === 'moved')?.moves ?? [];
    cluster.clock.advance(1_000);
    removes(cluster, member(4, { status: 'down' }), ...of(3));
    const first = new Set(last().map(({ key: name }) => name));
    for (const { removedAtMs } of last()) expect(removedAtMs).toBe(1_000);
    cluster.clock.advance(1_000);
    removes(cluster, member(3, { status: 'exiting' }), ...of(2));
    const twice = last().filter(({ removedAtMs }) => removedAtMs !== undefined);
    expect(twice.length).toBeGreaterThan(0);
    expect(twice).toEqual(last().filter(({ key: name }) => first.has(name)));
    expect(new Set(twice.map(({ former, removedAtMs }) => `${former} ${removedAtMs}`))).toEqual(
      new Set(['left 1000']),
    );
    // Long after, it says nothing any more.
    cluster.clock.advance(20_000);
    removes(cluster, member(2, { status: 'exiting' }), member(1));
    expect(last().some(({ removedAtMs }) => removedAtMs !== undefined)).toBe(false);
  });

  it('are at first what this node has, as if it had come now; a founder has it from nobody', () => {
    const alone = heard(new FakeCluster(member(1)), {}, keys(10));
    expect(alone).toMatchObject([{ phase: 'moved', moves: Array(10).fill({ former: 'none' }) }]);
    const [first, ...more] = heard(new FakeCluster(...of(3)));
    expect(more).toEqual([]);
    const without = ownersIn([member(2), member(3)]);
    expect(first?.moves.length).toBeGreaterThan(1_000);
    for (const { key: name, from, to } of first?.moves ?? []) {
      expect(to).toBe(key(1));
      expect(from).toBe(without[many.indexOf(name)]);
    }
    expect(heard(new FakeCluster(), {}, keys(10))).toEqual([]);
  });

  it('end with everything going to nobody when this node’s run does', () => {
    const cluster = new FakeCluster(...of(2));
    const changes = heard(cluster, {}, keys(10));
    cluster.stops();
    expect(changes.at(-1)?.moves.map(({ to }) => to)).toEqual(Array(10).fill(undefined));
    expect([cluster.states.observed, cluster.events$.observed]).toEqual([false, false]);
  });

  it('ask for the keys of the moment, and are silent where none of them moves', () => {
    const cluster = new FakeCluster(...of(2));
    let wanted: string[] = [];
    const changes: PlacementChange[] = [];
    createPlacement(cluster)
      .moves$(() => wanted)
      .subscribe((change) => changes.push(change));
    cluster.shows(...of(3));
    expect(changes).toEqual([]);
    wanted = keys(100);
    cluster.shows(...of(4));
    expect(changes[0]?.moves.length).toBeGreaterThan(0);
  });

  it('replayed over the owners of the beginning give those of the end, for any history', () => {
    const history = fc.array(fc.subarray([1, 2, 3, 4, 5, 6], { minLength: 1 }), { maxLength: 12 });
    fc.assert(
      fc.property(history, (steps) => {
        const wanted = keys(60);
        const cluster = new FakeCluster(...of(3));
        const placement = createPlacement(cluster);
        const table = new Map(wanted.map((each) => [each, placement.ownerOf(each)]));
        placement
          .moves$(() => wanted)
          .subscribe(({ phase, moves }) => {
            if (phase === 'moved') for (const { key: name, to } of moves) table.set(name, to);
          });
        for (const step of steps) {
          cluster.shows(...step.map((n) => member(n)));
          for (const each of wanted) expect(table.get(each)).toBe(placement.ownerOf(each));
        }
      }),
    );
  });
});

it.each([
  [{ moveOn: 'never' }, "moveOn takes one of 'removal', 'unreachable', 'suspicion'"],
  [{ points: 2_000 }, 'points takes a whole number from 1 to 1024'],
  [{ rol: 'x' }, "no option 'rol'"],
])('a placement refuses %j', (given, said) => {
  expect(() => createPlacement(new FakeCluster(), given as never)).toThrow(said);
});
