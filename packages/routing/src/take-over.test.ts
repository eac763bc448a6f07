import type { ClusterError, ClusterEvent, Member } from '@rollcall/core';
import { describe, expect, it } from 'vitest';
import { FakeCluster, key, member, settled } from './fake-cluster.testing.js';
import type { Former, Move } from './moves.js';
import { type TakeOverOptions, takeOver } from './take-over.js';

const move = (former: Former, atMs = 0): Move => ({
  key: 'a',
  from: former === 'none' ? undefined : key(2),
  to: key(1),
  former,
  atMs,
});
const MARGIN_MS = 15_000 + 3_000 + 1_000;

/** What it came to and when. */
async function waited(
  cluster: FakeCluster,
  former: Former,
  options: TakeOverOptions,
  script: () => void | Promise<void>,
) {
  const said: unknown[] = [];
  const note = (what: unknown) => said.push(what, cluster.clock.nowMs());
  const done = takeOver(cluster, move(former), options).then(note, (error: unknown) =>
    note((error as ClusterError).code),
  );
  await script();
  await settled();
  await Promise.race([done, settled()]);
  return said;
}

function removes(cluster: FakeCluster, last: Member): void {
  const { state } = cluster;
  const gone: Member = { ...last, status: 'removed' };
  const event: ClusterEvent = {
    type: 'memberRemoved',
    member: gone,
    previous: last,
    why: '',
    state,
  };
  cluster.events$.next(event);
}

/** Time in small steps, so that what was promised comes true at its moment. */
async function passes(cluster: FakeCluster, ms: number): Promise<void> {
  for (let left = ms; left > 0; left -= 500) {
    cluster.clock.advance(Math.min(left, 500));
    await settled();
  }
}

const two = () => new FakeCluster(member(1), member(2));

describe('taking over a key', () => {
  it('waits for nothing where nobody had it, or its owner left by itself', async () => {
    expect(await waited(two(), 'none', {}, () => {})).toEqual(['unowned', 0]);
    expect(await waited(two(), 'left', {}, () => {})).toEqual(['left', 0]);
  });

  it('waits for the hand-over of an owner that is there', async () => {
    const cluster = two();
    let handOver = () => {};
    const handedOver = new Promise<void>((resolve) => {
      handOver = resolve;
    });
    const said = await waited(cluster, 'there', { handedOver }, async () => {
      await passes(cluster, 2_000);
      handOver();
    });
    expect(said).toEqual(['handOver', 2_000]);
    expect([cluster.clock.pending, cluster.events$.observed, cluster.states.observed]).toEqual([
      0,
      false,
      false,
    ]);
  });

  it('waits no longer than handOverMs; a refusal is no hand-over', async () => {
    const cluster = two();
    const options = { handedOver: Promise.reject(new Error('busy')), handOverMs: 3_000 };
    const said = await waited(cluster, 'there', options, () => passes(cluster, 4_000));
    expect(said).toEqual(['handOverTimedOut', 3_000]);
  });

  it('waits out the removal margin of an owner that others removed, from the moment of the move', async () => {
    const cluster = two();
    const said = await waited(cluster, 'removed', {}, () => passes(cluster, MARGIN_MS + 1_000));
    expect(said).toEqual(['removalMargin', MARGIN_MS]);
    cluster.clock.advance(1);
    const late = takeOver(cluster, move('removed', 0));
    cluster.clock.advance(0);
    expect(await late).toBe('removalMargin');
  });

  it('turns to the margin when the owner is removed while its hand-over is waited for', async () => {
    const cluster = two();
    const down = member(2, { status: 'down' });
    const said = await waited(cluster, 'there', { removalMarginMs: 5_000 }, async () => {
      await passes(cluster, 1_000);
      removes(cluster, member(3, { status: 'down' }));
      removes(cluster, down);
      await passes(cluster, 20_000);
    });
    expect(said).toEqual(['removalMargin', 6_000]);
    const left = await waited(cluster, 'there', {}, () =>
      removes(cluster, member(2, { status: 'exiting' })),
    );
    expect(left[0]).toBe('left');
  });

  it('waits out the margin of one that was removed before it is called', async () => {
    const cluster = new FakeCluster(member(1));
    const said = await waited(cluster, 'there', {}, () => passes(cluster, MARGIN_MS + 1_000));
    expect(said).toEqual(['removalMargin', MARGIN_MS]);
  });

  it('waits out the margin though nobody had it meanwhile', async () => {
    const cluster = two();
    cluster.clock.advance(2_000);
    const done = takeOver(cluster, { ...move('none', 2_000), removedAtMs: 1_000 });
    await passes(cluster, MARGIN_MS - 1_001);
    expect(cluster.clock.pending).toBe(1);
    cluster.clock.advance(1);
    expect(await done).toBe('removalMargin');
  });

  it('waits for what an owner that left was waiting for itself', async () => {
    const cluster = two();
    cluster.clock.advance(4_000);
    const left = { ...move('left', 4_000), removedAtMs: 1_000 };
    const done = takeOver(cluster, left);
    await passes(cluster, MARGIN_MS - 3_001);
    expect(cluster.clock.pending).toBe(1);
    cluster.clock.advance(1);
    expect(await done).toBe('removalMargin');
    expect(cluster.clock.nowMs()).toBe(1_000 + MARGIN_MS);
  });

  it('ends when it is given up, and when this node stops', async () => {
    const cluster = two();
    const controller = new AbortController();
    const given = { signal: controller.signal };
    expect(await waited(cluster, 'there', given, () => controller.abort())).toEqual(['aborted', 0]);
    expect(await waited(cluster, 'removed', given, () => {})).toEqual(['aborted', 0]);
    expect(await waited(cluster, 'removed', {}, () => cluster.stops())).toEqual(['stopped', 0]);
    expect(await waited(cluster, 'there', {}, () => {})).toEqual(['stopped', 0]);
    expect(cluster.clock.pending).toBe(0);
  });

  it.each([
    [{ handedOver: true }, 'handedOver takes a promise'],
    [{ removalMarginMs: -1 }, 'removalMarginMs takes a number of milliseconds from 0'],
    [{ handover: 1 }, 'the nearest is handedOver'],
  ])('refuses %o', (given, said) => {
    expect(() => takeOver(two(), move('there'), given as never)).toThrow(said);
  });
});
