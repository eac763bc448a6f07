/** Each baseline does what it is known for: it finds a crash, leaves a whole network alone, and has its weakness. */
import { describe, expect, it } from 'vitest';
import { type Baseline, type BaselineFleet, baselineFleet, patienceOf } from './baselines.js';
import { CHECKER } from './central-checker.js';

const NODES = 12;
const ALL: readonly Baseline[] = ['central', 'all-to-all', 'ring', 'counters'];

function live(baseline: Baseline, script: (fleet: BaselineFleet) => void, nodes = NODES) {
  const dead = Array.from({ length: nodes }, () => new Set<number>());
  const fleet = baselineFleet({
    baseline,
    nodes,
    seed: 1,
    onVerdict: (observer, { member, status }) => {
      if (status === 'dead') dead[observer]?.add(member);
      else dead[observer]?.delete(member);
    },
  });
  script(fleet);
  return { dead: dead.map((members) => [...members].sort((a, b) => a - b)), fleet };
}

describe.each(ALL)('%s', (baseline) => {
  const inTimeMs = 2 * patienceOf(baseline, NODES) + 3_000;

  it('convicts nobody while all is well', () => {
    const { dead } = live(baseline, (fleet) => fleet.run(120_000));
    for (const members of dead) expect(members).toEqual([]);
  });

  it('finds a crashed node, at all others', () => {
    const { dead } = live(baseline, (fleet) => {
      fleet.run(30_000);
      fleet.crash(5);
      fleet.run(30_000 + inTimeMs);
    });
    dead.forEach((members, observer) => {
      if (observer !== 5) expect(members).toEqual([5]);
    });
  });

  it('takes one back that was cut off', () => {
    const { dead } = live(baseline, (fleet) => {
      fleet.run(30_000);
      fleet.cutOff(5);
      fleet.run(30_000 + inTimeMs);
      fleet.reconnect(5);
      fleet.run(60_000 + inTimeMs);
    });
    for (const members of dead) expect(members).toEqual([]);
  });

  it('lives the same life again from the same seed', () => {
    const life = () => live(baseline, (fleet) => fleet.run(20_000)).fleet;
    expect([life().steps, life().packets]).toEqual([life().steps, life().packets]);
  });
});

it('a checker that is deaf declares everybody dead, and everybody believes it', () => {
  const { dead } = live('central', (fleet) => {
    fleet.run(10_000);
    fleet.pause(CHECKER);
    fleet.run(20_000);
    fleet.resume(CHECKER);
    fleet.run(20_010);
  });
  // It finds what lay in its socket a moment later; the others have to wait for its next list.
  for (const members of dead.slice(1)) expect(members.length).toBeGreaterThanOrEqual(NODES - 2);
});

it('all-to-all costs n (n - 1) messages an interval, a central checker and a ring about two a node', () => {
  const cost = (baseline: Baseline) =>
    live(baseline, (fleet) => fleet.run(100_000)).fleet.packets / 100;
  expect(cost('all-to-all')).toBeCloseTo(NODES * (NODES - 1), 0);
  expect(cost('central')).toBeCloseTo(2 * (NODES - 1), 0);
  expect(cost('ring')).toBeCloseTo(2 * NODES, 0);
  expect(cost('counters')).toBeCloseTo(NODES, 0);
});
