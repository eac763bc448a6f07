/** The loss study in small: who is convicted, and by whom least. */
import { describe, expect, it } from 'vitest';
import { lossStudy } from './loss-study.js';
import { endure } from './ordeal.js';
import { reported } from './reported.testing.js';

const small = { nodes: '8', minutes: '6', only: 'all-to-all,swim,both,rollcall,tcp' };

describe('the loss study, small', async () => {
  const { report } = await reported(lossStudy, small);
  const { head, rows, svg } = report;
  const told = (what: string, protocol: string, column: string): number => {
    const row = rows.find(([first, second]) => first === what && second === protocol);
    return Number(row?.[head.indexOf(column)]?.replace(/[,%]/g, ''));
  };
  const convicted = (what: string, protocol: string) => told(what, protocol, 'HEALTHY CONVICTED');

  it('has a row for each loss and protocol', () => {
    expect(rows).toHaveLength(5 * 5);
    expect(svg).toMatch(/^<svg .*<title>Healthy nodes convicted per hour, when packets are lost/s);
  });

  it('at 10 % two who must agree convict nobody who is well', () => {
    for (const protocol of ['Rollcall', 'Rollcall, TCP']) {
      expect(convicted('every link: 10 %', protocol)).toBe(0);
    }
  });

  it('whoever judges alone and hears nobody out convicts the more the more is lost', () => {
    const counts = ['10 %', '30 %', '50 %'].map((loss) =>
      convicted(`every link: ${loss}`, 'all-to-all'),
    );
    expect(counts[0]).toBeLessThan(counts[1] as number);
    expect(counts[1]).toBeLessThan(counts[2] as number);
  });

  it('Rollcall convicts one that is deaf or loses nearly all, and no healthy one', () => {
    for (const what of ['one node: 80 %', 'one node: deaf in turns']) {
      expect(told(what, 'Rollcall', 'FAULTY HELD')).toBeGreaterThan(85);
      expect(convicted(what, 'Rollcall')).toBe(0);
    }
  });
});

// Probes for half a second alone lost one in three of such beginnings: these, for instance.
it.each([3, 10, 17, 45])(
  'nobody is convicted when half of all frames are lost from one moment on, seed %i',
  async (seed) => {
    const loss = { kind: 'everywhere', share: 0.5 } as const;
    const ordeal = { seed, nodes: 50, forMs: 10_000, faulty: 0, loss, stalls: [] };
    expect((await endure('rollcall', ordeal)).stories).toBe(0);
  },
);

it('runs the cases it is asked for', () => {
  const tasks = lossStudy.tasks({ only: 'swim', cases: 'deaf, 50' });
  expect(tasks.map((task) => JSON.stringify(task))).toEqual([
    expect.stringContaining('deaf in turns'),
    expect.stringContaining('50 %'),
  ]);
});

it('a long run is several, each with a seed of its own', () => {
  const tasks = lossStudy.tasks({ only: 'rollcall,swim', seed: '7' });
  expect(tasks).toHaveLength(5 * (6 + 1));
  expect(new Set(tasks.map((task) => JSON.stringify(task))).size).toBe(tasks.length);
});

it.each([
  ['nodes', '3'],
  ['minutes', '0'],
  ['seed', 'x'],
  ['only', 'swim,tea'],
  ['cases', '50,80'],
])('--%s %s is refused by name', (flag, value) => {
  expect(() => lossStudy.tasks({ [flag]: value })).toThrow(`--${flag}`);
});
