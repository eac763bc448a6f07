import { diff, emptyRow, type Member, type NodeKey, Seen } from '@rollcall/convergence';
import { describe, expect, it } from 'vitest';
import { Stage, stateOf, upMember } from './stage.testing.js';
import { board, VirtualCluster } from './virtual-cluster.testing.js';
import type { VirtualNode } from './virtual-node.testing.js';

const A = 'ws://a:7000#00000000000000a1';

describe('a steady cluster', () => {
  it('says one heartbeat to each neighbour in each interval, and nothing else', () => {
    const cluster = new VirtualCluster();
    const nodes = cluster.formed('abcde');
    cluster.run(3_000);
    const before = nodes.map((node) => node.sent.length);
    cluster.run(20_000);
    nodes.forEach((node, i) => {
      const sent = node.sent.slice(before[i]);
      expect(new Set(sent.map(({ message }) => message.kind))).toEqual(new Set(['heartbeat']));
      expect(sent).toHaveLength(4 * 20);
      expect(Math.max(...sent.map(({ bytes }) => bytes))).toBeLessThanOrEqual(60);
    });
  });

  it('says no more to each when it is larger: two neighbours a ring', () => {
    const said = ['abcdef', 'abcdefghijkl'].map((names) => {
      const cluster = new VirtualCluster({ heartbeat: { rings: 1 } });
      const nodes = cluster.formed(names);
      cluster.run(10_000);
      const before = nodes.map((node) => node.said('heartbeat').length);
      cluster.run(10_000);
      return nodes.map((node, i) => node.said('heartbeat').length - (before[i] ?? 0));
    });
    for (const count of said.flat()) expect(count).toBe(20);
  });

  it('does not beat in step', () => {
    const cluster = new VirtualCluster();
    const nodes = cluster.formed('abcde');
    const firsts = new Map<string, number>();
    cluster.rule(({ from, message }) => {
      if (message.kind === 'heartbeat' && !firsts.has(from)) firsts.set(from, cluster.nowMs);
      return 'pass';
    });
    cluster.run(1_000);
    expect(new Set(firsts.values()).size).toBe(nodes.length);
  });

  it('echoes what it heard', () => {
    const cluster = new VirtualCluster();
    const [a, b] = cluster.formed('ab');
    cluster.run(10_000);
    for (const beat of [a?.said('heartbeat').at(-1), b?.said('heartbeat').at(-1)])
      expect((beat?.seq ?? 0) - (beat?.echo ?? 0)).toBeLessThanOrEqual(1);
  });
});

describe('a heartbeat with a number that nobody can have reached', () => {
  it.each([{ indirectProbes: 0 }, { kind: 'swim' }])(
    'deafens nobody to the member it names: %j',
    (detector) => {
      const cluster = new VirtualCluster({ downing: { stableAfter: '5s' }, detector });
      const nodes = cluster.formed('abcd');
      cluster.run(15_000);
      const [a, b, ...others] = nodes as [VirtualNode, VirtualNode, ...VirtualNode[]];
      for (const { key } of [a, ...others]) {
        const { epoch, digest } = b.state;
        const status = { epoch, digest, seen: 'all' as const };
        const seq = Number.MAX_SAFE_INTEGER;
        const message = { kind: 'heartbeat' as const, seq, echo: 0, observes: true, status };
        b.take({ kind: 'received', from: key, message });
      }
      cluster.run(60_000);
      expect(nodes.flatMap((node) => node.told('memberUnreachable'))).toEqual([]);
      expect(cluster.isSettled(nodes)).toBe(true);
      for (const { silenceMs } of b.machine.links(cluster.nowMs))
        expect(silenceMs).toBeLessThan(1_100);
    },
  );
});

describe('a member that does not count this one among its neighbours', () => {
  /** From one that holds another state, and so may have other rings. */
  const beat = (stage: Stage, seq: number, digest = 'f'.repeat(32)) => ({
    kind: 'heartbeat' as const,
    seq,
    echo: 0,
    observes: true,
    status: { epoch: stage.machine.state.epoch, digest, seen: 'all' as const },
  });

  /** Up among twenty on one ring, so that only two of them are neighbours. */
  function among(limits: Record<string, unknown> = {}) {
    const stage = new Stage({ heartbeat: { rings: 1 }, limits }, ['ws://a:7000']);
    const keys = Array.from({ length: 20 }, (_, i): NodeKey => `ws://n${i}:7000#00000000000000b1`);
    const state = stage.enters(stateOf([A, ...keys].map((key) => upMember(key))), A);
    stage.passes(1_000);
    const neighbours = new Set(stage.machine.links(stage.nowMs).map(({ subject }) => subject));
    return { stage, state, neighbours, strangers: keys.filter((key) => !neighbours.has(key)) };
  }
  const listeners = (stage: Stage) =>
    stage.out.flatMap((each) =>
      each.kind === 'send' && each.message.kind === 'heartbeat' ? [each.to] : [],
    );

  it('is a guest while it keeps coming: it is answered at this node’s own pace', () => {
    const { stage, neighbours, strangers } = among();
    const [guest] = strangers as [NodeKey];
    expect(neighbours.size).toBe(2);
    for (let seq = 1; seq <= 4; seq++) {
      stage.hears(guest, beat(stage, seq));
      expect(listeners(stage)).toEqual([]);
      stage.passes(1_000);
      expect(listeners(stage).filter((key) => key === guest)).toHaveLength(1);
    }
    stage.passes(3_000);
    stage.passes(2_000);
    expect(listeners(stage)).not.toContain(guest);
    expect(listeners(stage)).toEqual(expect.arrayContaining([...neighbours]));
  });

  it('is none if it only answers: both would answer for ever', () => {
    const { stage, neighbours, strangers } = among();
    const [stranger = ''] = strangers;
    stage.hears(stranger, { ...beat(stage, 1), observes: false });
    stage.passes(1_000);
    expect(new Set(listeners(stage))).toEqual(neighbours);
  });

  it('is one if it holds this node unreachable: it has to be heard to take that back', () => {
    const { stage, state, neighbours, strangers } = among();
    const [accuser = ''] = strangers;
    const row = { ...emptyRow, version: 1, unreachable: [stage.self] };
    const after = state.with({ ...(state.get(accuser) as Member), row });
    const patch = diff(state, after);
    stage.hears(accuser, { kind: 'patch', patch, seen: Seen.only(after, accuser).bytes });
    expect(stage.machine.state.digest).toBe(after.digest);
    stage.hears(accuser, beat(stage, 1, after.digest));
    stage.passes(1_000);
    expect(new Set(listeners(stage))).toEqual(new Set([...neighbours, accuser]));
  });

  it('is one of limits.guestLinks guests at most', () => {
    const { stage, neighbours, strangers } = among({ guestLinks: 3 });
    for (const key of strangers) stage.hears(key, beat(stage, 1));
    stage.passes(1_000);
    expect(listeners(stage)).toHaveLength(neighbours.size + 3);
    expect(stage.machine.links(stage.nowMs)).toHaveLength(2);
  });
});

describe('the silence of a member', () => {
  const settings = { downing: { strategy: 'manual' } };
  /** Nobody else is asked: each goes by what it hears itself. */
  const alone = { ...settings, detector: { indirectProbes: 0 } };

  it.each([false, true])(
    'after its crash is noticed within the trip time and a second (silent: %s)',
    (silently) => {
      const cluster = new VirtualCluster(settings);
      const nodes = cluster.formed('abcde');
      cluster.run(15_000);
      const [dead, ...rest] = nodes.toReversed() as typeof nodes;
      dead?.kill({ silently });
      const isSeen = () =>
        rest.every((node) => dead && node.reachabilityOf(dead) === 'unreachable');
      expect(cluster.until(isSeen, 5_600)).toBeGreaterThan(3_000);
      expect(rest.map((node) => node.state.convergence)).toEqual([false, false, false, false]);
      const [told] = rest[0]?.told('memberUnreachable') ?? [];
      expect(told?.member.observedBy).toHaveLength(2);
    },
  );

  it('is noticed although it was never heard at all', () => {
    const cluster = new VirtualCluster(settings);
    const nodes = cluster.formed('abc');
    cluster.rule(({ from, message }) =>
      from === 'd' && ['heartbeat', 'probed'].includes(message.kind) ? 'drop' : 'pass',
    );
    const mute = cluster.start('d');
    const isSeen = () => nodes.every((node) => node.reachabilityOf(mute) === 'unreachable');
    expect(cluster.until(isSeen, 7_000)).toBeGreaterThan(4_000);
  });

  it('on one link alone makes it suspected, and convicts nobody', () => {
    const cluster = new VirtualCluster(alone);
    const nodes = cluster.formed('abcde');
    const [a, b] = nodes;
    if (a === undefined || b === undefined) return;
    cluster.split([a], [b]);
    cluster.run(10_000);
    for (const node of nodes)
      expect(board(node)).toBe('a up suspected, b up suspected, c up, d up, e up');
    expect(nodes.every(({ state }) => state.convergence)).toBe(true);
    cluster.heal();
    cluster.run(3_000);
    for (const node of nodes) expect(board(node)).toBe('a up, b up, c up, d up, e up');
    expect(a.told('memberUnreachable')).toEqual([]);
    expect(a.told('memberReachable')).toHaveLength(2);
  });

  it('counts by the word of one where the cluster is set so', () => {
    const cluster = new VirtualCluster({ ...alone, agreement: { observers: 1 } });
    const [a, b, c] = cluster.formed('abc');
    if (a === undefined || b === undefined) return;
    cluster.split([a], [b]);
    cluster.until(
      () => c !== undefined && board(c) === 'a up unreachable, b up unreachable, c up',
      7_000,
    );
  });

  it('one way is noticed at both ends within two intervals of a silence both ways', () => {
    const secondsUntilBoth = (isBothWays: boolean) => {
      const cluster = new VirtualCluster(alone);
      const nodes = cluster.formed('abcd');
      const [a, b] = nodes;
      if (a === undefined || b === undefined) throw new Error('four were asked for');
      cluster.run(15_000);
      cluster.cut(a, b);
      if (isBothWays) cluster.cut(b, a);
      return cluster.until(
        () => a.reachabilityOf(b) === 'suspected' && b.reachabilityOf(a) === 'suspected',
        9_000,
      );
    };
    expect(secondsUntilBoth(false) - secondsUntilBoth(true)).toBeLessThanOrEqual(2_000);
  });

  it('costs it the link, so that a new one is dialled', () => {
    const stage = new Stage({}, ['ws://a:7000']);
    stage.enters(stateOf([upMember(A)]), A);
    const drops = () => stage.out.filter((each) => each.kind === 'drop');
    stage.passes(4_000);
    expect(drops()).toEqual([]);
    stage.passes(3_000);
    expect(drops()).toEqual([{ kind: 'drop', peer: A, reason: 'silent' }]);
  });

  it('ends with the first sign of life', () => {
    const cluster = new VirtualCluster(settings);
    const nodes = cluster.formed('abc');
    const [a, b, c] = nodes;
    if (a === undefined || b === undefined || c === undefined) return;
    cluster.split([a, b], [c]);
    cluster.until(() => a.reachabilityOf(c) === 'unreachable', 7_000);
    cluster.heal();
    expect(cluster.until(() => cluster.isSettled(nodes), 3_000)).toBeGreaterThan(0);
  });
});

describe('the links a node observes', () => {
  it('are shown as evidence: phi, silence, and what was learnt of the gaps', () => {
    const cluster = new VirtualCluster({ downing: { strategy: 'manual' } });
    const [a, b] = cluster.formed('abc');
    if (a === undefined || b === undefined) return;
    cluster.run(20_000);
    const linkTo = () => a.machine.links(cluster.nowMs).find(({ subject }) => subject === b.key);
    expect(linkTo()).toMatchObject({ observer: a.key, connected: true, reachable: true });
    expect(linkTo()?.meanMs).toBeCloseTo(1_000, -1);
    expect(linkTo()?.silenceMs).toBeLessThanOrEqual(1_000);
    b.kill();
    cluster.run(10_000);
    expect(linkTo()).toMatchObject({ connected: false, reachable: false });
    expect(linkTo()?.phi).toBeGreaterThan(8);
    expect(a.machine.suspicion(b.key, cluster.nowMs)).toBe(linkTo()?.phi);
    expect(a.machine.suspicion(a.key, cluster.nowMs)).toBeUndefined();
  });

  it('show no silence of one that was never heard', () => {
    const stage = new Stage({}, ['ws://a:7000']);
    stage.enters(stateOf([upMember(A)]), A);
    expect(stage.machine.links(stage.nowMs)).toMatchObject([{ silenceMs: undefined, samples: 2 }]);
  });
});
