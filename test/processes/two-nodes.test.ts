import { describe, expect } from 'vitest';
import { type Herd, LONG, type NodeRun, test } from './herd.testing.js';
import type { Place } from './places.testing.js';
import { BOUNDS, elapsed } from './until.testing.js';

const SECONDS = { stableAfter: 2, unstableAfter: 2 };
const QUICK = Object.entries(SECONDS).map(([name, s]) => `downing.${name}=${s}s`);
/** A silence that convicts, and then own fate. */
const STOPS_ITSELF = BOUNDS.unreachable + 4_000 * (SECONDS.stableAfter + SECONDS.unstableAfter + 1);

async function two(herd: Herd): Promise<[NodeRun, NodeRun]> {
  const [lower, higher] = (await herd.places(2)) as [Place, Place];
  const both = herd.startAll([lower, higher], { set: QUICK }) as [NodeRun, NodeRun];
  await herd.formed(both);
  return both;
}

describe.concurrent('of two nodes', LONG, () => {
  test('either leaves and comes back', async ({ herd }) => {
    let both: readonly NodeRun[] = await two(herd);
    for (const which of [0, 1]) {
      const leaver = both[which] as NodeRun;
      const rest = both[1 - which] as NodeRun;
      leaver.signal('SIGTERM');
      expect(await herd.exitOf(leaver, BOUNDS.left)).toBe(0);
      await herd.formed([rest], BOUNDS.left);
      const again = herd.restart(leaver);
      both = which === 0 ? [again, rest] : [rest, again];
      await herd.formed(both);
      expect(rest.told('memberUnreachable')).toBe(false);
    }
  });

  test('the higher is killed and comes back, and needs nobody', async ({ herd }) => {
    const [lower, higher] = await two(herd);
    const uid = await higher.uid();
    higher.signal('SIGKILL');
    await elapsed(1_000);
    const again = herd.restart(higher);
    await herd.formed([lower, again]);
    expect(lower.told('memberRemoved', uid)).toBe(true);
  });

  test('the higher is killed, and the lower goes on alone', async ({ herd }) => {
    const [lower, higher] = await two(herd);
    higher.signal('SIGKILL');
    await herd.formed([lower], STOPS_ITSELF);
    expect(lower.told('memberUnreachable')).toBe(true);
  });

  test('the lower is killed: the other stops itself and says why, and both start anew', async ({
    herd,
  }) => {
    const [lower, higher] = await two(herd);
    lower.signal('SIGKILL');
    await elapsed(1_000);
    const founder = herd.restart(lower);
    expect(await herd.exitOf(higher, STOPS_ITSELF)).toBe(3);
    const last = higher.log.at(-1);
    expect(last).toMatchObject({ event: 'ended', reason: 'notQuorate', exitCode: 3 });
    expect(last?.msg).toContain(lower.place.address);
    await herd.formed([founder], BOUNDS.formWithoutSeed);
    const again = herd.restart(higher);
    await herd.formed([founder, again]);
  });
});
