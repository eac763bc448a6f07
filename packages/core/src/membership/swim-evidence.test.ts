import { describe, expect, it } from 'vitest';
import { board, VirtualCluster } from './virtual-cluster.testing.js';
import type { VirtualNode } from './virtual-node.testing.js';

type Five = [VirtualNode, VirtualNode, VirtualNode, VirtualNode, VirtualNode];

function five(settings: Record<string, unknown> = { downing: { strategy: 'manual' } }) {
  const cluster = new VirtualCluster({ detector: { kind: 'swim' }, ...settings });
  const nodes = cluster.formed('abcde') as Five;
  cluster.run(20_000);
  return { cluster, nodes };
}

describe('detector.kind=swim', () => {
  it('forms, and holds nothing against anybody while all is well', () => {
    const { cluster, nodes } = five();
    cluster.run(60_000);
    expect(cluster.isSettled(nodes)).toBe(true);
    expect(nodes.flatMap((node) => node.told('memberSuspected'))).toEqual([]);
    expect(nodes.every((node) => node.said('swim').length > 60)).toBe(true);
  });

  it('convicts a crashed member, by as many observers as heartbeats would', () => {
    const { cluster, nodes } = five();
    const [a, ...rest] = nodes;
    a.kill({ silently: true });
    const isSeen = () => rest.every((node) => node.reachabilityOf(a) === 'unreachable');
    expect(cluster.until(isSeen, 40_000)).toBeGreaterThan(4_000);
    const [told] = rest[0]?.told('memberUnreachable') ?? [];
    expect(told?.member.observedBy.length).toBeGreaterThanOrEqual(2);
    expect(rest.flatMap((node) => node.told('memberUnreachable'))).toHaveLength(4);
  });

  it.each([
    ['abc', 1],
    ['abcde', 1],
    ['abcde', 200],
    ['abcdefghij', 1],
  ])('convicts one with the profile wan within a minute: %s, %i ms each way', (names, delayMs) => {
    const detector = { kind: 'swim', profile: 'wan' };
    const cluster = new VirtualCluster({ detector, downing: { strategy: 'manual' } });
    const nodes = cluster.formed(names);
    cluster.rule(() => ({ delayMs }));
    cluster.run(60_000);
    const [a, ...rest] = nodes as [VirtualNode, ...VirtualNode[]];
    a.kill({ silently: true });
    // A nack that came after the probe would make everybody unwell, and unwell accusers confirm nothing.
    cluster.until(() => rest.every((node) => node.reachabilityOf(a) === 'unreachable'), 60_000);
  });

  it('has it downed and removed as ever, and lets its next run in', () => {
    const { cluster, nodes } = five({ downing: { stableAfter: '5s' } });
    const [, b, ...others] = nodes;
    const rest = [nodes[0], ...others];
    b.kill({ silently: true });
    cluster.until(() => rest.every((node) => board(node) === 'a up, c up, d up, e up'), 60_000);
    const again = cluster.start('B', { at: 'b' });
    cluster.until(() => cluster.isSettled([...rest, again]), 10_000);
    cluster.run(30_000);
    expect(cluster.isSettled([...rest, again])).toBe(true);
  });

  it('takes back what it holds when the member objects: a split that heals is whole again', () => {
    const { cluster, nodes } = five();
    const [a, b, c, d, e] = nodes;
    cluster.split([a, b], [c, d, e]);
    cluster.until(
      () => board(c) === 'a up unreachable, b up unreachable, c up, d up, e up',
      60_000,
    );
    cluster.run(60_000);
    cluster.heal();
    cluster.until(() => cluster.isSettled(nodes), 30_000);
  });

  it('is not misled by one broken link', () => {
    const { cluster, nodes } = five();
    const [a, b] = nodes;
    cluster.split([a], [b]);
    cluster.run(60_000);
    for (const node of nodes) expect(board(node)).toBe('a up, b up, c up, d up, e up');
  });

  it('convicts nobody on waking after ten seconds', () => {
    const { cluster, nodes } = five();
    const [a] = nodes;
    a.pause();
    cluster.run(10_000);
    a.resume();
    cluster.run(60_000);
    // What it hears of itself is the word of others.
    const accused = nodes.flatMap((node) => node.told('memberUnreachable'));
    expect(accused.filter(({ member }) => member.node !== a.key)).toEqual([]);
    expect(cluster.isSettled(nodes)).toBe(true);
  });

  it('links members that are no neighbours for as long as it has something to say to them', () => {
    const settings = { heartbeat: { rings: 1 }, limits: { idleLink: '5s' } };
    const cluster = new VirtualCluster({ detector: { kind: 'swim' }, ...settings });
    const nodes = cluster.formed('abcdefghijkl');
    cluster.run(60_000);
    expect(cluster.isSettled(nodes)).toBe(true);
    const [a] = nodes as [VirtualNode];
    const pinged = new Set(
      a.sent.flatMap(({ to, message }) => (message.kind === 'swim' ? [to] : [])),
    );
    expect(pinged.size).toBe(11);
  });

  it('forgets who has left: nobody is pinged who is no member any more', () => {
    const { cluster, nodes } = five();
    const [a, ...rest] = nodes;
    a.leave();
    cluster.until(() => !a.isRunning, 20_000);
    cluster.run(1_000);
    const before = rest.map((node) => node.sent.length);
    cluster.run(30_000);
    const after = rest.flatMap((node, i) => node.sent.slice(before[i]));
    expect(after.filter(({ to }) => to === 'a')).toEqual([]);
  });

  it('lets a node that nobody answers end in time: its own fate goes by what it hears', () => {
    const { cluster, nodes } = five({ downing: { stableAfter: '5s' } });
    const [a, ...rest] = nodes;
    cluster.split([a], rest);
    expect(cluster.until(() => !a.isRunning, 20_000)).toBeGreaterThan(8_000);
    expect(a.ending?.reason).toBe('minority');
  });

  it('leads past broken links: one that is cut from its neighbours alone still hears all news', () => {
    const settings = { heartbeat: { rings: 1 }, downing: { strategy: 'manual' } };
    const cluster = new VirtualCluster({ detector: { kind: 'swim' }, ...settings });
    const nodes = cluster.formed('abcdefghijkl');
    cluster.run(20_000);
    const [a] = nodes as [VirtualNode];
    const observed = a.machine.links(cluster.nowMs).map(({ subject }) => subject);
    cluster.split(
      [a],
      nodes.filter(({ key }) => observed.includes(key)),
    );
    cluster.run(15_000);
    const joiner = cluster.start('m', { seeds: ['ws://f:7000', 'ws://g:7000'] });
    expect(cluster.until(() => a.statusOf(joiner) === 'up', 5_000)).toBeLessThan(2_500);
  });

  it('holds nobody for gone whose address another process had for a moment', () => {
    const { cluster, nodes } = five();
    const [a, b, c, d, e] = nodes;
    cluster.split([e], [a, b, c, d]);
    for (const node of [a, b, c, d]) e.disconnect(node);
    cluster.run(100);
    const other = cluster.start('y', {
      at: 'e',
      seeds: [a, b, c, d].map(({ address }) => address),
    });
    cluster.run(1_000);
    other.kill();
    cluster.heal();
    cluster.until(
      () => [a, b, c, d].every((node) => node.reachabilityOf(e) === 'reachable'),
      60_000,
    );
  });

  it('hears nobody say that a member has left, and no incarnation that nobody can have', () => {
    const { cluster, nodes } = five();
    const [a, b, c, d, e] = nodes;
    const say = (status: 'left' | 'suspect', incarnation: number) =>
      a.take({
        kind: 'received',
        from: b.key,
        message: {
          kind: 'swim',
          packet: 'gossip',
          seq: 0,
          target: undefined,
          updates: [{ status, subject: e.key, incarnation, from: b.key, unwell: false }],
        },
      });
    say('left', 5);
    say('suspect', 0xffff_ffff);
    cluster.run(60_000);
    e.kill({ silently: true });
    cluster.until(
      () => [a, b, c, d].every((node) => node.reachabilityOf(e) === 'unreachable'),
      60_000,
    );
  });

  it('has to be everybody’s choice: a member that answers no pings would be held dead', () => {
    const { cluster } = five();
    const stranger = cluster.start('x', { settings: { detector: { kind: 'phi-normal' } } });
    cluster.until(() => stranger.ending !== undefined, 70_000);
    expect(stranger.ending).toMatchObject({ reason: 'refused' });
    expect(stranger.ending?.message).toContain('detector.kind');
  });
});

describe('without swim', () => {
  it('its packets are heard by nobody', () => {
    const cluster = new VirtualCluster();
    const [a, b] = cluster.formed('ab') as [VirtualNode, VirtualNode];
    const before = b.sent.length;
    b.take({
      kind: 'received',
      from: a.key,
      message: { kind: 'swim', packet: 'ping', seq: 1, target: undefined, updates: [] },
    });
    expect(b.sent).toHaveLength(before);
  });
});
