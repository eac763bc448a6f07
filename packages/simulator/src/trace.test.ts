import { describe, expect, test } from 'vitest';
import { Trace, traceHead } from './trace.js';

describe('Trace', () => {
  test('a line has a moment, a node, what, and about what, with keys as a person says them', () => {
    const trace = new Trace({ detail: 'events', keep: 0 }, () => 1234.5678);
    trace.add('b', 'memberUp', 'ws://a:7355#0123456789abcdef (told by ws://c:7355)');
    trace.add('b', 'crash');
    expect(trace.lines()).toEqual([
      '    1234.568  b       memberUp            a#0123 (told by c)',
      '    1234.568  b       crash',
    ]);
    expect(traceHead()).toBe('          MS  NODE    WHAT                ABOUT');
  });

  test('keeps the last lines and counts the others', () => {
    const trace = new Trace({ detail: 'events', keep: 10 }, () => 0);
    for (let i = 0; i < 35; i++) trace.add('a', 'info', `line ${i}`);
    expect(trace.lines()).toHaveLength(10);
    expect(trace.lines().at(-1)).toContain('line 34');
    expect(trace.dropped).toBe(25);
    expect(trace.tail(2).map((line) => line.split('  ').at(-1)?.trim())).toEqual([
      'line 33',
      'line 34',
    ]);
  });

  test('says nothing when nothing was asked for', () => {
    const trace = new Trace({ detail: 'none', keep: 0 }, () => 0);
    trace.add('a', 'start');
    expect(trace.lines()).toEqual([]);
    expect(trace.showsFrames).toBe(false);
  });
});
