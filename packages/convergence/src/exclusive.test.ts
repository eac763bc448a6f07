/**
 * What every strategy must keep, over states of every kind: Down, Leaving and Exiting members, roles,
 * promotions that are not committed, leases. Two sides that have nobody in common never both win, be
 * it one state they hold or two that follow each other; and a decision is a function of the state.
 */
import fc from 'fast-check';
import { describe, expect, test, vi } from 'vitest';
import {
  accusations,
  configurationId,
  contenders,
  type DowningStrategy,
  decide,
  defaultRules,
  f,
  isLive,
  type Member,
  type NodeKey,
  quorate,
  type Rules,
  State,
  ties,
  wins,
} from './index.js';
import { grant } from './parting.testing.js';
import { configurations } from './quorum.js';
import { randomState } from './random-state.testing.js';
import { type Draw, seeded } from './walk.testing.js';

/** A busy machine makes these slow, not wrong. */
vi.setConfig({ testTimeout: 60_000 });

const strategies: readonly DowningStrategy[] = [
  'manual',
  'keep-majority',
  'lease-majority',
  'static-quorum',
  'keep-oldest',
  'down-all',
];

/** static-quorum keeps its word up to 2Q - 1 voters, and `f` lets nothing grow further. */
function rulesFor(strategy: DowningStrategy, state: State, draw: Draw): Rules {
  const role = draw(2) === 0 ? 'worker' : null;
  const most = state.members.filter(({ roles }) => role === null || roles.includes(role)).length;
  return {
    ...defaultRules,
    observers: 1 + draw(2),
    strategy,
    role,
    quorum: Math.floor(most / 2) + 1 + draw(2),
    downIfAlone: draw(2) === 0,
    tieOldest: draw(2) === 0,
  };
}

/** A state in which some ties have been put to the lease, each at most once. */
function withLeases(state: State, rules: Rules, draw: Draw): State {
  if (rules.strategy !== 'lease-majority') return state;
  const held = new Map<NodeKey, string[]>();
  for (const voters of configurations(state, rules)) {
    const owner = voters[draw(voters.length + 1)];
    if (owner) held.set(owner.key, [...(held.get(owner.key) ?? []), configurationId(voters)]);
  }
  return [...held].reduce((s, [key, leases]) => grant(s, key, leases), state);
}

type Sides = readonly [ReadonlySet<NodeKey>, ReadonlySet<NodeKey>];

/** Two sides with nobody in common; most belong to one of them. */
function sidesOf(keys: readonly NodeKey[], draw: Draw): Sides {
  const sides: [Set<NodeKey>, Set<NodeKey>] = [new Set(), new Set()];
  for (const key of keys) {
    const at = draw(17);
    if (at < 16) sides[(at % 2) as 0 | 1].add(key);
  }
  return sides;
}

const live = (state: State): NodeKey[] =>
  state.members.filter(({ status }) => isLive(status)).map(({ key }) => key);

/** The next state of a history: agreed on, or somebody's last word. */
function after(state: State, rules: Rules, draw: Draw): State {
  const fired = f(state, rules);
  if (fired !== null && draw(3) > 0) return fired;
  const exits = (s: State, member: Member): State =>
    draw(4) === 0 && member.status !== 'Exited' ? s.with({ ...member, status: 'Exited' }) : s;
  return state.members.reduce(exits, state);
}

/** The same, after somebody has marked some Down whom others may still hold live. */
const downed = (state: State, draw: Draw): State =>
  state.electorate.reduce(
    (s, member) => (draw(5) === 0 ? s.with({ ...member, status: 'Down' }) : s),
    state,
  );

const within = (side: ReadonlySet<NodeKey>, state: State): ReadonlySet<NodeKey> =>
  new Set(live(state).filter((key) => side.has(key)));

describe.each(strategies)('%s', (strategy) => {
  const given = (seed: number) => {
    const draw = seeded(seed);
    const bare = randomState(draw, 1 + draw(9), { naming: draw(3), flags: 6 });
    const rules = rulesFor(strategy, bare, draw);
    return { draw, rules, state: withLeases(bare, rules, draw) };
  };

  test('two sides of one state never both win', () => {
    const law = fc.property(fc.integer(), (seed) => {
      const { draw, rules, state } = given(seed);
      const [one, other] = sidesOf(
        state.members.map(({ key }) => key),
        draw,
      );
      expect(quorate(state, one, rules) && quorate(state, other, rules)).toBe(false);
      for (const config of configurations(state, rules)) {
        expect(wins(one, config, rules) && wins(other, config, rules)).toBe(false);
      }
    });
    fc.assert(law, { numRuns: 1500 });
  });

  test('nor do two sides of a state and the one after it, whomever each marks Down', () => {
    const law = fc.property(fc.integer(), (seed) => {
      const { draw, rules, state } = given(seed);
      const next = after(state, rules, draw);
      // Whoever exits in between takes what it saw with it, so it is on no side.
      const voters = live(state).filter((key) => isLive(next.get(key)?.status ?? 'Exited'));
      const [one, other] = sidesOf(voters, draw);
      for (const [a, b] of [
        [one, other],
        [other, one],
      ] as const) {
        const [early, late] = [downed(state, draw), downed(next, draw)];
        const isWon = quorate(early, within(a, early), rules);
        expect(isWon && quorate(late, within(b, late), rules)).toBe(false);
      }
    });
    fc.assert(law, { numRuns: 1500 });
  });

  test('who stays is quorate, live, and accuses nobody who stays', () => {
    const law = fc.property(fc.integer(), (seed) => {
      const { rules, state } = given(seed);
      const { pairs } = accusations(state, rules);
      for (const stayers of [decide(state, rules), contenders(state, rules)]) {
        if (stayers === null || pairs.length === 0) continue;
        expect(pairs.some(([a, b]) => stayers.has(a) && stayers.has(b))).toBe(false);
        expect([...stayers].every((key) => state.electorateIndex(key) >= 0)).toBe(true);
        const isDecided = decide(state, rules) !== null;
        expect(quorate(state, stayers, rules)).toBe(isDecided);
        expect(ties(state, stayers, rules).length > 0).toBe(!isDecided);
      }
    });
    fc.assert(law, { numRuns: 1500 });
  });

  test('who stays follows from what the state says, however it was come by', () => {
    const law = fc.property(fc.integer(), (seed) => {
      const { draw, rules, state } = given(seed);
      const { clusterId, epoch, members, removed } = state;
      const order = members.map((member) => ({ member: { ...member }, at: draw(1000) }));
      const shuffled = order.sort((a, b) => a.at - b.at).map(({ member }) => member);
      const copy = State.from({ clusterId, epoch, members: shuffled, removed });
      const same = { ...rules };
      expect(copy.digest).toBe(state.digest);
      expect(decide(copy, same)).toEqual(decide(state, rules));
      expect(contenders(copy, same)).toEqual(contenders(state, rules));
    });
    fc.assert(law, { numRuns: 300 });
  });
});

test('a half that is granted its ties stays, as it was', () => {
  const rules: Rules = { ...defaultRules, observers: 1, strategy: 'lease-majority' };
  let halves = 0;
  for (let seed = 0; seed < 2000; seed += 1) {
    const draw = seeded(seed);
    const state = randomState(draw, 2 + draw(7), { naming: 2, flags: 99 });
    const half = contenders(state, rules);
    if (half === null) continue;
    halves += 1;
    const asked = ties(state, half, rules);
    const owner = asked.at(-1)?.voters.find(({ key }) => half.has(key));
    const granted = grant(
      state,
      owner?.key ?? '',
      asked.map(({ id }) => id),
    );
    expect(decide(granted, rules), `seed ${seed}`).toEqual(half);
  }
  expect(halves).toBeGreaterThan(50);
});
