/**
 * Downing in time: the rows of Akka's tests of its split brain resolver as an actor and on five nodes.
 * Where the answer here is another one, the row says which and why.
 */
import { addressOf } from '@rollcall/convergence';
import { describe, expect, it } from 'vitest';
import { formed, parted, runningOf } from './parted.testing.js';
import { board } from './virtual-cluster.testing.js';
import type { VirtualNode } from './virtual-node.testing.js';

/** Each goes by what it hears itself, and one is enough: what Akka does. */
const Q1 = { settings: { agreement: { observers: 1 }, detector: { indirectProbes: 0 } } };
/** Nobody is held unreachable for having come and gone. */
const UNDAMPED = { settings: { damping: { holdDown: 0 } } };
const decisions = (nodes: readonly VirtualNode[]) =>
  nodes.flatMap((node) => node.told('downingDecided'));

describe('who acts, and when', () => {
  it('whoever is left, be it the highest address (Akka: the leader)', () => {
    const { cluster, node, pick } = formed('abcde');
    for (const name of 'ab') node(name).kill();
    cluster.until(() => pick('cde').every((each) => board(each) === 'c up, d up, e up'), 14_000);
  });

  it('not before stableAfter', () => {
    const { cluster, node, pick } = formed('abc');
    node('c').kill();
    const isOut = (each: VirtualNode) => board(each).includes('c up unreachable');
    cluster.until(() => pick('ab').every(isOut), 6_000);
    cluster.run(4_500);
    expect(decisions(pick('ab'))).toEqual([]);
    cluster.until(() => pick('ab').every((each) => board(each) === 'a up, b up'), 1_500);
  });

  it('not when it is reachable again in time', () => {
    const { cluster, nodes, pick } = formed('abcd');
    cluster.split(pick('d'), pick('abc'));
    cluster.until(() => board(pick('a')[0] as VirtualNode).includes('d up unreachable'), 6_000);
    cluster.run(3_000);
    cluster.heal();
    cluster.run(30_000);
    expect(cluster.isSettled(nodes)).toBe(true);
    expect(decisions(nodes)).toEqual([]);
  });

  it('not when an operator has downed it meanwhile', () => {
    const { cluster, node, pick } = formed('abc');
    node('c').kill();
    cluster.until(() => board(node('a')).includes('c up unreachable'), 6_000);
    expect(node('a').down(node('c'))).toBeUndefined();
    cluster.run(20_000);
    expect(pick('ab').map(board)).toEqual(['a up, b up', 'a up, b up']);
    expect(decisions(pick('ab'))).toEqual([]);
  });

  it('a member that is weakly up acts and stays (Akka: so too), and is up once the other is gone', () => {
    const { cluster, node, pick } = formed('abc');
    node('c').kill();
    cluster.until(() => board(node('a')).includes('c up unreachable'), 6_000);
    const joiner = cluster.start('d');
    const all = [...pick('ab'), joiner];
    cluster.until(() => all.every((each) => board(each).includes('d weaklyUp')), 2_000);
    cluster.until(() => all.every((each) => board(each) === 'a up, b up, d up'), 9_000);
  });

  it('a member on its way out that crashed is downed like any other', () => {
    const { cluster, node, pick } = formed('abcd');
    node('a').leave(node('d'));
    node('d').kill();
    cluster.until(() => pick('abc').every((each) => board(each) === 'a up, b up, c up'), 16_000);
  });

  it('the quorum is counted among those with the role; one without it decides too', () => {
    const { cluster, pick } = formed('abc', { role: 'core' }, { roles: ['core'] });
    const extra = [...'xyz'].map((name) => cluster.start(name));
    cluster.until(() => cluster.isSettled([...pick('abc'), ...extra]), 10_000);
    const [x, y, z] = extra as [VirtualNode, VirtualNode, VirtualNode];
    cluster.split([...pick('ab'), x], [...pick('c'), y, z]);
    cluster.run(30_000);
    expect(runningOf(cluster.nodes)).toBe('abx');
    expect(board(x)).toBe('a up, b up, x up');
  });
});

describe('indirectly connected', () => {
  it.each([
    ['three nodes: no two say so of one, so nobody goes (Akka: both)', 'abc', '', {}, 'abc'],
    ['three nodes, where one is enough: one of the two goes (Akka: both)', 'abc', '', Q1, 'ac'],
    ['five nodes and a clean partition: its majority (Akka: c alone)', 'abc', 'de', {}, 'abc'],
    [
      'five nodes, where one is enough: the rest of the majority is none, all go (as in Akka)',
      'abc',
      'de',
      Q1,
      '',
    ],
    ['seven nodes, where one is enough: the majority without one', 'abcde', 'fg', Q1, 'acde'],
  ])('%s', (_, one, other, given, stay) => {
    const { cluster, nodes, pick } = formed(one + other, {}, given);
    cluster.split(pick('a'), pick('b'));
    cluster.split(pick(one), pick(other));
    cluster.run(60_000);
    expect(runningOf(nodes)).toBe(stay);
  });

  it('nobody goes where others reach both: the link is at fault (Akka: both go)', () => {
    const { cluster, nodes, pick } = formed(
      'abcde',
      {},
      { settings: { agreement: { observers: 1 } } },
    );
    cluster.split(pick('a'), pick('b'));
    cluster.run(60_000);
    expect(runningOf(nodes)).toBe('abcde');
    expect(cluster.isSettled(nodes)).toBe(true);
  });

  it('who goes is told so by those who reach it', () => {
    const { cluster, node, pick } = formed('abc', {}, Q1);
    cluster.split(pick('a'), pick('b'));
    cluster.until(() => !node('b').isRunning, 20_000);
    expect(['toldToGo', 'removed']).toContain(node('b').ending?.reason);
  });
});

describe('when nothing comes to rest', () => {
  it('nobody with a quorum stops, however long (Akka: all go after stableAfter + unstableAfter)', () => {
    const { cluster, nodes, pick } = formed('abcde', {}, UNDAMPED);
    for (let round = 0; round < 12; round++) {
      const [lost, rest] = round % 2 === 0 ? ['e', 'abcd'] : ['d', 'abce'];
      cluster.split(pick(lost), pick(rest));
      cluster.run(6_000);
      cluster.heal();
      cluster.run(2_000);
    }
    cluster.run(10_000);
    expect(runningOf(nodes)).toBe('abcde');
    expect(cluster.isSettled(nodes)).toBe(true);
  });

  it('a node without a quorum stops after that time; a moment of contact begins it anew', () => {
    const { cluster, node, pick } = formed('abc', {}, UNDAMPED);
    const c = node('c');
    for (let round = 0; round < 3; round++) {
      cluster.split(pick('c'), pick('ab'));
      cluster.until(() => board(c).includes('a up unreachable, b up unreachable'), 7_000);
      cluster.run(2_500);
      cluster.heal();
      cluster.until(() => board(c) === 'a up, b up, c up', 2_000);
    }
    expect(runningOf([c])).toBe('c');
    cluster.split(pick('c'), pick('ab'));
    cluster.until(() => board(c).includes('a up unreachable, b up unreachable'), 7_000);
    const ms = cluster.until(() => !c.isRunning, 9_000);
    expect(ms).toBeGreaterThan(7_000);
    expect(ms).toBeLessThanOrEqual(8_100);
  });

  it('newcomers do not keep a crashed member in, one after the other', () => {
    const { cluster, node } = formed('abcde');
    node('c').kill();
    cluster.until(() => board(node('a')).includes('c up unreachable'), 6_000);
    for (const name of 'fghi') {
      cluster.start(name);
      cluster.run(3_000);
    }
    expect(board(node('a'))).not.toContain('c up');
  });

  it('nor do those who leave meanwhile', () => {
    const { cluster, node } = formed('abcdefgh');
    node('c').kill();
    cluster.until(() => board(node('a')).includes('c up unreachable'), 6_000);
    for (const name of 'fg') {
      node('a').leave(node(name));
      cluster.run(3_000);
    }
    expect(board(node('a'))).not.toContain('c up');
  });
});

describe('the larger part', () => {
  it('removes the others when they have stopped or not; they cannot do anything meanwhile', () => {
    const { cluster, node, pick } = formed('abcde');
    cluster.split(pick('abc'), pick('de'));
    cluster.until(() => board(node('a')) === 'a up, b up, c up', 14_000);
    expect(runningOf(pick('de'))).toBe('de');
    expect(board(node('d'))).toContain('a up unreachable');
    expect(node('d').told('memberRemoved')).toEqual([]);
    cluster.run(10_000);
    expect(runningOf(pick('de'))).toBe('');
  });

  it('is told whom it loses, all in one decision', () => {
    const { pick } = parted('abc', 'de');
    const told = decisions(pick('abc')).map(({ go }) => go.map(addressOf).join(' '));
    expect(told.length).toBeGreaterThan(0);
    expect(new Set(told)).toEqual(new Set(['ws://d:7000 ws://e:7000']));
  });
});
