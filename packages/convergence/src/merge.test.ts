/**
 * The laws of merging (I3, PROTOCOL "Merge") over states that really arose, pairs that some node
 * really merged, and triples of such pairs. They do not hold for arbitrary states, nor need they:
 * tombstones of one epoch are enough only because nobody merges what is further away.
 */
import fc from 'fast-check';
import { describe, expect, test, vi } from 'vitest';
import { keyOf, plainRules, stateOf } from './cluster.testing.js';
import { merge, type NodeKey, State } from './index.js';
import { plainDigest, plainMerge, plainOf } from './plain.testing.js';
import { listed, seeded, type Walk, walk } from './walk.testing.js';

/** A busy machine makes these slow, not wrong. */
vi.setConfig({ testTimeout: 60_000 });

const plan: Walk = {
  up: ['B', 'C'],
  joining: ['A', 'D', 'C2'],
  steps: 150,
  rules: plainRules,
  downs: 3,
  leaves: 2,
  quits: 1,
  crashes: 1,
  rows: true,
};

type Pairs = readonly (readonly [State, State])[];

/** One walk; fast-check shrinks the list it is drawn from, down to a short history. */
const histories: fc.Arbitrary<Pairs> = fc
  .oneof(
    fc.integer().map(seeded),
    fc.array(fc.nat(199), { minLength: 30, maxLength: 400 }).map(listed),
  )
  .map((draw) => walk(plan, draw).merged);

const sample = <T>(list: readonly T[], most: number): readonly T[] =>
  list.filter((_, i) => i % Math.max(1, Math.ceil(list.length / most)) === 0);

describe('merge', () => {
  test('does not care about order or repetition, and agrees with the dumb twin', () => {
    const law = fc.property(histories, (pairs) => {
      for (const [a, b] of pairs) {
        const merged = merge(a, b);
        expect(merge(b, a).digest).toBe(merged.digest);
        expect(merged.digest).toBe(plainDigest(plainMerge(plainOf(a), plainOf(b))));
        expect(merge(merged, a)).toBe(merged);
        expect(merge(merged, b)).toBe(merged);
        expect(merge(a, a)).toBe(a);
      }
    });
    fc.assert(law, { numRuns: 40 });
  });

  test('does not care about grouping', () => {
    const law = fc.property(histories, (pairs) => {
      const met = new Set(pairs.map(([a, b]) => `${a.digest} ${b.digest}`));
      const haveMet = (a: State, b: State) =>
        met.has(`${a.digest} ${b.digest}`) || met.has(`${b.digest} ${a.digest}`);
      const states = new Map(pairs.flat().map((state) => [state.digest, state]));
      for (const [a, b] of sample(pairs, 40)) {
        for (const c of states.values()) {
          if (!haveMet(b, c) || !haveMet(a, c)) continue;
          expect(merge(merge(a, b), c).digest).toBe(merge(a, merge(b, c)).digest);
        }
      }
    });
    fc.assert(law, { numRuns: 40 });
  });

  test('answers a itself if b brings nothing, and b itself if that is what comes out', () => {
    const law = fc.property(histories, (pairs) => {
      for (const [a, b] of pairs) {
        const merged = merge(a, b);
        if (merged.digest === a.digest) expect(merged).toBe(a);
        else if (merged.digest === b.digest) expect(merged).toBe(b);
      }
    });
    fc.assert(law, { numRuns: 30 });
  });
});

describe('what a merge keeps', () => {
  const base = stateOf(['A', 'B', 'C']);
  const key = keyOf('B');

  /** B with another status, number or row. */
  const having = (change: object, of = base): State => {
    const members = of.members.map((m) => (m.key === key ? { ...m, ...change } : m));
    return State.from({ clusterId: of.clusterId, epoch: of.epoch, removed: of.removed, members });
  };

  test('the higher status', () => {
    expect(merge(having({ status: 'Leaving' }), having({ status: 'Down' })).get(key)?.status).toBe(
      'Down',
    );
    expect(merge(having({ status: 'Exited' }), having({ status: 'Down' })).get(key)?.status).toBe(
      'Exited',
    );
  });

  test('the newer row as a whole', () => {
    const row = (version: number, unreachable: NodeKey[]) => ({
      row: { version, unreachable, unwell: version === 2, cutOff: false },
    });
    const merged = merge(having(row(1, ['A#1', 'C#1'])), having(row(2, [])));
    expect(merged.get(key)?.row).toEqual({ ...row(2, []).row });
  });

  test('the number that is set', () => {
    const unborn = having({ upNumber: null, status: 'Joining' });
    expect(merge(unborn, base).get(key)?.upNumber).toBe(2);
    expect(merge(unborn, base)).toBe(base);
  });

  test('nobody whom either side removed, and no name of theirs in any row', () => {
    const row = { version: 1, unreachable: ['C#1'], unwell: false, cutOff: false };
    const naming = having({ row });
    const { clusterId, epoch, members } = base;
    const removing = State.from({
      clusterId,
      epoch: epoch + 1,
      removed: ['C#1'],
      members: members.filter((member) => member.key !== 'C#1'),
    });
    const merged = merge(naming, removing);
    expect(merged.removed).toEqual(['C#1']);
    expect(merged.has('C#1')).toBe(false);
    expect(merged.get(key)?.row).toEqual({ ...row, unreachable: [] });
  });

  test('the tombstones of the later epoch only', () => {
    const at = (epoch: number, removed: NodeKey[]) =>
      State.from({ clusterId: base.clusterId, epoch, removed, members: base.members });
    expect(merge(at(5, ['X#1']), at(5, ['Y#1'])).removed).toEqual(['X#1', 'Y#1']);
    expect(merge(at(5, ['X#1']), at(6, ['Y#1'])).removed).toEqual(['Y#1']);
  });

  test('nothing at all of another cluster, or of an epoch further away: that is a bug', () => {
    const { members } = base;
    const other = State.from({ clusterId: 'Z#1', epoch: base.epoch, removed: [], members });
    expect(() => merge(base, other)).toThrow('one cluster');
    const later = { clusterId: base.clusterId, epoch: base.epoch + 2, removed: [], members };
    expect(() => merge(base, State.from(later))).toThrow('one epoch apart');
  });

  test('untouched buckets, as the same objects', () => {
    const row = { version: 1, unreachable: ['C#1'], unwell: false, cutOff: false };
    const mine = having({ row });
    const merged = merge(mine, having({ status: 'Down' }));
    expect(merged.get(key)).toMatchObject({ row, status: 'Down' });
    const same = merged.buckets.filter((bucket, index) => bucket === mine.buckets[index]);
    expect(same.length).toBe(63);
  });
});
