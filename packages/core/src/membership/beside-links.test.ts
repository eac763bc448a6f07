/** What goes beside the links: probes that are repeated, and answers to them. */
import { describe, expect, it } from 'vitest';
import { ALL, five } from './five.testing.js';
import { Stage, stateOf, upMember } from './stage.testing.js';
import { board, type VirtualCluster } from './virtual-cluster.testing.js';

const isPair = (one: string, other: string, pair: string) => [one, other].sort().join('') === pair;

describe('a link that holds back what is said on it', () => {
  // As TCP does, for longer with each further loss.
  const stall = (cluster: VirtualCluster, from: string) =>
    cluster.rule((packet) => (packet.from === from && !packet.isCast ? 'drop' : 'pass'));

  it('convicts nobody while datagrams get through: the member is asked beside the link', () => {
    const { cluster, nodes, a, b, linkOf } = five();
    const meanMs = linkOf(b, a)?.meanMs;
    stall(cluster, 'a');
    cluster.run(8_000);
    for (const node of nodes) expect(board(node)).toBe(ALL);
    expect(linkOf(b, a)).toMatchObject({ reachable: true, broken: false, meanMs });
  });

  it('is broken, and dialled anew again and again, when nothing comes over it for three acceptable pauses', () => {
    const { cluster, nodes, a, b, linkOf, saidOfLinks } = five();
    const heal = stall(cluster, 'a');
    const brokenMs = cluster.until(() => linkOf(b, a)?.broken === true, 60_000);
    expect(brokenMs).toBeGreaterThan(8_000);
    expect(brokenMs).toBeLessThan(14_000);
    cluster.run(10_000);
    for (const node of nodes) expect(board(node)).toBe(ALL);
    const once = [
      'the link to ws://a:7000 is broken: nothing comes over it, and datagrams reach it',
    ];
    expect(saidOfLinks(b)).toEqual(once);
    heal();
    cluster.until(() => linkOf(b, a)?.broken === false, 3_000);
    expect(saidOfLinks(b)).toEqual([...once, 'the link to ws://a:7000 works again']);
  });

  it('saves nobody for long: who can be told nothing any more is lost to the cluster, and removed', () => {
    const { cluster, nodes, a } = five({ downing: { stableAfter: '5s' } });
    const others = nodes.filter((node) => node !== a);
    const isBetween = (from: string, to: string) => from !== to && (from === 'a' || to === 'a');
    cluster.rule(({ from, to, isCast }) => (isBetween(from, to) && !isCast ? 'drop' : 'pass'));
    const without = 'b up, c up, d up, e up';
    const removedMs = cluster.until(() => others.every((node) => board(node) === without), 60_000);
    expect(removedMs).toBeGreaterThan(30_000);
    // They did not wait until it had stopped by itself, as one that reaches no quorum.
    expect(a.isRunning).toBe(true);
    cluster.until(() => !a.isRunning, 30_000);
  });

  it('hides no crash', () => {
    const { cluster, a, b, linkOf } = five();
    stall(cluster, 'a');
    cluster.run(20_000);
    a.kill({ silently: true });
    expect(cluster.until(() => linkOf(b, a)?.reachable === false, 6_000)).toBeGreaterThan(1_000);
  });

  it('is asked over once, and beside it again and again; each answer goes the way of its question', () => {
    const { cluster, nodes } = five();
    const ways: string[] = [];
    cluster.rule(({ from, to, message, isCast }) => {
      if (message.kind === 'heartbeat' && from === 'a') return 'drop';
      const isOurs = [from, to].sort().join('') === 'ab' && /^probed?$/.test(message.kind);
      if (isOurs) ways.push(`${from} ${message.kind} ${isCast ? 'cast' : 'link'}`);
      return isOurs && message.kind === 'probed' && ways.length < 6 ? 'drop' : 'pass';
    });
    cluster.until(() => ways.length >= 8, 5_000);
    expect(nodes.map(board)).toEqual(nodes.map(() => ALL));
    expect(ways.slice(0, 6)).toEqual([
      'b probe link',
      'a probed link',
      'b probe cast',
      'a probed cast',
      'b probe cast',
      'a probed cast',
    ]);
  });
});

describe('datagrams that get through one way alone', () => {
  it.each([
    ['to nobody', () => false],
    ['from the asker alone', (_: string, to: string) => to !== 'a'],
    ['to the asker alone', (from: string) => from !== 'a'],
  ])('%s: the links still carry every answer, and nobody thinks itself unwell', (_, gets) => {
    const { cluster, a, nodes } = five();
    cluster.rule(({ from, to, isCast }) => (isCast && !gets(from, to) ? 'drop' : 'pass'));
    nodes[4]?.kill({ silently: true });
    let worst = 0;
    for (let n = 0; n < 600; n++) {
      cluster.run(100);
      worst = Math.max(worst, a.machine.healthScore);
    }
    expect(worst).toBe(0);
  });
});

describe('a link that shakes hands and then carries nothing', () => {
  it('is dropped and dialled again, each time', () => {
    const { cluster, a, b } = five();
    const drops: number[] = [];
    const { disconnect } = a;
    a.disconnect = (other, how) => {
      if (other === b) drops.push(cluster.nowMs);
      disconnect.call(a, other, how);
    };
    cluster.rule(({ from, to, isCast }) => (isPair(from, to, 'ab') && !isCast ? 'drop' : 'pass'));
    cluster.run(29_000);
    expect(drops.length).toBeGreaterThan(1);
  });

  it('works again when something has come over it, and not because datagrams do', () => {
    const { cluster, a, saidOfLinks } = five();
    let isOpen = false;
    cluster.rule(({ from, to, isCast }) =>
      isPair(from, to, 'ab') && !(isCast && isOpen) ? 'drop' : 'pass',
    );
    cluster.until(() => saidOfLinks(a).length === 1, 20_000);
    isOpen = true;
    cluster.run(120_000);
    expect(saidOfLinks(a)).toEqual([expect.stringMatching(/is broken: .* reaches it$/)]);
  });
});

describe('what is no probe', () => {
  it('is answered when it comes over the link, and ignored beside it', () => {
    const [A, B] = ['ws://a:7000#00000000000000a1', 'ws://b:7000#00000000000000b1'] as const;
    const stage = new Stage({}, ['ws://a:7000']);
    stage.enters(stateOf([A, B].map((key) => upMember(key))), A);
    const message = { kind: 'join', roles: [], appVersion: '1' } as const;
    const from = 'ws://c:7000#00000000000000c1';
    expect(stage.step({ kind: 'received', from, message, wasCast: true })).toEqual([]);
    stage.step({ kind: 'received', from, message });
    expect(stage.out.length).toBeGreaterThan(0);
  });
});
