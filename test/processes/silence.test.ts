import { describe, expect } from 'vitest';
import { type Herd, LONG, type NodeRun, test } from './herd.testing.js';
import {
  fewestHeard,
  isOneCluster,
  isUnreachable,
  type Sight,
  show,
  viewsOf,
} from './sight.testing.js';
import { BOUNDS, elapsed, until } from './until.testing.js';

const QUICK = { set: ['downing.stableAfter=5s'] };
/** By then a detector knows the rhythm of its link. */
const WARM_HEARTBEATS = 10;

/** Five that know each other well, and the uid of the third. */
async function warmFive(herd: Herd) {
  const all = herd.startAll(await herd.places(5), QUICK);
  await herd.formed(all);
  const [, , third] = all as [NodeRun, NodeRun, NodeRun];
  const others = all.filter((node) => node !== third);
  const uid = await third.uid();
  await until(
    `${WARM_HEARTBEATS} heartbeats on each link`,
    BOUNDS.warm,
    () => fewestHeard(others, uid),
    (heard) => heard >= WARM_HEARTBEATS,
  );
  return { all, third, others, uid };
}

const isGone = (sight: Sight, uid: string): boolean =>
  isOneCluster(sight) && viewsOf(sight, uid).every((view) => view === undefined);

/** Whom a node ever held suspected or unreachable, and who said so. */
const accusations = (node: NodeRun) =>
  node.log.filter(({ event }) => event === 'memberSuspected' || event === 'memberUnreachable');

const removals = (node: NodeRun) =>
  node.log.flatMap(({ event, uid }) => (event === 'memberRemoved' ? [uid] : []));

describe.concurrent('a process that is', LONG, () => {
  test('killed is unreachable for all others, then removed by them', async ({ herd }) => {
    const { third, others, uid } = await warmFive(herd);
    third.signal('SIGKILL');
    const told = await herd.see('it is unreachable for all', BOUNDS.unreachable, others, (sight) =>
      isUnreachable(sight, uid),
    );
    expect(viewsOf(told, uid).map((view) => view?.status)).toEqual(others.map(() => 'Up'));
    await herd.see('it is removed', BOUNDS.removed, others, (sight) => isGone(sight, uid));
    for (const node of others) {
      expect(removals(node)).toEqual([uid]);
      const accused = node.log.filter(({ event }) => event === 'memberUnreachable');
      expect(new Set(accused.map((line) => line.uid))).toEqual(new Set([uid]));
      // One observer alone does not make it so.
      expect(accused[0]?.observedBy?.length).toBeGreaterThanOrEqual(2);
      expect(node.ended).toBeUndefined();
    }
  });

  test('stopped for 3 s is convicted by nobody, and convicts nobody', async ({ herd }) => {
    const { all, third, others, uid } = await warmFive(herd);
    const before = (await herd.formed(all)).map(({ answer }) => answer?.epoch);
    third.signal('SIGSTOP');
    await elapsed(3_000);
    third.signal('SIGCONT');
    const notes = () => third.told('localPauseDetected');
    await until('it notices its pause', BOUNDS.soon, notes, Boolean);
    const heard = await fewestHeard(others, uid);
    await until(
      'it is heard again by all',
      BOUNDS.warm,
      () => fewestHeard(others, uid),
      (now) => now >= heard + 3,
    );
    const sight = await herd.formed(all);
    expect(sight.map(({ answer }) => answer?.epoch)).toEqual(before);
    for (const node of all) {
      expect(accusations(node).filter(({ event }) => event === 'memberUnreachable')).toEqual([]);
      const byThird = accusations(node).filter(({ observedBy }) =>
        observedBy?.some((by) => by.endsWith(uid)),
      );
      expect(byThird).toEqual([]);
    }
  });

  test('stopped for 30 s is removed, and learns it when it goes on', async ({ herd }) => {
    const all = herd.startAll(await herd.places(4), QUICK);
    await herd.formed(all);
    const [, , third] = all as [NodeRun, NodeRun, NodeRun];
    const others = all.filter((node) => node !== third);
    const uid = await third.uid();
    third.signal('SIGSTOP');
    const stopped = elapsed(30_000);
    const bound = BOUNDS.unreachable + BOUNDS.removed;
    await herd.see('it is removed', bound, others, (sight) => isGone(sight, uid));
    const epoch = (await others[0]?.members())?.epoch;
    await stopped;
    third.signal('SIGCONT');
    expect(await herd.exitOf(third, BOUNDS.soon)).toBe(3);
    expect(third.log.at(-1)).toMatchObject({ event: 'ended', reason: 'removed', exitCode: 3 });
    // What it reads when it wakes is what others say of it; of them it says nothing.
    expect(accusations(third).filter((line) => line.uid !== uid)).toEqual([]);
    const after = await herd.formed(others);
    expect(after.map(({ answer }) => answer?.epoch)).toEqual(others.map(() => epoch));
    for (const node of others) {
      expect(new Set(accusations(node).map((line) => line.uid))).toEqual(new Set([uid]));
      expect(removals(node)).toEqual([uid]);
    }
  });

  test('killed and started again is Up under a new uid, and the old one never back', async ({
    herd,
  }) => {
    // Downing would take 20 s: the new run makes room for itself.
    let nodes = herd.startAll(await herd.places(3));
    await herd.formed(nodes);
    const old: string[] = [];
    // The first seed too, twice.
    for (const which of [0, 2, 0]) {
      const victim = nodes[which] as NodeRun;
      old.push(await victim.uid());
      victim.signal('SIGKILL');
      await elapsed(1_000);
      const again = herd.restart(victim);
      nodes = nodes.map((node) => (node === victim ? again : node));
      await herd.formed(nodes);
    }
    const witness = nodes[1] as NodeRun;
    expect(removals(witness)).toEqual(old);
    for (const uid of old) {
      const life = witness.log.filter((line) => line.uid === uid).map(({ event }) => event);
      expect(life.at(-1)).toBe('memberRemoved');
    }
    const sight = await herd.formed(nodes);
    expect(old.flatMap((uid) => viewsOf(sight, uid)).filter(Boolean), show(sight)).toEqual([]);
  });
});
