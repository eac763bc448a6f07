import { describe, expect, it } from 'vitest';
import { probeFailure, probeStudy } from './probe-study.js';
import { reported } from './reported.testing.js';

describe('the chance that a probe fails', () => {
  it.each([
    [0.01, 0, 0.0199],
    [0.1, 0, 0.19],
    [0.1, 3, 0.007728],
    [0.3, 5, 0.129227],
    [0, 3, 0],
    [1, 3, 1],
  ])('at a loss of %d with %d helpers is %d', (loss, helpers, chance) => {
    expect(probeFailure(loss, helpers)).toBeCloseTo(chance, 6);
  });
});

describe('the probe study, small', async () => {
  const { report } = await reported(probeStudy, { probes: '2000' });
  const { head, rows, svg } = report;

  it('finds what the formula says, for five rates of loss and up to five helpers', () => {
    expect(rows).toHaveLength(30);
    const off = head.indexOf('STANDARD ERRORS OFF');
    // Thirty at once: one in sixty thousand seeds would be further off, and this one is not.
    for (const row of rows) expect(Math.abs(Number(row[off])), row.join(' ')).toBeLessThan(4);
  });

  it('shows a dot for each that was seen to fail and fits the axes', () => {
    const failed = rows.filter(([, , , count]) => count !== '0').length;
    expect(svg.match(/<circle/g)).toHaveLength(failed);
    expect(svg.match(/<polyline/g)).toHaveLength(5);
  });

  it('wants as many nodes as it has helpers to ask', () => {
    expect(() => probeStudy.tasks({ nodes: '6' })).toThrow('--nodes');
  });
});
