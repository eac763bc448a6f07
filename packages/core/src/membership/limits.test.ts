import type { NodeKey } from '@rollcall/convergence';
import { describe, expect, it } from 'vitest';
import { Node } from './node.js';
import { readSettings } from './settings.js';
import { outside, Stage, stateOf, upMember } from './stage.testing.js';

const K = 'ws://k:7000#00000000000000f1';
const join = { kind: 'join', roles: [], appVersion: '1' } as const;
const stranger = (number: number): NodeKey => `ws://x${number}:7000#1`;
const each = <T>(count: number, make: (number: number) => T): T[] =>
  Array.from({ length: count }, (_, i) => make(i));

describe('however many strangers there are', () => {
  it('notes are kept on limits.peers of them, and on every member and every open link', () => {
    const options = { name: 'test', address: 'ws://m:7000', seeds: [], roles: [], appVersion: '1' };
    const settings = readSettings({ limits: { peers: 16 } });
    const node = new Node({ ...options, settings }, { next: () => 0, uid: () => '1' });
    node.peer(K).linked = true;
    for (const key of each(1_000, stranger)) node.peer(key).complaints++;
    expect(node.peers.size).toBe(16);
    expect(node.peers.has(K)).toBe(true);
    expect(node.peers.has(stranger(999))).toBe(true);
  });

  it('limits.joins of them are welcomed at once', () => {
    const stage = new Stage({ limits: { joins: 5 } }).founds();
    const welcomed = each(100, (i) => {
      stage.hears(stranger(i), join);
      return stage.sent('welcome').length;
    });
    expect(welcomed.filter((count) => count > 0)).toHaveLength(5);
  });

  it('a link to each address that was named is not wanted: a few are', () => {
    const stage = new Stage({}, ['ws://s:7000']);
    stage.step({ kind: 'start' });
    stage.resolves();
    const wanted = new Set<string>();
    for (let i = 0; i < 200; i++) {
      const acceptors = each(8, (j) => stranger(8 * i + j));
      const standing = { ...outside, clusterId: K, size: 99, acceptors };
      stage.links(stranger(10_000 + i));
      stage.hears(stranger(10_000 + i), { kind: 'seedAnswer', standing });
      for (const one of stage.out) if (one.kind === 'link') wanted.add(one.address);
    }
    expect(wanted.size).toBeLessThanOrEqual(72);
  });

  it('islands are reported once each, and the list of them does not grow for ever', () => {
    const stage = new Stage().founds();
    stage.admits(K);
    const report = (number: number) => {
      const standing = { ...outside, clusterId: stranger(number), size: 3, acceptors: [] };
      stage.hears('ws://y:7000#1', { kind: 'seedAnswer', standing });
      return stage.told('islandDetected').length;
    };
    expect(each(64, report)).toEqual(Array(64).fill(1));
    expect(each(64, report)).toEqual(Array(64).fill(0));
    expect(report(64)).toBe(1);
    // The list was begun anew, so one that was on it may be told of once more.
    expect(report(0)).toBe(1);
    expect(report(0)).toBe(0);
  });
});

describe('joiners that wait', () => {
  it('count among the limits.joins that are served at once', () => {
    const stage = new Stage({ limits: { joins: 3 } }).founds();
    stage.admits(K);
    const open = each(2, (i) => stage.hears(stranger(i), join) && stage.sent('welcome').length);
    stage.step({ kind: 'askToLeave', subject: K, ticket: 1 });
    for (const key of each(5, (i) => stranger(10 + i))) stage.hears(key, join);
    stage.passes(2_000);
    const served = open.filter((count) => count > 0).length + stage.sent('welcome').length;
    expect(served).toBeLessThanOrEqual(3);
  });
});

describe('a node that allows fewer members than its cluster has', () => {
  it('runs all the same: the limit is about whom it lets in', () => {
    const keys = each(6, stranger);
    const stage = new Stage({ limits: { members: 2 } }, ['ws://x0:7000']);
    stage.enters(stateOf(keys.map((key) => upMember(key))), stranger(0));
    stage.passes(1_000);
    expect(stage.sent('heartbeat')).toHaveLength(6);
    stage.hears(K, join);
    expect(stage.sent('joinRefused', K)[0]?.refusal.code).toBe('limit');
  });
});
