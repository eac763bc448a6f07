/** The central study in small: one bad card, at the checker and among equals. */
import { expect, it } from 'vitest';
import { reported } from '../reported.testing.js';
import { runCache } from './cache-run.js';
import { centralStudy } from './central-study.js';
import { HashRing } from './hash-ring.js';

const flags = { nodes: '10', only: 'central,counters,both,rollcall' };

it('a checker with a bad card takes the cache away; among equals it takes away one node', async () => {
  const { report, results } = await reported(centralStudy, flags);
  const { head, rows, svg } = report;
  const column = (name: string) =>
    rows.map((row) => Number.parseFloat((row[head.indexOf(name)] ?? '').replace(/,/g, '')));
  const [central = 0, ...equals] = column('TAKEN OUT');
  expect(central).toBe(9);
  for (const out of equals) expect(out).toBeLessThanOrEqual(1);
  const [hitRate = 0, ...hitRates] = column('WORST HIT RATE');
  expect(hitRate).toBeLessThan(10);
  for (const rate of hitRates) expect(rate).toBeGreaterThan(80);
  const [moved = 0, ...others] = column('KEYS MOVED');
  for (const keys of others) expect(keys).toBeLessThan(moved / 5);
  expect(svg.match(/<polyline/g)).toHaveLength(4);
  const again = await reported(centralStudy, { ...flags, only: 'both' });
  expect(again.results[0]).toEqual(results[2]);
});

it('who goes leaves its keys to others, and nobody else loses one', () => {
  const ring = new HashRing(1, 10);
  const places = Array.from({ length: 1_000 }, (_, i) => i / 1_000);
  for (const place of places) {
    const before = ring.ownerOf(place, () => false);
    const after = ring.ownerOf(place, (node) => node === 3);
    expect(after === before).toBe(before !== 3);
  }
  expect(ring.ownerOf(0.5, () => true)).toBe(-1);
});

it('a cache that is left alone answers nearly all; one that comes back comes back cold', () => {
  const plan = { seed: 1, names: ['a', 'b', 'c', 'd'], forMs: 20_000, deafUntilMs: 0 };
  const quiet = runCache({ ...plan, opinions: [] });
  for (const { misses, moved } of quiet) {
    expect(moved).toBe(0);
    expect(misses).toBeLessThan(200);
  }
  const all = (atMs: number, isDead: boolean) =>
    plan.names.map((observer) => ({ atMs, observer, subject: 'a', isDead }));
  const opinions = [...all(5_000, true), ...all(10_000, false)];
  const disturbed = runCache({ ...plan, opinions });
  const missesAt = (second: number) => disturbed[second]?.misses ?? 0;
  expect(disturbed[5]?.moved).toBeGreaterThan(2_000);
  expect(disturbed[5]?.out).toBe(1);
  expect(missesAt(5)).toBeGreaterThan(missesAt(4) + 100);
  expect(missesAt(10)).toBeGreaterThan(missesAt(9) + 100);
});

it.each([
  ['nodes', '3'],
  ['drop', '101'],
  ['seconds', '0'],
  ['only', 'tcp'],
])('--%s %s is refused by name', (flag, value) => {
  expect(() => centralStudy.tasks({ [flag]: value })).toThrow(`--${flag}`);
});
