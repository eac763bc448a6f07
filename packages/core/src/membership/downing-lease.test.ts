/** lease-majority with a lease that answers, refuses, forgets, is slow or silent. */
import { describe, expect, it } from 'vitest';
import { formed, runningOf } from './parted.testing.js';
import { board } from './virtual-cluster.testing.js';
import type { VirtualNode } from './virtual-node.testing.js';

const LEASE = { strategy: 'lease-majority' };
const reasons = (nodes: readonly VirtualNode[]) => nodes.map(({ ending }) => ending?.reason);

/** Two halves, not yet at the point of deciding. */
function halved(one: string, other: string, downing: Record<string, unknown> = {}) {
  const formation = formed([...(one + other)].sort().join(''), { ...LEASE, ...downing });
  const halves = { one: formation.pick(one), other: formation.pick(other) };
  formation.cluster.split(halves.one, halves.other);
  return { ...formation, ...halves };
}

describe('equal halves', () => {
  it('one of them stays, and the lease was granted once', () => {
    const { cluster, nodes } = halved('ab', 'cd');
    cluster.run(40_000);
    expect(['ab', 'cd']).toContain(runningOf(nodes));
    expect(cluster.granted.size).toBe(1);
  });

  it.each([
    ['ab', 'cd'],
    ['cd', 'ab'],
  ])('%s stays, when it alone gets through; the others stop by their own fate', (stay, go) => {
    const { cluster, nodes, pick } = halved(stay, go);
    cluster.leaseOf = (from) => (stay.includes(from.name) ? 'answering' : 'refusing');
    cluster.run(40_000);
    expect(runningOf(nodes)).toBe(stay);
    for (const each of pick(stay))
      expect(board(each)).toBe([...stay].map((n) => `${n} up`).join(', '));
    expect(reasons(pick(go))).toEqual(['notQuorate', 'notQuorate']);
    const [ending] = pick(go).map((each) => each.ending);
    expect(ending?.message).toContain('the lease did not grant it the tie');
    const { logs } = pick(go)[0] as VirtualNode;
    const complaints = logs.filter(({ message }) => message.startsWith('the lease did not answer'));
    expect(complaints.length).toBeGreaterThan(0);
    expect(complaints.length).toBeLessThan(5);
  });

  it('the half that comes second stops at once, and says to whom the lease is granted', () => {
    const { cluster, node, pick } = halved('ab', 'cd');
    cluster.leaseOf = ({ name }) => (name === 'd' ? 'answering' : 'refusing');
    cluster.until(() => cluster.granted.size > 0, 20_000);
    cluster.leaseOf = () => 'answering';
    const ms = cluster.until(() => runningOf(pick('ab')) === '', 2_500);
    expect(ms).toBeLessThan(2_500);
    expect(node('a').ending).toMatchObject({ reason: 'minority' });
    expect(node('a').ending?.message).toContain('the lease is granted to ws://d:7000');
    cluster.run(20_000);
    expect(runningOf(pick('cd'))).toBe('cd');
    expect(node('a').told('downingDecided').at(-1)?.go).toEqual(pick('ab').map(({ key }) => key));
  });

  it('in a second round the lease is asked about what is left', () => {
    const { cluster, nodes, pick } = halved('ab', 'cd');
    cluster.run(40_000);
    const [one, other] = [...runningOf(nodes)] as [string, string];
    cluster.split(pick(one), pick(other));
    cluster.run(40_000);
    expect([one, other]).toContain(runningOf(nodes));
    expect(cluster.granted.size).toBe(2);
  });

  it('a joiner goes with its half', () => {
    const { cluster, pick, one, other } = halved('ab', 'cd');
    cluster.run(5_000);
    const joiner = cluster.start('e');
    cluster.split([joiner], other);
    cluster.leaseOf = (from) => (one.includes(from) ? 'answering' : 'refusing');
    cluster.run(40_000);
    expect(runningOf(cluster.nodes)).toBe('abe');
    expect(pick('a').map(board)).toEqual(['a up, b up, e up']);
  });
});

describe('two members', () => {
  it.each(['a', 'b'])('the other stays when %s crashes', (crashed) => {
    const { cluster, node } = formed('ab', LEASE);
    node(crashed).kill();
    const other = node(crashed === 'a' ? 'b' : 'a');
    cluster.until(() => board(other) === `${other.name} up`, 14_000);
    expect(other.state.convergence).toBe(true);
    expect([...cluster.granted.values()]).toEqual([other.key]);
  });

  it('the one that stays waits for stableAfter, and its restarted companion is let in', () => {
    const { cluster, node } = formed('ab', LEASE);
    node('a').kill();
    cluster.until(() => board(node('b')).includes('a up unreachable'), 6_000);
    const ms = cluster.until(() => board(node('b')) === 'b up', 6_000);
    expect(ms).toBeGreaterThan(4_500);
    const again = cluster.start('a2', { at: 'a', seeds: ['ws://b:7000'] });
    cluster.until(() => board(again) === 'a up, b up', 5_000);
  });
});

describe('a lease in trouble', () => {
  it.each(['refusing', 'silent', 'forgetful'] as const)(
    '%s all the while: nobody stays',
    (conduct) => {
      const { cluster, nodes } = halved('ab', 'cd');
      cluster.leaseOf = () => conduct;
      cluster.run(40_000);
      expect(runningOf(nodes)).toBe('');
      expect(new Set(reasons(nodes))).toEqual(new Set(['notQuorate']));
    },
  );

  it.each(['refusing', 'forgetful'] as const)('%s at first: one half stays', (conduct) => {
    const { cluster, nodes } = halved('ab', 'cd');
    cluster.leaseOf = () => conduct;
    cluster.run(10_000);
    cluster.leaseOf = () => 'answering';
    cluster.run(40_000);
    expect(['ab', 'cd']).toContain(runningOf(nodes));
  });

  it('silent at first: asked again', () => {
    const { cluster, nodes } = halved('ab', 'cd', { unstableAfter: '10s' });
    cluster.leaseOf = () => 'silent';
    cluster.run(12_000);
    cluster.leaseOf = () => 'answering';
    cluster.run(40_000);
    expect(['ab', 'cd']).toContain(runningOf(nodes));
  });

  it('whose answer comes when both halves have stopped: nobody wakes up', () => {
    const { cluster, nodes } = halved('ab', 'cd');
    cluster.leaseMs = 20_000;
    cluster.run(60_000);
    expect(runningOf(nodes)).toBe('');
    expect(cluster.granted.size).toBe(1);
  });

  it('the one it is granted to crashes before it can say so: nobody stays', () => {
    const { cluster, nodes, node } = halved('ab', 'cd');
    cluster.leaseOf = ({ name }) => (name === 'a' ? 'forgetful' : 'refusing');
    cluster.until(() => cluster.granted.size > 0, 20_000);
    node('a').kill();
    cluster.leaseOf = () => 'answering';
    cluster.run(40_000);
    expect(runningOf(nodes)).toBe('');
  });

  it('that one is paused, and wakes when all is over: it does not go on alone', () => {
    const { cluster, nodes, node } = halved('ab', 'cd');
    cluster.leaseOf = ({ name }) => (name === 'a' ? 'answering' : 'refusing');
    cluster.leaseMs = 1_000;
    cluster.until(() => cluster.granted.size > 0, 20_000);
    node('a').pause();
    cluster.run(60_000);
    expect(runningOf(nodes)).toBe('a');
    node('a').resume();
    cluster.run(40_000);
    expect(runningOf(nodes)).toBe('');
  });

  it('is not asked by a majority, nor by anybody while nobody is unreachable', () => {
    const { cluster, nodes, pick } = formed('abcde', LEASE);
    cluster.leaseOf = () => 'refusing';
    cluster.split(pick('ab'), pick('cde'));
    cluster.run(40_000);
    expect(runningOf(nodes)).toBe('cde');
    expect(cluster.granted.size).toBe(0);
    expect(
      nodes.flatMap(({ logs }) => logs.filter(({ message }) => /lease/.test(message))),
    ).toEqual([]);
  });

  it('that does not answer keeps nobody who is indirectly connected waiting for ever', () => {
    const settings = { agreement: { observers: 1 }, detector: { indirectProbes: 0 } };
    const { cluster, nodes, node, pick } = formed('abcd', LEASE, { settings });
    cluster.leaseOf = () => 'refusing';
    cluster.split(pick('a'), pick('b'));
    node('d').kill();
    cluster.run(40_000);
    expect(runningOf(nodes)).toBe('');
  });
});

describe('a split that heals', () => {
  it('before the lease is asked, leaves everybody', () => {
    const { cluster, nodes } = halved('ab', 'cd');
    cluster.run(8_000);
    cluster.heal();
    cluster.run(30_000);
    expect(cluster.isSettled(nodes)).toBe(true);
    expect(cluster.granted.size).toBe(0);
  });

  it('after it was granted and before it was used: the grant still stands in the next split', () => {
    const { cluster, nodes, node, pick, one, other } = halved('ab', 'cd');
    // It is d's, and d has not heard so when the network heals.
    cluster.leaseOf = ({ name }) => (name === 'd' ? 'forgetful' : 'refusing');
    cluster.until(() => cluster.granted.size > 0, 20_000);
    cluster.heal();
    cluster.until(() => cluster.isSettled(nodes), 5_000);
    cluster.run(10_000);
    expect(runningOf(nodes)).toBe('abcd');
    cluster.leaseOf = () => 'answering';
    cluster.split(one, other);
    cluster.run(40_000);
    expect(runningOf(nodes)).toBe('cd');
    expect([...cluster.granted.values()]).toEqual([node('d').key]);
    expect(reasons(pick('ab'))).toEqual(['minority', 'minority']);
  });
});

it('a half without the lease says what it waits for', () => {
  const { cluster, node } = halved('ab', 'cd');
  cluster.leaseOf = () => 'silent';
  cluster.run(7_000);
  const blockers = node('a').machine.blockers.filter(({ kind }) => kind === 'notQuorate');
  expect(blockers).toHaveLength(1);
  expect(blockers[0]?.text).toBe(
    'This node reaches one half (lease-majority), and the lease has not granted it the tie: it does not reach ws://c:7000, ws://d:7000.',
  );
});
