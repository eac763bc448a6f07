import fc from 'fast-check';
import { describe, expect, test, vi } from 'vitest';
import {
  type DowningStrategy,
  defaultRules,
  missingForQuorum,
  quorate,
  type Rules,
  wins,
} from './index.js';
import { randomRules, randomState } from './random-state.testing.js';
import { namesOf, parse, setOf } from './table.testing.js';
import { seeded } from './walk.testing.js';

/** A busy machine makes these slow, not wrong. */
vi.setConfig({ testTimeout: 60_000 });

const rules = (strategy: DowningStrategy, more: Partial<Rules> = {}): Rules => ({
  ...defaultRules,
  strategy,
  ...more,
});

test.each<
  [strategy: DowningStrategy, line: string, stayers: string, expected: boolean, why: string]
>([
  ['keep-majority', 'A:Up1 B:Up2 C:Up3', 'AB', true, 'two of three'],
  ['keep-majority', 'A:Up1 B:Up2 C:Up3', 'C', false, 'one of three'],
  ['keep-majority', 'A:Up1 B:Up2', 'A', true, 'a tie goes to the lowest address'],
  ['keep-majority', 'A:Up1 B:Up2', 'B', false, 'and to nobody else'],
  ['keep-majority', 'A:Up1 B:Down2 C:Down3', 'A', false, 'Down members count until removed (X02)'],
  ['keep-majority', 'A:Up1 B:Exited2 C:Exited3', 'A', true, 'Exited members do not (X06)'],
  ['keep-majority', 'A:Up1 B:Leaving2 C:Exiting3', 'BC', true, 'leaving members vote (X04)'],
  ['keep-majority', 'A:Joining B:Joining', 'AB', false, 'nobody was ever up (X22, X23)'],
  ['keep-majority', 'A:Up1 B:Joining C:Joining', 'A', true, 'joiners are not counted'],
  ['keep-majority', 'A:Up4 B:Up1 C:Up2 D:Up3 @4', 'AB', false, 'not of the three before (X01)'],
  ['keep-majority', 'A:Up4 B:Up1 C:Up2 D:Up3 @4', 'ACD', true, 'of both'],
  ['keep-majority', 'A:Up4 B:Up1 C:Up2 D:Up3 @5', 'AB', true, 'once the promotion is committed'],
  ['keep-majority', 'A:Up3 B:Up3 @3', 'A', true, 'no configuration before: founded by promotion'],
  ['manual', 'A:Up1 B:Up2 C:Up3', 'AB', true, 'manual is guarded as keep-majority'],
  ['manual', 'A:Up1 B:Up2 C:Up3', 'A', false, 'both ways'],
  ['static-quorum', 'A:Up1 B:Up2 C:Up3', 'BC', true, 'Q is 2'],
  ['static-quorum', 'A:Up1 B:Up2 C:Up3', 'A', false, 'one is not enough'],
  ['static-quorum', 'A:Up1', 'A', true, 'all of them: nobody is being removed'],
  ['keep-oldest', 'A:Up2 B:Up1 C:Up3', 'BC', true, 'with the oldest'],
  ['keep-oldest', 'A:Up2 B:Up1 C:Up3', 'B', false, 'the oldest alone goes down'],
  ['keep-oldest', 'A:Up2 B:Up1 C:Up3', 'AC', true, 'everybody but the oldest'],
  ['keep-oldest', 'A:Up2 B:Up1', 'B', false, 'alone among two'],
  ['keep-oldest', 'A:Up2 B:Up1', 'A', false, 'nor the other: both would do it'],
  ['keep-oldest', 'B:Up1', 'B', true, 'alone in the cluster'],
  ['down-all', 'A:Up1 B:Up2', 'AB', true, 'everybody'],
  ['down-all', 'A:Up1 B:Up2', 'A', false, 'anybody missing'],
])('%s: %s, staying %s: %s (%s)', (strategy, line, stayers, expected) => {
  expect(quorate(parse(line), setOf(stayers), rules(strategy, { quorum: 2 }))).toBe(expected);
});

test('a tie can go to the oldest instead', () => {
  const state = parse('A:Up2 B:Up1');
  const oldest = rules('keep-majority', { tieOldest: true });
  expect(quorate(state, setOf('B'), oldest)).toBe(true);
  expect(quorate(state, setOf('A'), oldest)).toBe(false);
});

describe('a role', () => {
  const workers = rules('keep-majority', { role: 'w' });

  test('narrows whom a quorum is counted among', () => {
    const state = parse('A:Up1[w] B:Up2[x] C:Up3[x] D:Up4[w] E:Up5[w]');
    expect(quorate(state, setOf('AD'), workers)).toBe(true);
    expect(quorate(state, setOf('ABC'), workers)).toBe(false);
    expect(namesOf(missingForQuorum(state, setOf('ABC'), workers))).toBe('DE');
  });

  test('that nobody has leaves nobody to decide', () => {
    expect(quorate(parse('A:Up1 B:Up2'), setOf('AB'), workers)).toBe(false);
  });
});

test('two disjoint sets never both win, whatever the strategy', () => {
  const law = fc.property(fc.integer(), (seed) => {
    const draw = seeded(seed);
    const state = randomState(draw, 1 + draw(9));
    const drawn = randomRules(draw);
    const config = state.counted;
    // static-quorum is exclusive up to 2Q - 1 only, and `f` lets nothing grow further.
    const enough = Math.max(drawn.quorum, Math.floor(config.length / 2) + 1);
    const asked = { ...drawn, role: null, quorum: enough };
    const side = new Set(state.members.filter(() => draw(2) === 0).map(({ key }) => key));
    const other = new Set(state.members.map(({ key }) => key).filter((key) => !side.has(key)));
    expect(wins(side, config, asked) && wins(other, config, asked)).toBe(false);
    expect(quorate(state, side, asked) && quorate(state, other, asked)).toBe(false);
  });
  fc.assert(law, { numRuns: 1000 });
});

test('a configuration of nobody is won by nobody', () => {
  for (const strategy of ['manual', 'static-quorum', 'keep-oldest', 'down-all'] as const) {
    expect(wins(new Set(), [], rules(strategy))).toBe(false);
  }
});
