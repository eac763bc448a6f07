import { describe, expect } from 'vitest';
import { type Herd, LONG, type NodeRun, test } from './herd.testing.js';
import { fewestHeard, isOneCluster, isUnreachable, viewsOf } from './sight.testing.js';
import { BOUNDS, elapsed, until } from './until.testing.js';

async function five(herd: Herd, set: readonly string[]) {
  const all = herd.startAll(await herd.places(5), { set: [...set] });
  await herd.formed(all);
  const third = all[2] as NodeRun;
  const others = all.filter((node) => node !== third);
  const uid = await third.uid();
  return { all, third, others, uid };
}

const accused = ({ log }: NodeRun) =>
  log.flatMap(({ event, uid }) => (event === 'memberUnreachable' ? [uid] : []));

describe.concurrent('a process that is', LONG, () => {
  test('stopped for 1 s is convicted by nobody', async ({ herd }) => {
    const { all, third, others, uid } = await five(herd, []);
    third.signal('SIGSTOP');
    await elapsed(1_000);
    third.signal('SIGCONT');
    const heard = await fewestHeard(others, uid);
    await until(
      'it is heard again by all',
      BOUNDS.warm,
      () => fewestHeard(others, uid),
      (now) => now >= heard + 3,
    );
    expect(all.flatMap(accused)).toEqual([]);
  });

  test('stopped for 10 s is convicted, and convicts nobody on waking', async ({ herd }) => {
    const { all, third, others, uid } = await five(herd, []);
    third.signal('SIGSTOP');
    const stopped = elapsed(10_000);
    await herd.see('it is unreachable for all', BOUNDS.unreachable, others, (sight) =>
      isUnreachable(sight, uid),
    );
    await stopped;
    third.signal('SIGCONT');
    await herd.formed(all);
    expect(new Set(all.flatMap(accused))).toEqual(new Set([uid]));
    expect(third.told('localPauseDetected')).toBeDefined();
  });
});

describe.concurrent('with detector.kind=swim', LONG, () => {
  const SWIM = ['detector.kind=swim', 'detector.profile=local', 'downing.stableAfter=2s'];

  test('a killed process is removed, and its next run is let in', async ({ herd }) => {
    const { all, third, others, uid } = await five(herd, SWIM);
    third.signal('SIGKILL');
    // Patience with a suspect is at its longest in a cluster of five: 3 x 6 probe intervals.
    const bound = 2 * (BOUNDS.unreachable + BOUNDS.removed);
    await herd.see(
      'it is removed',
      bound,
      others,
      (sight) => isOneCluster(sight) && viewsOf(sight, uid).every((view) => view === undefined),
    );
    const again = herd.restart(third);
    await herd.formed(all.map((node) => (node === third ? again : node)));
    expect(new Set(others.flatMap(accused))).toEqual(new Set([uid]));
  });
});
