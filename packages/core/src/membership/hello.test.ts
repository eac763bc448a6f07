import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { checkCluster, checkHello, checkSettings, type Hello, PROTOCOL } from './hello.js';
import { agreedSettings, readSettings } from './settings.js';

const hello = (change: Partial<Hello> = {}): Hello => ({
  cluster: 'orders',
  protocol: PROTOCOL,
  self: 'ws://a:1#1',
  settings: agreedSettings(readSettings()),
  ...change,
});
const there = (change: Partial<Hello> = {}) => hello({ self: 'ws://b:2#2', ...change });

describe('two nodes that say hello', () => {
  it('may speak when name, protocol and settings agree', () => {
    expect(checkHello(hello(), there())).toBeUndefined();
  });

  it('may speak when their protocol ranges overlap at all', () => {
    const newer = there({ protocol: { min: 1, max: 4 } });
    expect(checkHello(hello(), newer)).toBeUndefined();
    const next = there({ protocol: { min: 4, max: 6 } });
    expect(checkHello(hello({ protocol: { min: 2, max: 4 } }), next)).toBeUndefined();
  });

  it('are told apart by the name of their cluster', () => {
    expect(checkHello(hello(), there({ cluster: 'bills' }))).toEqual({
      code: 'clusterName',
      message: "ws://b:2 is in a cluster named 'bills', not 'orders'",
      by: 'ws://b:2',
    });
  });

  it('are told which protocols each speaks when they share none', () => {
    expect(checkHello(hello(), there({ protocol: { min: 2, max: 3 } }))).toEqual({
      code: 'protocol',
      message: 'ws://b:2 speaks protocol 2 to 3, this node 1',
      by: 'ws://b:2',
    });
  });

  it('are told every setting that differs, with both values', () => {
    const settings = agreedSettings(
      readSettings({
        downing: { stableAfter: '5s', unstableAfter: '15s' },
        heartbeat: { rings: 3 },
      }),
    );
    expect(checkHello(hello(), there({ settings }))).toEqual({
      code: 'settings',
      message:
        'ws://b:2 has other settings: downing.stableAfter is 5s at ws://b:2 and 20s at ws://a:1; ' +
        'heartbeat.rings is 3 at ws://b:2 and 5 at ws://a:1',
      by: 'ws://b:2',
    });
  });

  it('are told of a setting that one of them does not know', () => {
    const settings = [...agreedSettings(readSettings()), 'quorum.colour=blue'];
    expect(checkHello(hello(), there({ settings }))?.message).toContain(
      'quorum.colour is blue at ws://b:2 and absent at ws://a:1',
    );
  });

  it('may be asked in two parts: who they are, and by which settings they run', () => {
    const other = there({ settings: ['a=1'], cluster: 'bills' });
    expect(checkCluster(hello(), other)?.code).toBe('clusterName');
    expect(checkCluster(hello(), there({ settings: ['a=1'] }))).toBeUndefined();
    expect(checkSettings(hello(), other)?.code).toBe('settings');
    expect(checkSettings(hello(), there({ cluster: 'bills' }))).toBeUndefined();
  });

  it('do not care in which order settings are said', () => {
    const settings = agreedSettings(readSettings()).toReversed();
    expect(checkHello(hello(), there({ settings }))).toBeUndefined();
  });

  it('come to the same answer at both ends', () => {
    const anyHello = fc.record({
      cluster: fc.constantFrom('orders', 'bills'),
      protocol: fc
        .tuple(fc.integer({ min: 1, max: 4 }), fc.integer({ min: 0, max: 2 }))
        .map(([min, more]) => ({ min, max: min + more })),
      self: fc.constantFrom('ws://a:1#1', 'ws://b:2#2'),
      settings: fc.subarray(['a=1', 'a=2', 'b=', 'c=x=y', 'd']),
    });
    fc.assert(
      fc.property(anyHello, anyHello, (mine, theirs) => {
        expect(checkHello(mine, theirs)?.code).toBe(checkHello(theirs, mine)?.code);
        expect(checkHello(mine, mine)).toBeUndefined();
      }),
    );
  });
});
