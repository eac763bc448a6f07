import { describe, expect, test } from 'vitest';
import type { Fault, Level, Plan, Step } from './plan.js';
import { FAULTS } from './plan.js';
import { planOf } from './plan-of-seed.js';
import { planWords } from './plan-words.js';
import { survive } from './survive.js';

const off = Object.fromEntries(FAULTS.map((fault) => [fault, 'off'])) as Record<Fault, Level>;
type Draft = Step extends infer S ? (S extends Step ? Omit<S, 'id'> : never) : never;

/** Quick nodes that start at once; what happens to them is the test's. */
function planWith(
  names: string,
  drafts: readonly Draft[],
  given: Partial<Plan> & { readonly strategy?: string } = {},
): Plan {
  const { strategy = 'keep-majority', settings = {}, ...rest } = given;
  const nodes = names.split(' ');
  const starts = nodes.map((node): Draft => ({ kind: 'start', node, atMs: 0 }));
  return {
    seed: 1,
    nodes,
    seeds: nodes.slice(0, 2),
    selfFirst: false,
    voters: [],
    settings: {
      profile: 'local',
      'downing.stableAfter': 1_000,
      'join.giveUpAfter': 10_000,
      'join.recheckSeeds': 1_000,
      'downing.strategy': strategy,
      ...settings,
    },
    latency: { minMs: 1, maxMs: 1, longTail: false },
    levels: off,
    steps: [...starts, ...drafts].map((draft, id) => ({ ...draft, id })),
    faultsEndMs: 10_000,
    ...rest,
  };
}

/** With these the bound is half a minute. */
/** Nobody is held for having come and gone, and nobody distrusts itself: both would take their time to be over. */
const calm = { 'damping.holdDown': 0, 'localHealth.scoreMax': 0 };
const quick = {
  ...calm,
  'downing.strategy': 'keep-majority',
  'heartbeat.interval': 100,
  'detector.acceptablePause': 300,
  'detector.firstReply': 300,
  'downing.stableAfter': 300,
  'join.seedTimeout': 300,
  'join.retryAfter': 500,
  'join.giveUpAfter': 1_000,
  'join.recheckSeeds': 500,
  'gossip.farInterval': 500,
  'leave.timeout': 500,
  'leave.linger': 0,
  'limits.handshake': 500,
  'limits.reconnectMax': 500,
};

const power = (node: string, atMs = 5_000): Draft => ({ kind: 'power', node, atMs });

describe('how a history may end', () => {
  test('whole: nobody who died is left, and nobody who left', async () => {
    const plan = planWith('a b c d e', [power('d'), { kind: 'leave', node: 'e', atMs: 5_000 }]);
    const { verdict, report } = await survive(plan);
    expect(verdict, report).toMatchObject({ kind: 'settled', end: 'whole' });
  });

  test('stopped: the quorum is gone for good', async () => {
    const { verdict } = await survive(planWith('a b c', [power('a'), power('b')]));
    expect(verdict).toMatchObject({ kind: 'settled', end: 'stopped' });
  });

  test('a supervisor brings everybody back', async () => {
    const plan = planWith('a b c', [{ kind: 'crash', node: 'b', atMs: 5_000 }], {
      supervisorMs: 100,
    });
    const { verdict, report } = await survive(plan);
    expect(verdict).toMatchObject({ kind: 'settled', end: 'whole' });
    expect(report.match(/agreed/g)).toHaveLength(3);
  });

  test('blocked: manual downing, and everybody names the dead', async () => {
    const { verdict } = await survive(planWith('a b c', [power('c')], { strategy: 'manual' }));
    expect(verdict).toMatchObject({ kind: 'settled', end: 'blocked' });
  });

  test('full: a quorum of two counts three voters', async () => {
    const plan = planWith('a b c d', [], {
      strategy: 'static-quorum',
      settings: { 'downing.strategy': 'static-quorum', 'downing.quorum': 2 },
    });
    expect((await survive(plan)).verdict).toMatchObject({ kind: 'settled', end: 'full' });
  });

  test('islands: two founders apart, and each side has told of the other', async () => {
    const apart: Draft = {
      kind: 'partition',
      groups: [
        ['a', 'c'],
        ['b', 'd'],
      ],
      forMs: 9_900,
      atMs: 0,
    };
    const plan = planWith('a b c d', [apart, power('c', 9_000)], { selfFirst: true });
    const { verdict, report } = await survive(plan);
    expect(verdict, report).toMatchObject({ kind: 'settled', end: 'islands' });
  });
});

describe('what it must not be', () => {
  test('restless: it was at rest, and somebody dies', async () => {
    const late: Draft = { kind: 'crash', node: 'c', atMs: 40_000 };
    const plan = planWith('a b c d', [late], {
      settings: { ...calm, 'downing.strategy': 'keep-majority', 'downing.stableAfter': 30_000 },
    });
    const { verdict } = await survive(plan);
    expect(verdict).toMatchObject({ kind: 'restless' });
  });

  test('stuck: it says what it still waits for', async () => {
    // Nobody gets in who is killed before the others have found out that his last run is gone.
    const again = Array.from(
      { length: 900 },
      (_, i): Draft => ({ kind: 'restart', node: 'b', atMs: 5_000 + i * 50 }),
    );
    const { verdict } = await survive(
      planWith('a b', again, { settings: quick, faultsEndMs: 5_000 }),
    );
    expect(verdict).toMatchObject({ kind: 'stuck' });
    expect(verdict).toHaveProperty('what', expect.stringContaining('still waits for'));
  });
});

/** Seeds of few nodes, so that every frame of them can be kept. */
const SMALL = Array.from({ length: 100 }, (_, seed) => seed)
  .filter((seed) => planOf(seed).nodes.length <= 5)
  .slice(0, 3);

/** Each failed once, and what it found has no smaller test. */
const FAILED_ONCE: readonly (readonly [number, string])[] = [
  [500_234, 'all links lost nearly everything; all held each other, and ended when they had quiet'],
  [501_206, 'a sole survivor took itself for unwell for ever, as no probe was answered: SWIM'],
];

describe('a seed', () => {
  test.each(FAILED_ONCE)('%i ends well: %s', async (seed) => {
    const { verdict } = await survive(planOf(seed));
    expect(verdict).toMatchObject({ kind: 'settled', end: 'whole' });
  });

  test.each(SMALL)('%i gives the same trace byte for byte', async (seed) => {
    const once = async () => {
      const { trace, ...rest } = await survive(planOf(seed), { detail: 'frames', keep: 0 });
      return { ...rest, text: trace.lines().join('\n') };
    };
    const [first, second] = [await once(), await once()];
    expect(first.text.length).toBeGreaterThan(1_000);
    expect(second).toEqual(first);
  });

  test('reads as what it is', () => {
    const words = planWords(planWith('a b c', [power('c')], { supervisorMs: 10 })).join('\n');
    expect(words).toContain('3 nodes, keep-majority');
    expect(words).toContain('c loses power');
    expect(words).toContain('every fault ends at 10000 ms');
  });

  test('fits a screen, with units', () => {
    const nodes = 'abcdefghijklmnopqrstuvwxyz'.split('').map((letter) => `node-${letter}`);
    const again: Draft = { kind: 'restart', node: 'node-c', atMs: 5_000 };
    const plan = planWith(nodes.join(' '), [again], {
      seeds: nodes,
      settings: { ...quick, 'downing.stableAfter': '10s', 'limits.joins': 4 },
    });
    const words = planWords(plan);
    expect(Math.max(...words.map((line) => line.length))).toBeLessThanOrEqual(100);
    const text = words.join('\n');
    for (const each of ['limits.joins=4', 'downing.stableAfter=10s', 'leave.linger=0ms'])
      expect(text).toContain(each);
    expect(text).toMatch(/^ +\d+ +5000 ms {2}node-c is killed if it runs, and starts again/m);
    expect(text.replace(/\s+/g, ' ')).toContain(nodes.join(' '));
  });
});
