import { expect, it } from 'vitest';
import { Chance } from './chance.js';

const seeded = (seed: number) => new Chance({ next: () => seed, uid: () => '' });

it('is a function of its seed', () => {
  const draw = (chance: Chance) => Array.from({ length: 20 }, () => chance.below(1_000));
  expect(draw(seeded(0.25))).toEqual(draw(seeded(0.25)));
  expect(draw(seeded(0.25))).not.toEqual(draw(seeded(0.75)));
});

it('is uniform, and stays below', () => {
  const chance = seeded(0.123);
  const drawn = new Int32Array(10);
  for (let i = 0; i < 100_000; i++) {
    const number = chance.below(10);
    drawn[number] = (drawn[number] as number) + 1;
  }
  for (const count of drawn) expect(Math.abs(count - 10_000)).toBeLessThan(500);
  for (let i = 0; i < 10_000; i++) {
    const unit = chance.unit();
    expect(unit >= 0 && unit < 1).toBe(true);
  }
});
