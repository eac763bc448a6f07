import { describe, expect } from 'vitest';
import { type Herd, LONG, type NodeRun, test } from './herd.testing.js';
import { isUnreachable, viewsOf } from './sight.testing.js';
import { BOUNDS, until } from './until.testing.js';

type Five = [NodeRun, NodeRun, NodeRun, NodeRun, NodeRun];

async function five(herd: Herd): Promise<Five> {
  const all = herd.startAll(await herd.places(5)) as unknown as Five;
  await herd.formed(all);
  return all;
}

/** They get SIGTERM together: exit code 0 for each, and the rest are a cluster without them. */
async function leave(herd: Herd, leavers: readonly NodeRun[], rest: readonly NodeRun[]) {
  const uids = await Promise.all(leavers.map((node) => node.uid()));
  for (const node of leavers) node.signal('SIGTERM');
  const exits = leavers.map((node) => herd.exitOf(node, BOUNDS.left));
  if (rest.length > 0) await herd.formed(rest, BOUNDS.left);
  expect(await Promise.all(exits)).toEqual(leavers.map(() => 0));
  for (const node of leavers) {
    expect(node.log.at(-1)).toMatchObject({ event: 'ended', reason: 'left', exitCode: 0 });
  }
  for (const witness of rest) {
    const removed = witness.log.filter(({ event }) => event === 'memberRemoved');
    const ours = removed.filter(({ uid }) => uids.includes(uid ?? ''));
    expect(ours.map(({ uid }) => uid).sort()).toEqual(uids.sort());
  }
}

/** Nobody was missed by anybody. */
function expectPeace(nodes: readonly NodeRun[]): void {
  for (const event of ['memberUnreachable', 'memberDowned', 'downingDecided'])
    expect(nodes.filter((node) => node.told(event)).map(({ title }) => title)).toEqual([]);
}

describe.concurrent('who is told to go by SIGTERM', LONG, () => {
  test('leaves, alone or three at once, without being missed', async ({ herd }) => {
    const [a, b, c, d, e] = await five(herd);
    await leave(herd, [c], [a, b, d, e]);
    await leave(herd, [a, d, e], [b]);
    b.signal('SIGTERM');
    expect(await herd.exitOf(b, BOUNDS.left)).toBe(0);
    expectPeace([a, b, c, d, e]);
  });

  test('leaves with all the others at once', async ({ herd }) => {
    const all = await five(herd);
    await leave(herd, all, []);
    expectPeace(all);
  });

  test('ends at once when told twice', async ({ herd }) => {
    const [a, b] = herd.startAll(await herd.places(2)) as [NodeRun, NodeRun];
    await herd.formed([a, b]);
    // It cannot agree on anything with one that is stopped.
    b.signal('SIGSTOP');
    a.signal('SIGTERM');
    await until('it begins to leave', BOUNDS.soon, () => a.told('memberLeft'), Boolean);
    expect(a.ended).toBeUndefined();
    a.signal('SIGTERM');
    expect(await herd.exitOf(a, BOUNDS.soon)).toBe(1);
    expect(a.log.at(-1)).toMatchObject({ event: 'signal', exitCode: 1 });
  });

  test('leaves within leave.timeout although one is unreachable, and names it', async ({
    herd,
  }) => {
    const set = ['downing.strategy=manual', 'leave.timeout=4s'];
    const [a, b, c] = herd.startAll(await herd.places(3), { set }) as [NodeRun, NodeRun, NodeRun];
    await herd.formed([a, b, c]);
    const [uidB, uidC] = [await b.uid(), await c.uid()];
    c.signal('SIGKILL');
    await herd.see('c is unreachable', BOUNDS.unreachable, [a, b], (sight) =>
      isUnreachable(sight, uidC),
    );
    b.signal('SIGTERM');
    expect(await herd.exitOf(b, 4_000 * 4)).toBe(0);
    const warning = b.log.find(({ msg }) => msg.startsWith('leaving without agreement'));
    expect(warning).toMatchObject({ level: 40 });
    expect(warning?.msg).toContain(`${c.place.address}#${uidC} is unreachable`);
    // The way out for the one that stays: an operator says that c is gone.
    await herd.see('b has left', BOUNDS.soon, [a], (sight) =>
      viewsOf(sight, uidB).every((view) => view === undefined || view.status === 'Exiting'),
    );
    const down = await herd.command('down', c.place.address, '--management', a.place.management);
    expect([down.ended, down.out]).toEqual([0, `Downing ${c.place.address}\n`]);
    await herd.formed([a], BOUNDS.soon);
  });
});
