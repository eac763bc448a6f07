import { describe, expect, test } from 'vitest';
import { SeededRandom } from './seeded-random.js';

describe('SeededRandom', () => {
  test('the same words give the same stream, on any machine', () => {
    const random = new SeededRandom(7, 'a', 0);
    const drawn = [random.next(), random.next(), random.next(), random.uid()];
    expect(drawn).toMatchInlineSnapshot(`
      [
        0.7227006123043029,
        0.7782955078078686,
        0.42546218703549865,
        "9468594e21651d6e",
      ]
    `);
    const again = new SeededRandom(7, 'a', 0);
    expect([again.next(), again.next(), again.next(), again.uid()]).toEqual(drawn);
  });

  test('another seed, name or run gives another stream', () => {
    const uids = new Set<string>();
    for (let seed = 0; seed < 20; seed++) {
      for (const name of ['a', 'b', 'ab', 'n0001', 'n0002']) {
        for (let run = 0; run < 20; run++) uids.add(new SeededRandom(seed, name, run).uid());
      }
    }
    expect(uids.size).toBe(20 * 5 * 20);
  });

  test('words do not run into each other', () => {
    expect(new SeededRandom('a', 'bc').uid()).not.toBe(new SeededRandom('ab', 'c').uid());
  });

  test('is even enough: the mean, the spread and ten bins of 100,000 draws', () => {
    const random = new SeededRandom(1, 'evenness');
    const bins = new Array<number>(10).fill(0);
    let [sum, squares] = [0, 0];
    for (let i = 0; i < 100_000; i++) {
      const value = random.next();
      if (!(value >= 0 && value < 1)) throw new Error(`drew ${value}`);
      bins[Math.floor(value * 10)] = (bins[Math.floor(value * 10)] ?? 0) + 1;
      sum += value;
      squares += value * value;
    }
    expect(sum / 100_000).toBeCloseTo(0.5, 2);
    expect(squares / 100_000).toBeCloseTo(1 / 3, 2);
    for (const bin of bins) expect(Math.abs(bin - 10_000)).toBeLessThan(400);
  });

  test('a uid is sixteen lower-case hexadecimal characters', () => {
    const random = new SeededRandom(3);
    for (let i = 0; i < 100; i++) expect(random.uid()).toMatch(/^[0-9a-f]{16}$/);
  });
});
