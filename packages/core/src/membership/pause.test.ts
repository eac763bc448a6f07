import { describe, expect, it } from 'vitest';
import { board, VirtualCluster } from './virtual-cluster.testing.js';
import type { VirtualNode } from './virtual-node.testing.js';

const ALL = 'a up, b up, c up, d up, e up';

function five(settings: Record<string, unknown> = {}) {
  const cluster = new VirtualCluster({ downing: { stableAfter: '5s' }, ...settings });
  const [a, b, c, d, e] = cluster.formed('abcde');
  cluster.run(15_000);
  const all = [a, b, c, d, e] as [VirtualNode, VirtualNode, VirtualNode, VirtualNode, VirtualNode];
  return { cluster, all, sleeper: all[2], others: all.filter((node) => node !== all[2]) };
}
/** What it last said of itself to anybody. */
const unwellOf = (node: VirtualNode) =>
  node
    .said('patch')
    .flatMap(({ patch }) => patch.put.filter(({ key }) => key === node.key))
    .at(-1)?.row?.unwell;
const accusations = (nodes: readonly VirtualNode[]) =>
  nodes.flatMap((node) => [
    ...node
      .told('memberSuspected')
      .map(({ member }) => `${node.name}: ${member.address} suspected`),
    ...node
      .told('memberUnreachable')
      .map(({ member }) => `${node.name}: ${member.address} unreachable`),
  ]);

describe('a process that does not run for three seconds', () => {
  it('convicts nobody and is convicted by nobody', () => {
    const { cluster, all, sleeper } = five();
    sleeper.pause();
    cluster.run(3_000);
    sleeper.resume();
    cluster.run(15_000);
    expect(accusations(all)).toEqual([]);
    for (const node of all) expect(board(node)).toBe(ALL);
    expect(all.every(({ state }) => state.convergence)).toBe(true);
  });

  it('learns nothing from what it reads at once on waking', () => {
    const { cluster, sleeper } = five({ downing: { strategy: 'manual' } });
    const gaps = () => sleeper.machine.links(cluster.nowMs).map((link) => link.meanMs);
    for (let i = 0; i < 10; i++) {
      sleeper.pause();
      cluster.run(4_000);
      sleeper.resume();
      cluster.run(8_000);
    }
    expect(Math.min(...gaps())).toBeGreaterThan(980);
    expect(Math.max(...gaps())).toBeLessThan(1_020);
  });

  it('knows it, says for how long, and that what it holds does not count for a while', () => {
    const { cluster, all, sleeper } = five();
    sleeper.pause();
    cluster.run(3_000);
    sleeper.resume();
    const [told] = sleeper.told('localPauseDetected');
    expect(told?.pauseMs).toBeGreaterThan(2_000);
    expect(told?.pauseMs).toBeLessThanOrEqual(3_000);
    expect(all.flatMap((node) => node.told('localPauseDetected'))).toHaveLength(1);
    cluster.run(20);
    expect(unwellOf(sleeper)).toBe(true);
    // Ten clean intervals.
    cluster.run(12_000);
    expect(unwellOf(sleeper)).toBe(false);
    expect(cluster.isSettled(all)).toBe(true);
  });

  it('says that it is not well for as long as it excuses others, also without a score of health', () => {
    const { cluster, sleeper } = five({ localHealth: { scoreMax: 0 } });
    sleeper.pause();
    cluster.run(2_500);
    sleeper.resume();
    cluster.run(1_000);
    expect(unwellOf(sleeper)).toBe(true);
    cluster.run(3_000);
    expect(unwellOf(sleeper)).toBe(false);
  });

  it('reads what has arrived before it says anything itself', () => {
    const { cluster, sleeper } = five();
    sleeper.pause();
    cluster.run(3_000);
    const before = sleeper.said('heartbeat').length;
    sleeper.resume();
    cluster.run(40);
    expect(sleeper.said('heartbeat')).toHaveLength(before);
    cluster.run(20);
    const beats = sleeper.said('heartbeat').slice(before);
    expect(beats).toHaveLength(4);
    // It echoes what was sent while it slept: three each.
    for (const { seq, echo } of beats) expect(echo - seq).toBeGreaterThanOrEqual(1);
  });

  it('that stumbles again and again convicts nobody either', () => {
    const { cluster, all, sleeper } = five();
    for (let i = 0; i < 10; i++) {
      sleeper.pause();
      cluster.run(2_000);
      sleeper.resume();
      cluster.run(1_500);
    }
    cluster.run(10_000);
    expect(accusations(all)).toEqual([]);
  });

  it('again and again still convicts one that crashed meanwhile: the grace of one silence is bounded', () => {
    const { cluster, all, sleeper } = five({ downing: { strategy: 'manual' } });
    const [a] = all;
    a.kill({ silently: true });
    const crashedMs = cluster.nowMs;
    const isConvicted = () =>
      sleeper.machine
        .links(cluster.nowMs)
        .some(({ subject, reachable }) => subject === a.key && !reachable);
    while (!isConvicted() && cluster.nowMs - crashedMs < 60_000) {
      sleeper.pause();
      cluster.run(2_500);
      sleeper.resume();
      cluster.run(500);
    }
    // Trip time, twice the acceptable pause, what is left of the last grace, a pause that is going on, and the worst health.
    expect(cluster.nowMs - crashedMs).toBeLessThan(4_600 + 6_000 + 3_000 + 3_000 + 7 * 3_000);
    expect(cluster.nowMs - crashedMs).toBeGreaterThan(6_000);
  });
});

describe('a process that is a little late', () => {
  it('has not paused', () => {
    const { cluster, sleeper } = five();
    sleeper.pause();
    cluster.run(400);
    sleeper.resume();
    cluster.run(5_000);
    expect(sleeper.told('localPauseDetected')).toEqual([]);
  });
});

describe('a process that does not run for thirty seconds', () => {
  it('is removed by the others, learns it when it wakes, and accuses nobody', () => {
    const { cluster, sleeper, others } = five();
    sleeper.pause();
    cluster.until(() => others.every((node) => board(node) === 'a up, b up, d up, e up'), 12_500);
    cluster.run(18_000);
    const before = sleeper.sent.length;
    sleeper.resume();
    cluster.run(2_000);
    expect(sleeper.ending).toMatchObject({ reason: 'removed' });
    expect(sleeper.ending?.message).toContain('removed by the others: ws://');
    const aboutOthers = accusations([sleeper]).filter((each) => !each.includes('ws://c'));
    expect(aboutOthers).toEqual([]);
    const rows = sleeper.sent.slice(before).filter(({ message }) => message.kind === 'patch');
    for (const { message } of rows)
      if (message.kind === 'patch')
        for (const { row } of message.patch.put) expect(row.unreachable).toEqual([]);
    for (const node of others) expect(board(node)).toBe('a up, b up, d up, e up');
    expect(others.every((node) => node.told('memberRemoved').length === 1)).toBe(true);
  });

  it('accuses nobody when nobody could remove it', () => {
    const { cluster, all, sleeper, others } = five({ downing: { strategy: 'manual' } });
    sleeper.pause();
    cluster.run(30_000);
    for (const node of others) expect(board(node)).toContain('c up unreachable');
    sleeper.resume();
    cluster.until(() => cluster.isSettled(all), 5_000);
    cluster.run(15_000);
    expect(accusations([sleeper]).filter((each) => !each.includes('ws://c'))).toEqual([]);
    expect(cluster.isSettled(all)).toBe(true);
  });
});

describe('everybody paused at once', () => {
  it('accuses nobody: a laptop that was closed', () => {
    const { cluster, all } = five();
    for (const node of all) node.pause();
    cluster.run(3_600_000);
    for (const node of all) node.resume();
    cluster.run(20_000);
    expect(accusations(all)).toEqual([]);
    expect(cluster.isSettled(all)).toBe(true);
  });
});
