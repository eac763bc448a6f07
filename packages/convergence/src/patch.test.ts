import { describe, expect, test, vi } from 'vitest';
import { plainRules, stateOf } from './cluster.testing.js';
import {
  apply,
  bucketDigests,
  bucketPatch,
  diff,
  type Member,
  type Patch,
  State,
} from './index.js';
import { randomState } from './random-state.testing.js';
import { seeded, type Walk, walk } from './walk.testing.js';

/** A busy machine makes these slow, not wrong. */
vi.setConfig({ testTimeout: 60_000 });

/** Through text, as a wire would: nothing of a patch may depend on shared objects. */
const sent = (patch: Patch): Patch => JSON.parse(JSON.stringify(patch));

const rebuilt = (base: State | null, patch: Patch, target: State): void => {
  const result = apply(base, sent(patch));
  expect(result?.digest).toBe(target.digest);
  expect(result?.members).toEqual(target.members);
  expect(result?.removed).toEqual(target.removed);
};

const plan: Walk = {
  up: ['A', 'B', 'C', 'D'],
  joining: ['E', 'F', 'B2'],
  steps: 250,
  rules: plainRules,
  downs: 2,
  leaves: 2,
  quits: 1,
  crashes: 1,
  rows: true,
};

describe('a patch rebuilds exactly the state it stands for', () => {
  test('between any two states of one history', () => {
    for (let seed = 0; seed < 20; seed += 1) {
      for (const [base, target] of walk(plan, seeded(seed)).merged) {
        rebuilt(base, diff(base, target), target);
        rebuilt(base, bucketPatch(base.digest, bucketDigests(base), target), target);
        rebuilt(null, diff(null, target), target);
      }
    }
  });

  test('between any two states at all', () => {
    for (let seed = 0; seed < 100; seed += 1) {
      const draw = seeded(seed);
      const [base, target] = [randomState(draw, draw(60)), randomState(draw, draw(60))];
      rebuilt(base, diff(base, target), target);
      rebuilt(base, bucketPatch(base.digest, bucketDigests(base), target), target);
      rebuilt(base, diff(null, target), target);
    }
  });
});

const state = stateOf(['A', 'B', 'C']);
const memberB = state.get('B#1') as Member;
const next = state.with({ ...memberB, status: 'Leaving' });

test('one change is one entry, and no change none', () => {
  const patch = diff(state, next);
  expect(patch.put.map(({ key }) => key)).toEqual(['B#1']);
  expect([patch.drop, patch.buckets]).toEqual([[], []]);
  expect(diff(state, state).put).toEqual([]);
  expect(bucketPatch(state.digest, bucketDigests(state), next).buckets.length).toBe(1);
});

test('a rebuilt state shares what it was built on', () => {
  const result = apply(state, sent(diff(state, next))) as State;
  expect(result.get('A#1')).toBe(state.get('A#1'));
  expect(apply(state, diff(state, state))?.equals(state)).toBe(true);
});

describe('apply answers nothing', () => {
  const patch = diff(state, next);
  const refused = (base: State | null, change: Partial<Patch>) =>
    expect(apply(base, { ...patch, ...change })).toBeUndefined();

  test('on another base', () => {
    refused(next, {});
    refused(null, {});
  });

  test('when something was lost or changed on the way', () => {
    refused(state, { put: [] });
    refused(state, { epoch: patch.epoch + 1 });
    refused(state, { clusterId: 'B#1' });
    refused(state, { removed: ['X#1'] });
    refused(state, { drop: ['C#1'] });
    refused(state, { digest: state.digest });
    refused(state, { put: [{ ...memberB, status: 'Down' }] });
  });

  test('to buckets that cannot be', () => {
    refused(state, { buckets: [{ index: 64, members: [] }] });
    refused(state, { buckets: [{ index: -1, members: [] }] });
    refused(state, { buckets: [{ index: 0.5, members: [] }] });
    const index = state.buckets.findIndex((bucket) => bucket.get('B#1') === undefined);
    refused(state, { buckets: [{ index, members: [memberB] }] });
  });

  /** The digest of a state that breaks section 1: what a wrong or hostile peer could send. */
  test('to a promise that keeps its digest and breaks the rules', () => {
    const naming = { ...memberB, row: { ...memberB.row, version: 1, unreachable: ['C#1'] } };
    const target = state.with(naming);
    const without = diff(null, target);
    const removal = State.from({
      clusterId: state.clusterId,
      epoch: state.epoch,
      members: [],
      removed: ['A#1'],
    });
    const empty = State.from({ ...partsOf(state), members: [] });
    const digest = add(add(without.digest, removal.digest), minus(empty.digest));
    expect(apply(null, { ...without, removed: ['A#1'], digest })).toBeUndefined();
    const early = stateOf(['A', 'B', 'C', 'D']);
    const put = early.members;
    const future = State.from({ ...partsOf(early), epoch: 3 });
    expect(apply(null, { ...diff(null, future), put })).toBeUndefined();
  });
});

const partsOf = ({ clusterId, epoch, removed, members }: State) => ({
  clusterId,
  epoch,
  removed,
  members,
});

const lanes = (digest: string) =>
  (digest.match(/.{8}/g) ?? []).map((lane) => Number.parseInt(lane, 16));
const text = (numbers: readonly number[]) =>
  numbers.map((lane) => (lane >>> 0).toString(16).padStart(8, '0')).join('');
const add = (a: string, b: string) => text(lanes(a).map((lane, i) => lane + (lanes(b)[i] ?? 0)));
const minus = (a: string) => text(lanes(a).map((lane) => -lane));
