import { describe, expect, test, vi } from 'vitest';
import { decide, defaultRules, emptyRow, type Rules, type State, stabilityKey } from './index.js';
import { randomRules, randomState } from './random-state.testing.js';
import { parse } from './table.testing.js';
import { seeded } from './walk.testing.js';

/** A busy machine makes these slow, not wrong. */
vi.setConfig({ testTimeout: 60_000 });

const key = (line: string) => stabilityKey(parse(line), defaultRules);
const base = 'A:Up1>D B:Up2>D C:Up3 D:Up4 E:Up5';

describe('what resets the time of a crashed member', () => {
  test.each([
    ['an accusation that no longer counts', 'A:Up1>D B:Up2 C:Up3 D:Up4 E:Up5'],
    ['another member that is accused', 'A:Up1>D,E B:Up2>D,E C:Up3 D:Up4 E:Up5'],
    ['a newcomer that is accused', 'A:Up1>D,F B:Up2>D,F C:Up3 D:Up4 E:Up5 F:Joining'],
    ['a lost quorum', 'A:Up1>C,D,E B:Up2>C,D,E C:Up3 D:Up4 E:Up5'],
    ['more that nobody has a quorum for', 'A:Up1>C,D B:Up2>C,D C:Up3 D:Up4'],
  ])('%s', (_, line) => {
    expect(key(line)).not.toBe(key(base));
  });
});

describe('what does not', () => {
  test.each([
    ['another accuser', 'A:Up1>D B:Up2>D C:Up3>D D:Up4 E:Up5'],
    ['a newcomer that misses it too', 'A:Up1>D B:Up2>D C:Up3 D:Up4 E:Up5 F:Joining>D'],
    ['a flag that silences an accuser', 'A:Up1>D B:Up2!>D C:Up3>D D:Up4 E:Up5'],
    ['a voter that is Down', 'A:Up1>D B:Up2>D C:Down3 D:Up4 E:Up5'],
    ['a voter that has exited', 'A:Up1>D B:Up2>D C:Exited3 D:Up4 E:Up5'],
    ['a promotion that is not committed', 'A:Up1>D B:Up2>D C:Up3 D:Up4 E:Up5 @5'],
    ['a row that convicts nobody', 'A:Up1>D B:Up2>D C:Up3>E D:Up4 E:Up5'],
    ['a flag that changes no accusation', 'A:Up1>D B:Up2>D C:Up3! D:Up4 E:Up5'],
    ['being cut off', 'A:Up1>D B:Up2>D C:Up3 D:Up4? E:Up5'],
    ['a newcomer', 'A:Up1>D B:Up2>D C:Up3 D:Up4 E:Up5 F:Joining'],
    ['a newcomer that is weakly up', 'A:Up1>D B:Up2>D C:Up3 D:Up4 E:Up5 F:WeaklyUp'],
    ['one that leaves', 'A:Up1>D B:Up2>D C:Leaving3 D:Up4 E:Up5'],
    ['an epoch', 'A:Up1>D B:Up2>D C:Up3 D:Up4 E:Up5 @12'],
    ['a tombstone', 'A:Up1>D B:Up2>D C:Up3 D:Up4 E:Up5 -X'],
  ])('%s', (_, line) => {
    expect(key(line)).toBe(key(base));
  });
});

test('states with equal keys send the same members away', () => {
  const goers = (state: State, rules: Rules) => {
    const stayers = decide(state, rules);
    return stayers && state.electorateKeys.filter((key) => !stayers.has(key));
  };
  let compared = 0;
  for (let seed = 0; seed < 300; seed += 1) {
    const draw = seeded(seed);
    const rules = randomRules(draw);
    const state = randomState(draw, 2 + draw(8), { naming: 2, flags: 9 });
    const voter = state.electorate[draw(state.electorate.length || 1)];
    if (!voter) continue;
    const row = { ...voter.row, version: voter.row.version + 1, unwell: !voter.row.unwell };
    const flagged = state.with({ ...voter, row });
    const left = voter.status === 'Up' ? state.with({ ...voter, status: 'Leaving' }) : state;
    const newcomer = { ...voter, key: 'ws://new:1#u', status: 'Joining', upNumber: null } as const;
    for (const next of [flagged, left, state.with({ ...newcomer, row: emptyRow })]) {
      if (stabilityKey(next, rules) !== stabilityKey(state, rules)) continue;
      compared += 1;
      expect(goers(next, rules), `seed ${seed}`).toEqual(goers(state, rules));
    }
  }
  expect(compared).toBeGreaterThan(300);
});
