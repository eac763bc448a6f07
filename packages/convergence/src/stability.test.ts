import { describe, expect, test, vi } from 'vitest';
import { decide, defaultRules, stabilityKey } from './index.js';
import { randomRules, randomState } from './random-state.testing.js';
import { parse } from './table.testing.js';
import { seeded } from './walk.testing.js';

/** A busy machine makes these slow, not wrong. */
vi.setConfig({ testTimeout: 60_000 });

const key = (line: string) => stabilityKey(parse(line), defaultRules);
const base = 'A:Up1>D B:Up2>D C:Up3 D:Up4 E:Up5';

describe('what resets the time of a crashed member', () => {
  test.each([
    ['another accusation that counts', 'A:Up1>D B:Up2>D C:Up3>D D:Up4 E:Up5'],
    ['one that no longer does', 'A:Up1>D B:Up2 C:Up3 D:Up4 E:Up5'],
    ['a status', 'A:Up1>D B:Up2>D C:Leaving3 D:Up4 E:Up5'],
    ['a newcomer', 'A:Up1>D B:Up2>D C:Up3 D:Up4 E:Up5 F:Joining'],
    ['a number', 'A:Up1>D B:Up2>D C:Up3 D:Up4 E:Up6'],
    ['a promotion that is not committed', 'A:Up1>D B:Up2>D C:Up3 D:Up4 E:Up5 @5'],
    ['a flag that silences an accuser', 'A:Up1>D B:Up2!>D C:Up3>D D:Up4 E:Up5'],
  ])('%s', (_, line) => {
    expect(key(line)).not.toBe(key(base));
  });
});

describe('what does not', () => {
  test.each([
    ['a row that convicts nobody', 'A:Up1>D B:Up2>D C:Up3>E D:Up4 E:Up5'],
    ['a flag that changes no accusation', 'A:Up1>D B:Up2>D C:Up3! D:Up4 E:Up5'],
    ['being cut off', 'A:Up1>D B:Up2>D C:Up3 D:Up4? E:Up5'],
    ['an epoch', 'A:Up1>D B:Up2>D C:Up3 D:Up4 E:Up5 @12'],
    ['a tombstone', 'A:Up1>D B:Up2>D C:Up3 D:Up4 E:Up5 -X'],
  ])('%s', (_, line) => {
    expect(key(line)).toBe(key(base));
  });
});

test('states with equal keys are decided alike', () => {
  for (let seed = 0; seed < 300; seed += 1) {
    const draw = seeded(seed);
    const rules = randomRules(draw);
    const state = randomState(draw, 2 + draw(8), { naming: 2, flags: 9 });
    const voter = state.electorate[draw(state.electorate.length || 1)];
    if (!voter) continue;
    const row = { ...voter.row, version: voter.row.version + 1, unwell: !voter.row.unwell };
    const next = state.with({ ...voter, row });
    if (stabilityKey(next, rules) !== stabilityKey(state, rules)) continue;
    expect(decide(next, rules), `seed ${seed}`).toEqual(decide(state, rules));
  }
});
