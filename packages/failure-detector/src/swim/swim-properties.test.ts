/** What holds in every history: random losses, freezes and lies of the network. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Suspicion } from './suspicion.js';
import { SWIM_VARIANTS, swimOptions } from './swim-options.js';
import { packetTo, SwimWorld, said } from './swim-world.testing.js';

const variant = fc.constantFrom(...Object.values(SWIM_VARIANTS), {});
const fault = fc.record({
  kind: fc.constantFrom('lose', 'cut', 'freeze', 'none'),
  node: fc.nat(5),
  share: fc.integer({ min: 1, max: 9 }),
  ms: fc.integer({ min: 100, max: 15_000 }),
});
const history = fc.record({
  variant,
  seed: fc.nat(1_000),
  faults: fc.array(fault, { minLength: 1, maxLength: 5 }),
});

/** Lives through it, and after each stretch asks `check`. */
function live(
  { variant: options, seed, faults }: typeof history extends fc.Arbitrary<infer T> ? T : never,
  check: (world: SwimWorld) => void,
): SwimWorld {
  const world = new SwimWorld(6, options, seed);
  world.runFor(1_500);
  let count = seed;
  for (const { kind, node, share, ms } of faults) {
    world.loses = ({ from, to }) => {
      if (kind === 'lose') return ++count % 10 < share;
      return kind === 'cut' && (from === node) !== (to === node);
    };
    if (kind === 'freeze') world.frozen.add(node);
    for (let left = ms; left > 0; left -= 500) {
      world.runFor(Math.min(500, left));
      check(world);
    }
    world.frozen.clear();
  }
  world.loses = () => false;
  return world;
}

const few = { numRuns: 60 };

/** What production nodes do about splits, and the other histories do without. */
const { syncIntervalMs, recallDeadMs } = swimOptions('lan');

/** Two that held each other dead: they missed the objections, and gossip to the dead had ended. */
const split = {
  variant: {},
  seed: 68,
  faults: [
    { node: 5, ms: 7_321 },
    { node: 2, ms: 7_152 },
    { node: 4, ms: 6_010 },
    { node: 4, ms: 13_175 },
  ].map((each) => ({ kind: 'cut' as const, share: 1, ...each })),
};

describe('in any history', () => {
  it('there is always a next moment, finite and not long gone', () => {
    fc.assert(
      fc.property(history, (plan) => {
        live(plan, (world) => {
          for (const [self, { wakeAtMs }] of world.nodes.entries()) {
            expect(Number.isFinite(wakeAtMs)).toBe(true);
            if (!world.frozen.has(self)) expect(wakeAtMs).toBeGreaterThan(world.nowMs);
          }
        });
      }),
      few,
    );
  });

  it('incarnations only grow, and nobody is ahead of the member itself', () => {
    fc.assert(
      fc.property(history, (plan) => {
        const highest = new Map<string, number>();
        live(plan, (world) => {
          for (const [self, node] of world.nodes.entries()) {
            for (let member = 0; member < 6; member++) {
              const held = node.incarnationOf(member) as number;
              expect(held).toBeGreaterThanOrEqual(highest.get(`${self} ${member}`) ?? 0);
              expect(held).toBeLessThanOrEqual(world.at(member).incarnation);
              highest.set(`${self} ${member}`, held);
            }
          }
        });
      }),
      few,
    );
  });

  it('scores stay within 0 and 7, and packets within their limit of news', () => {
    fc.assert(
      fc.property(history, (plan) => {
        const world = live(plan, ({ nodes }) => {
          for (const { score } of nodes) {
            expect(score).toBeGreaterThanOrEqual(0);
            expect(score).toBeLessThanOrEqual(7);
          }
        });
        const carried = new Map<string, number>();
        for (const { kind, from, updates } of world.packets) {
          if (kind === 'sync' || kind === 'syncReply') continue;
          for (const { status, subject, incarnation, from: by } of updates) {
            const what = [from, status, subject, incarnation, by].join(' ');
            carried.set(what, (carried.get(what) ?? 0) + 1);
          }
        }
        // Four times one digit of members; a suspect or a dead one is told directly, once per probe.
        const told = (2 * world.nowMs) / 1_000;
        for (const count of carried.values()) expect(count).toBeLessThanOrEqual(4 + told);
      }),
      few,
    );
  });

  it('when all is well again, everybody is alive everywhere', () => {
    fc.assert(
      fc.property(history, ({ seed, faults }) => {
        const variant = { syncIntervalMs, recallDeadMs };
        const world = live({ variant, seed, faults }, () => undefined);
        // Long enough for whoever is still suspected on grounds that are gone to object, and for the dead to be called.
        world.runFor(60_000);
        for (let member = 0; member < 6; member++) {
          expect(world.heldAbout(member)).toEqual(Array(5).fill('alive'));
        }
      }),
      { ...few, examples: [[split]] },
    );
  });
});

describe('a suspicion that was refuted', () => {
  it('never kills, however many accusers it had and however late they speak', () => {
    const accusers = fc.uniqueArray(fc.constantFrom(1, 2, 3, 4), { minLength: 1 });
    fc.assert(
      fc.property(
        variant,
        accusers,
        fc.nat(3_900),
        fc.nat(30_000),
        (options, by, atMs, laterMs) => {
          const world = new SwimWorld(6, { ...options, helpers: 0, probeIntervalMs: 1_000 });
          world.loses = ({ to }) => to === 0;
          const tell = (status: 'suspect' | 'alive', incarnation: number, from: number) =>
            world.step(0, packetTo(0, from, { updates: [said(status, 5, incarnation, from)] }));
          tell('suspect', 3, by[0] as number);
          world.runFor(Math.min(atMs, 900));
          tell('alive', 4, 5);
          for (const from of by) tell('suspect', 3, from);
          expect(world.at(0).statusOf(5)).not.toBe('dead');
          world.runFor(Math.min(laterMs, 900));
          expect(world.at(0).incarnationOf(5)).toBe(4);
          const verdicts = world.verdicts.filter(
            ({ member, observer }) => member === 5 && observer === 0,
          );
          for (const { status, incarnation } of verdicts) {
            if (status === 'dead') expect(incarnation).toBeGreaterThanOrEqual(4);
          }
        },
      ),
    );
  });
});

it('patience is finite, never below its least, and never grows with more accusers', () => {
  const members = fc.integer({ min: 1, max: 60_000 });
  fc.assert(
    fc.property(members, fc.integer({ min: 1, max: 12 }), fc.nat(7), (n, suspicionMult, score) => {
      const suspicion = new Suspicion(swimOptions('lan', { suspicionMult }), n, 0, 1_000);
      let before = suspicion.deadlineMs(score);
      expect(Number.isFinite(before)).toBe(true);
      for (let accuser = 1; accuser < 14; accuser++) {
        suspicion.confirm(accuser);
        const after = suspicion.deadlineMs(score);
        expect(after).toBeLessThanOrEqual(before);
        expect(after).toBeGreaterThanOrEqual(1_000 + suspicion.minMs * (score + 1));
        before = after;
      }
      if (suspicion.needed > 0) expect(before).toBe(1_000 + suspicion.minMs * (score + 1));
    }),
  );
});
