import type { Member, NodeKey } from '@rollcall/convergence';
import { describe, expect, it } from 'vitest';
import { Stage, told } from './stage.testing.js';
import { VirtualCluster } from './virtual-cluster.testing.js';

const K = 'ws://k:7000#0000000000000002';
const joiner = (number: number): NodeKey => `ws://j${number}:7000#1`;
const join = { kind: 'join', roles: [], appVersion: '1' } as const;

/** A founder with a second member, which is made to leave and lets nothing be agreed on. */
function busy(settings: Record<string, unknown> = {}) {
  const stage = new Stage(settings).founds();
  const state = stage.admits(K);
  stage.step({ kind: 'askToLeave', subject: K, ticket: 1 });
  const leaving = state.with({ ...(state.get(K) as Member), status: 'Leaving' });
  return { stage, leaving };
}

const asks = (stage: Stage, ...numbers: readonly number[]) =>
  numbers.map((number) => {
    stage.hears(joiner(number), join);
    return stage.out.find((each) => each.kind === 'send')?.message.kind;
  });

describe('while a change is on its way', () => {
  it('joiners wait until it is agreed', () => {
    const { stage, leaving } = busy();
    expect(asks(stage, 1, 2)).toEqual([undefined, undefined]);
    stage.hears(K, told(null, leaving, K));
    expect(stage.statusOf(K)).toBe('exiting');
    expect(stage.sent('welcome')).toHaveLength(2);
    expect(asks(stage, 3)).toEqual(['welcome']);
  });

  it('joiners wait for join.batchMax at most', () => {
    const { stage } = busy();
    asks(stage, 1);
    stage.passes(1_000);
    asks(stage, 2);
    stage.passes(999);
    expect(stage.sent('welcome')).toEqual([]);
    stage.passes(1);
    expect(stage.sent('welcome', joiner(1))).toHaveLength(1);
    expect(stage.sent('welcome', joiner(2))).toHaveLength(1);
  });

  it('a joiner that asks again does not wait twice', () => {
    const { stage } = busy();
    asks(stage, 1, 1, 1);
    stage.passes(2_000);
    expect(stage.sent('welcome')).toHaveLength(1);
  });

  it('a joiner whose address was taken while it waited is told to ask again', () => {
    const { stage } = busy();
    const later = 'ws://j1:7000#2';
    asks(stage, 1);
    stage.hears(later, join);
    stage.passes(2_000);
    expect(stage.sent('welcome')).toHaveLength(2);
  });

  it('no more than limits.joins wait', () => {
    const { stage } = busy({ limits: { joins: 3 } });
    expect(asks(stage, 1, 2, 3, 4)).toEqual([undefined, undefined, undefined, 'joinRetry']);
  });
});

describe('members that are joining', () => {
  const joining = () => {
    const cluster = new VirtualCluster();
    const [a, b] = cluster.formed('ab');
    if (a === undefined || b === undefined) throw new Error('two were asked for');
    // The second member sees nothing of what follows, so nothing can be agreed on.
    cluster.cut(a, b);
    cluster.start('c');
    cluster.until(() => board(a).includes('c joining'), 1_000);
    return { cluster, a };
  };
  const board = ({
    state,
  }: {
    state: { members: readonly { address: string; status: string }[] };
  }) => state.members.map(({ address, status }) => `${address.slice(5, -5)} ${status}`).join(', ');

  it('are joined by others within join.batchWindow', () => {
    const { cluster, a } = joining();
    cluster.run(100);
    cluster.start('d', { seeds: ['ws://a:7000'] });
    cluster.until(() => board(a).includes('d joining'), 50);
  });

  it('hold back those who come later, until it is agreed that they are up', () => {
    const { cluster, a } = joining();
    cluster.run(300);
    cluster.start('d', { seeds: ['ws://a:7000'] });
    cluster.run(1_500);
    expect(board(a)).not.toContain('d');
    cluster.heal();
    cluster.until(() => board(a) === 'a up, b up, c up, d up', 1_000);
  });
});

describe('an acceptor', () => {
  it('serves limits.joins at once, and sends the rest elsewhere until time has passed', () => {
    const stage = new Stage({ limits: { joins: 3 } }).founds();
    expect(asks(stage, 1, 2, 3, 4)).toEqual(['welcome', 'welcome', 'welcome', 'joinRetry']);
    stage.passes(6_000);
    expect(asks(stage, 5)).toEqual(['joinRetry']);
    stage.passes(1);
    expect(asks(stage, 5)).toEqual(['welcome']);
  });
});

describe('a crowd', () => {
  it('of 25 that come at once is up everywhere in under three seconds', () => {
    const cluster = new VirtualCluster();
    const [first] = cluster.formed('a');
    const names = Array.from({ length: 25 }, (_, i) => `n${i}`);
    const nodes = [first as NonNullable<typeof first>, ...names.map((name) => cluster.start(name))];
    expect(cluster.until(() => cluster.isSettled(nodes), 3_000)).toBeLessThan(3_000);
    const ages = new Set(first?.state.members.map(({ age }) => age));
    expect(ages.size).toBeLessThanOrEqual(8);
  });

  it('that keeps coming starves nobody', () => {
    const cluster = new VirtualCluster();
    const nodes = cluster.formed('abc');
    for (let i = 0; i < 12; i++) {
      nodes.push(cluster.start(`n${i}`));
      cluster.run(150);
    }
    cluster.until(() => cluster.isSettled(nodes), 5_000);
    const waits = nodes.map(({ startMs, upMs }) => upMs - startMs);
    expect(Math.max(...waits)).toBeLessThan(2_500);
  });
});
