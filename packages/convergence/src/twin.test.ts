/** Every clever function against the dumb twin, over states of every kind (practice 19). */
import { describe, expect, test, vi } from 'vitest';
import {
  accusations,
  baseGraph,
  baseNeighbours,
  bucketIndex,
  f,
  isCutOff,
  isLive,
  type Member,
  need,
  neighbours,
  quorate,
  reach,
  reachesQuorum,
  ringsOf,
  State,
  ties,
} from './index.js';
import {
  type Plain,
  plainAccusations,
  plainDigest,
  plainFire,
  plainNeed,
  plainNeighbours,
  plainOf,
  plainQuorate,
  plainReach,
  plainRing,
} from './plain.testing.js';
import { randomRules, randomState } from './random-state.testing.js';
import { type Draw, seeded } from './walk.testing.js';

/** A busy machine makes these slow, not wrong. */
vi.setConfig({ testTimeout: 60_000 });

const rounds = Array.from({ length: 60 }, (_, seed) => seed);

/** Small ones, where everybody watches everybody, and ones that the rings do not cover. */
const sizeOf = (draw: Draw): number => (draw(2) === 0 ? 1 + draw(8) : 10 + draw(30));

function forEachState(check: (state: State, draw: Draw) => void): void {
  for (const seed of rounds) {
    const draw = seeded(seed);
    const state = randomState(draw, sizeOf(draw));
    try {
      check(state, draw);
    } catch (cause) {
      throw new Error(`seed ${seed}`, { cause });
    }
  }
}

const stateFrom = (plain: Plain): State =>
  State.from({ ...plain, members: Object.values(plain.members) });

/** Lists, counts and digest, all the lazily made ones. */
function expectConsistent(state: State): void {
  const plain = plainOf(state);
  expect(state.digest).toBe(plainDigest(plain));
  const fresh = stateFrom(plain);
  expect(state.members.map(({ key }) => key)).toEqual(fresh.members.map(({ key }) => key));
  const voters = fresh.members.filter(({ status }) => isLive(status)).map(({ key }) => key);
  expect(state.electorate.map(({ key }) => key)).toEqual(voters);
  expect(state.electorateKeys).toEqual(voters);
  expect(voters.map((key) => state.electorateIndex(key))).toEqual(voters.map((_, i) => i));
  expect(state.size).toBe(fresh.members.length);
  expect(state.counted.map(({ key }) => key)).toEqual(fresh.counted.map(({ key }) => key));
  for (const member of state.members) expect(state.get(member.key)).toBe(member);
}

describe('the state', () => {
  test('keeps digest, order and lists right over a long series of changes', () => {
    for (const seed of rounds.slice(0, 20)) {
      const draw = seeded(seed);
      let state = randomState(draw, 1 + draw(60));
      for (let step = 0; step < 25; step += 1) {
        state = changed(state, draw);
        // Looking at some states and not at others exercises lists that are derived from lists.
        if (draw(3) > 0) expectConsistent(state);
      }
    }
  });

  function changed(state: State, draw: Draw): State {
    const member = state.members[draw(state.size || 1)];
    const kind = draw(4);
    if (kind === 0 || !member) {
      const fresh: Member = {
        key: `ws://10.1.0.${draw(9)}:${7000 + draw(99)}#n${draw(1000)}`,
        status: 'Joining',
        upNumber: null,
        row: { version: 0, unreachable: [], unwell: false, cutOff: false },
        roles: [],
        appVersion: '1',
      };
      return state.has(fresh.key) ? state : state.with(fresh);
    }
    if (kind === 1) return state.with({ ...member, status: 'Exited' });
    if (kind === 2) return f(state, randomRules(draw)) ?? state;
    const names = state.members.filter(() => draw(8) === 0).map(({ key }) => key);
    const row = { ...member.row, version: member.row.version + 1, unreachable: names };
    return state.with({ ...member, row });
  }

  test('spreads keys over all buckets', () => {
    const used = new Set(Array.from({ length: 1000 }, (_, i) => bucketIndex(`ws://h:${i}#u`)));
    expect(used.size).toBe(64);
  });
});

test('f and quorate', () => {
  forEachState((state, draw) => {
    const rules = randomRules(draw);
    const plain = plainOf(state);
    const expected = plainFire(plain, rules);
    const fired = f(state, rules);
    expect(fired?.digest).toBe(expected ? plainDigest(expected) : undefined);
    if (fired) expectConsistent(fired);
    const stayers = new Set(state.members.filter(() => draw(3) > 0).map(({ key }) => key));
    expect(quorate(state, stayers, rules)).toBe(plainQuorate(plain, stayers, rules));
  });
});

test('rings and neighbours, with and without accused members', () => {
  forEachState((state, draw) => {
    const rings = 1 + draw(4);
    const plain = plainOf(state);
    expect(ringsOf(state, rings)).toEqual(
      Array.from({ length: rings }, (_, ring) => plainRing(plain, ring)),
    );
    const fresh = stateFrom(plain);
    const accused = new Set(state.electorateKeys.filter(() => draw(3) === 0));
    for (const key of [...state.members.map((member) => member.key), 'ws://nobody:1#x']) {
      const base = plainNeighbours(plain, key, rings, new Set());
      expect(baseNeighbours(fresh, key, rings)).toEqual(base);
      if (state.electorateIndex(key) >= 0) {
        expect(baseGraph(state, rings).neighboursOf(key)).toEqual(base);
      }
      const extended = plainNeighbours(plain, key, rings, accused);
      expect(neighbours(state, key, rings, accused)).toEqual(extended);
    }
  });
});

test('accusations, need and reach', () => {
  forEachState((state, draw) => {
    const rules = randomRules(draw);
    const plain = plainOf(state);
    const { pairs, suspected, accused } = accusations(state, rules);
    const expected = plainAccusations(plain, rules);
    expect(pairs).toEqual(expected.pairs);
    expect(Object.fromEntries(suspected)).toEqual(expected.suspected);
    expect([...accused].sort()).toEqual([...new Set(expected.pairs.map(([, x]) => x))].sort());
    for (const key of state.electorateKeys) {
      expect(need(state, key, rules)).toBe(plainNeed(plain, key, rules));
    }
    const self = state.electorateKeys[draw(state.electorateKeys.length || 1)];
    if (self === undefined) return;
    const own = new Set(state.electorateKeys.filter(() => draw(4) === 0));
    const heard = state.electorateKeys.filter((key) => key !== self && draw(6) === 0);
    for (const some of [[], heard]) {
      const found = reach(state, self, own, rules, new Set(some));
      expect([...found]).toEqual(plainReach(plain, self, own, rules, some));
    }
  });
});

test('of one state a node is told the same, whatever was asked before', () => {
  forEachState((state, draw) => {
    const rules = randomRules(draw);
    const plain = plainOf(state);
    const self = state.electorateKeys[draw(state.electorateKeys.length || 1)];
    if (self === undefined) return;
    const some = () => new Set(state.electorateKeys.filter(() => draw(4) === 0));
    const [own, heard] = [some(), some()];
    const reached = new Set(plainReach(plain, self, own, rules, [...heard]));
    const isQuorate = plainQuorate(plain, reached, rules);
    const canGoOn = isQuorate || ties(state, reached, rules).length > 0;
    // Twice at once, and once more after more than is remembered.
    for (const others of [0, 0, 100]) {
      for (let i = 0; i < others; i++) isCutOff(state, self, some(), rules, some());
      expect(reachesQuorum(state, self, own, rules, heard)).toBe(isQuorate);
      expect(isCutOff(state, self, own, rules, heard)).toBe(!canGoOn);
    }
  });
});
