/** The cut-off study in small: five minutes of it, and what it must look like. */
import { describe, expect, it } from 'vitest';
import { cutOffStudy } from './cut-off-study.js';
import { reported } from './reported.testing.js';

const run = async (flags: Record<string, string>) => (await reported(cutOffStudy, flags)).report;

const small = {
  cells: '1x9,1x12,8x16,8x60',
  nodes: '64',
  minutes: '5',
  seeds: '1',
  only: 'swim,lifeguard,grace,health,both',
};

describe('the cut-off study, small', async () => {
  const { head, rows, svg, notes } = await run(small);
  const counts = (row: number) =>
    (rows[row] ?? []).slice(2).map((text) => Number(text.replace(/,/g, '')));

  it('has a row for each cell and a column for each protocol', () => {
    expect(head).toEqual(['CUT OFF', 'FOR S', 'SWIM', 'LIFEGUARD', '+ GRACE', '+ HEALTH', 'BOTH']);
    expect(rows.map(([cut, seconds]) => `${cut}x${seconds}`)).toEqual(small.cells.split(','));
  });

  it('below the patience of SWIM an outage is harmless', () => {
    for (const count of counts(0)) expect(count).toBeLessThan(100);
  });

  it('above it SWIM fails, Lifeguard does not', () => {
    const [swim = 0, ...others] = counts(2);
    expect(swim).toBeGreaterThan(50_000);
    for (const count of others) expect(count).toBeLessThan(100);
  });

  it('eight for a minute confirm each other’s accusations under Lifeguard; with both corrections that kills hardly anybody', () => {
    const [swim = 0, lifeguard = 0, , , both] = counts(3);
    expect(lifeguard).toBeGreaterThan(1_000);
    expect(swim).toBeGreaterThan(lifeguard);
    expect(both).toBeLessThan(100);
  });

  it('is the same again from the same seeds', async () => {
    const again = { ...small, cells: '8x16' };
    expect(await run(again)).toEqual(await run(again));
  });

  it('says what was counted and how, and shows it', () => {
    expect(notes.join(' ')).toContain('64 nodes, runs of 5 min');
    expect(svg).toMatch(/^<svg .*<title>Nodes never cut off, declared dead, per hour<\/title>/s);
    for (const text of rows.flatMap((row) => row.slice(2)))
      expect(svg).toContain(`>${text}</text>`);
  });
});

/** Production nodes, small: whom they convict, and whom they remove when it takes long enough for that. */
it('Rollcall convicts nobody who was never cut off, and removes only who was', async () => {
  const flags = { cells: '1x12,2x30', nodes: '9', outages: '1', only: 'rollcall,downing' };
  const { head, rows } = await run(flags);
  expect(head).toEqual(['CUT OFF', 'FOR S', 'ROLLCALL', '+ DOWNING', 'REMOVED']);
  expect(rows).toEqual([
    ['1', '12', '0', '0', '0 cut off'],
    ['2', '30', '0', '0', '2 cut off'],
  ]);
});

describe('its flags', () => {
  it('all cells of the literature, seven protocols each, unless told otherwise', () => {
    const tasks = cutOffStudy.tasks({});
    expect(tasks).toHaveLength(5 * (7 * 8 + 7 * 3 + 7 * 2) + 2 * 21);
    expect(new Set(tasks.map((task) => JSON.stringify(task))).size).toBe(tasks.length);
  });

  it.each([
    ['cells', '12'],
    ['cells', '0x12'],
    ['cells', '127x12'],
    ['cells', '1x0'],
    ['nodes', 'many'],
    ['minutes', '0'],
    ['seeds', '-1'],
    ['gap', '0.5'],
    ['outages', '0'],
    ['only', 'ring'],
    ['model', 'mine'],
  ])('--%s %s is refused by name', (flag, value) => {
    expect(() => cutOffStudy.tasks({ [flag]: value })).toThrow(`--${flag}`);
  });
});
