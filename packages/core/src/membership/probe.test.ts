import type { NodeKey } from '@rollcall/convergence';
import { describe, expect, it } from 'vitest';
import { ALL, five } from './five.testing.js';
import { Stage, stateOf, upMember } from './stage.testing.js';
import { board, VirtualCluster } from './virtual-cluster.testing.js';
import type { VirtualNode } from './virtual-node.testing.js';

describe('a broken link', () => {
  it('is shown at both ends, convicts nobody, and is said to be well again when it is', () => {
    const { cluster, nodes, a, b, linkOf } = five();
    cluster.split([a], [b]);
    cluster.run(20_000);
    for (const node of nodes) expect(board(node)).toBe(ALL);
    expect(cluster.isSettled(nodes)).toBe(true);
    expect([linkOf(a, b), linkOf(b, a)]).toMatchObject([
      { reachable: true, broken: true },
      { reachable: true, broken: true },
    ]);
    expect(nodes.flatMap((node) => node.told('memberSuspected'))).toEqual([]);
    cluster.heal();
    cluster.until(() => linkOf(a, b)?.broken === false && linkOf(b, a)?.broken === false, 3_000);
    const said = a.logs.map(({ message }) => message).filter((text) => /link to/.test(text));
    expect(said).toEqual([
      expect.stringMatching(
        /^the link to ws:\/\/b:7000 is broken: .* ws:\/\/[cde]:7000 reaches it$/,
      ),
      'the link to ws://b:7000 works again',
    ]);
  });

  it('hides no crash: who asks for the member hears in time that nobody reaches it any more', () => {
    const { cluster, a, b, linkOf } = five();
    cluster.split([a], [b]);
    cluster.run(20_000);
    b.kill({ silently: true });
    expect(cluster.until(() => linkOf(a, b)?.reachable === false, 5_600)).toBeGreaterThan(1_000);
  });

  it('is led past: one that is cut from all its neighbours, and from no others, still hears all news', () => {
    const settings = { heartbeat: { rings: 1 }, downing: { strategy: 'manual' } };
    const cluster = new VirtualCluster(settings);
    const nodes = cluster.formed('abcdefghijkl');
    cluster.run(15_000);
    const [a] = nodes as [VirtualNode];
    const observed = a.machine.links(cluster.nowMs).map(({ subject }) => subject);
    const neighbours = nodes.filter(({ key }) => observed.includes(key));
    expect(neighbours).toHaveLength(2);
    cluster.split([a], neighbours);
    cluster.run(10_000);
    const joiner = cluster.start('m', { seeds: ['ws://f:7000', 'ws://g:7000'] });
    const all = [...nodes, joiner];
    cluster.until(() => cluster.isSettled(all), 10_000);
    // With nobody to ask `a` took itself for the one that is cut off, for a moment.
    const others = nodes.filter((node) => node !== a);
    expect(others.flatMap((node) => node.told('memberUnreachable'))).toEqual([]);
  });
});

describe('a member that nobody reaches', () => {
  it('is convicted no later for being looked for', () => {
    const untilConvicted = (indirectProbes: number) => {
      const { cluster, nodes, a } = five({ detector: { indirectProbes } });
      a.kill({ silently: true });
      const others = nodes.filter((node) => node !== a);
      return cluster.until(
        () => others.every((node) => node.reachabilityOf(a) === 'unreachable'),
        6_000,
      );
    };
    expect(untilConvicted(3)).toBeLessThanOrEqual(untilConvicted(0) + 100);
  });

  it('is asked itself from half of the silence on, and others only half a second before the verdict', () => {
    const { cluster, nodes, a } = five();
    a.pause();
    cluster.run(6_000);
    for (const node of nodes.slice(1)) {
      const kinds = node.sent
        .map(({ message }) => message.kind)
        .filter((kind) => /^probe/.test(kind));
      // 4.52 s of silence: from 2.26 to 4.02 s, each 150 ms.
      expect(kinds.indexOf('probeFor')).toBe(13);
    }
  });

  it('is looked for by go-betweens, each asked again and again, and each says that it tried', () => {
    const { cluster, nodes, a, b } = five({ detector: { indirectProbes: 2 } });
    a.kill({ silently: true });
    cluster.until(() => b.reachabilityOf(a) === 'unreachable', 6_000);
    const asked = new Set(
      b.sent.filter(({ message }) => message.kind === 'probeFor').map(({ to }) => to),
    );
    // Two at first, and the third when they did not find it in half of the time.
    expect(asked.size).toBe(3);
    const goBetween = nodes.find(
      ({ name }) => name === b.sent.find(({ message }) => message.kind === 'probeFor')?.to,
    );
    const answers = goBetween?.said('probed', b) ?? [];
    expect(answers).toEqual([expect.objectContaining({ subject: a.key, found: false })]);
    // At 0, 150, 250 and 400 ms; its answer left at 400, too.
    expect(b.said('probeFor', goBetween)).toHaveLength(4);
  });
});

describe('a partial partition', () => {
  const each = (names: string) => [...names];
  /** Cuts `one` from `other` for as long as it takes to lose somebody. */
  function parted(
    names: string,
    one: string,
    other: string,
    settings: Record<string, unknown> = {},
  ) {
    const cluster = new VirtualCluster(settings);
    const nodes = cluster.formed(names);
    cluster.run(15_000);
    const pick = (some: string) => nodes.filter(({ name }) => each(some).includes(name));
    cluster.split(pick(one), pick(other));
    return { cluster, nodes, pick };
  }

  it.each([
    ['abcdefghi', 'abcd', 'efgh'],
    ['abcdefghijk', 'abcde', 'fghij'],
    ['abcdefghij', 'abcde', 'j'],
    ['abcdefg', 'd', 'abcf'],
  ])(
    'costs nobody the membership while one reaches both ends: %s, %s from %s',
    (names, one, other) => {
      const { cluster, nodes } = parted(names, one, other);
      cluster.run(120_000);
      expect(nodes.map(({ isRunning }) => isRunning)).toEqual(nodes.map(() => true));
      expect(cluster.isSettled(nodes)).toBe(true);
      cluster.heal();
      cluster.run(5_000);
      expect(cluster.isSettled(nodes)).toBe(true);
    },
  );

  it('is one also when a whole one has healed in part: a verdict that stands is asked about again', () => {
    const { cluster, nodes, pick } = parted('abcde', 'e', 'abcd');
    cluster.run(8_000);
    cluster.heal();
    cluster.split(pick('e'), pick('ab'));
    cluster.until(() => cluster.isSettled(nodes), 40_000);
    cluster.run(120_000);
    expect(cluster.isSettled(nodes)).toBe(true);
  });

  it('costs nobody the membership though whoever reaches both ends stands still again and again', () => {
    const { cluster, nodes, pick } = parted('abcde', 'a', 'b');
    for (let round = 0; round < 12; round++) {
      for (const node of pick('cde')) node.pause();
      cluster.run(2_000);
      for (const node of pick('cde')) node.resume();
      cluster.run(8_000);
    }
    expect(nodes.map(({ isRunning }) => isRunning)).toEqual(nodes.map(() => true));
  });

  it('is found out over a far network as well', () => {
    const { cluster, nodes, pick } = parted('abcde', '', '', { profile: 'wan' });
    cluster.rule(() => ({ delayMs: 150 }));
    cluster.run(60_000);
    cluster.split(pick('e'), pick('ab'));
    cluster.run(120_000);
    expect(nodes.map(({ isRunning }) => isRunning)).toEqual(nodes.map(() => true));
  });
});

describe('a member that is only late', () => {
  it('answers for itself, and nothing is learnt of the time that took', () => {
    const { cluster, nodes, a, b, linkOf } = five();
    const meanMs = linkOf(b, a)?.meanMs;
    cluster.rule(({ from, message }) =>
      from === 'a' && message.kind === 'heartbeat' ? 'drop' : 'pass',
    );
    cluster.run(30_000);
    for (const node of nodes) expect(board(node)).toBe(ALL);
    expect(linkOf(b, a)).toMatchObject({ reachable: true, broken: false, meanMs });
  });
});

describe('a member that is heard', () => {
  it('is never asked, though heartbeats come up to 300 ms late', () => {
    const { cluster, nodes } = five();
    let count = 0;
    cluster.rule(() => ({ delayMs: (++count * 137) % 300 }));
    cluster.run(120_000);
    const sent = nodes.flatMap((node) => node.sent.map(({ message }) => message.kind));
    expect(sent.filter((kind) => /^probe/.test(kind))).toEqual([]);
  });
});

describe('frames that get lost', () => {
  it('are sent again: three of four are too few to hide a member', () => {
    const { cluster, nodes } = five();
    const lost = new Map<string, number>();
    cluster.rule(({ from, to, message }) => {
      if (message.kind === 'heartbeat') return from === 'a' || to === 'a' ? 'drop' : 'pass';
      if (!['probe', 'probed'].includes(message.kind) || to !== 'a') return 'pass';
      const count = lost.get(from) ?? 0;
      lost.set(from, count + 1);
      return count % 4 === 3 ? 'pass' : 'drop';
    });
    cluster.run(20_000);
    for (const node of nodes) expect(board(node)).toBe(ALL);
  });
});

describe('whoever is asked to look for another', () => {
  const A: NodeKey = 'ws://a:7000#00000000000000a1';
  const B: NodeKey = 'ws://b:7000#00000000000000b1';
  const C: NodeKey = 'ws://c:7000#00000000000000c1';
  const ask = (subject: NodeKey, round = 1, withinMs = 500) =>
    ({ kind: 'probeFor', subject, round, withinMs }) as const;

  function among(settings: Record<string, unknown> = {}) {
    const stage = new Stage(settings, ['ws://a:7000']);
    stage.enters(stateOf([A, B, C].map((key) => upMember(key))), A);
    return stage;
  }

  it('links it, asks it, and passes its answer on to all who asked', () => {
    const stage = among();
    stage.hears(A, ask(C, 7));
    stage.hears(B, ask(C, 9));
    stage.links(C);
    const [probe] = stage.sent('probe', C);
    stage.hears(C, { kind: 'probed', subject: C, round: probe?.round ?? -1, found: true });
    expect(stage.sent('probed', A)).toEqual([
      { kind: 'probed', subject: C, round: 7, found: true },
    ]);
    expect(stage.sent('probed', B)).toEqual([
      { kind: 'probed', subject: C, round: 9, found: true },
    ]);
  });

  it('says that it tried before the asker’s time is over', () => {
    const stage = among();
    stage.hears(A, ask(C));
    expect(stage.sent('probed')).toEqual([]);
    stage.passes(399);
    expect(stage.sent('probed')).toEqual([]);
    stage.passes(1);
    expect(stage.sent('probed', A)).toEqual([
      { kind: 'probed', subject: C, round: 1, found: false },
    ]);
  });

  it('takes no longer than it would itself, whatever it is asked for', () => {
    const stage = among();
    stage.hears(A, ask(C, 1, 86_400_000));
    stage.passes(400);
    expect(stage.sent('probed', A)).toHaveLength(1);
  });

  it('takes nobody’s word but the member’s own', () => {
    const stage = among();
    stage.hears(A, ask(C));
    stage.hears(B, { kind: 'probed', subject: C, round: 1, found: true });
    expect(stage.sent('probed')).toEqual([]);
  });

  it('takes no answer to another question for this one', () => {
    const stage = among();
    stage.hears(A, ask(C));
    stage.links(C);
    const [probe] = stage.sent('probe', C);
    stage.hears(C, { kind: 'probed', subject: C, round: (probe?.round ?? 0) - 1, found: true });
    expect(stage.sent('probed')).toEqual([]);
  });

  it('says no at once where it does not know the member, or has enough to look for', () => {
    const stage = among({ limits: { relays: 1 } });
    stage.hears(A, ask('ws://x:7000#00000000000000d1'));
    expect(stage.sent('probed', A)).toMatchObject([{ found: false }]);
    stage.hears(A, ask(B));
    expect(stage.sent('probed')).toEqual([]);
    stage.hears(A, ask(C));
    expect(stage.sent('probed', A)).toMatchObject([{ subject: C, found: false }]);
  });

  it('answers for itself', () => {
    const stage = among();
    stage.hears(A, ask(stage.self));
    expect(stage.sent('probed', A)).toMatchObject([{ subject: stage.self, found: true }]);
  });

  it('does nothing for strangers', () => {
    const stage = among();
    const stranger: NodeKey = 'ws://x:7000#00000000000000d1';
    stage.hears(stranger, ask(C));
    stage.hears(stranger, { kind: 'probe', round: 1 });
    expect(stage.out).toEqual([]);
  });
});
