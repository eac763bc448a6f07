import type { GapsAnswer, LinksAnswer } from '@rollcall/management';
import { describe, expect } from 'vitest';
import { LONG, type NodeRun, test } from './herd.testing.js';
import type { Place } from './places.testing.js';
import { isUnreachable } from './sight.testing.js';
import { BOUNDS, until } from './until.testing.js';

interface Health {
  readonly status: number;
  readonly reasons: readonly string[];
}

/** What `watch --json` prints: members at first, then each event. */
interface Told {
  readonly type?: string;
  readonly member?: { readonly node: string };
}

async function health({ place }: NodeRun, route: string): Promise<Health> {
  const response = await fetch(`${place.management}${route}`);
  const { reasons } = (await response.json()) as { reasons: readonly string[] };
  return { status: response.status, reasons };
}

const probes = async (node: NodeRun): Promise<string> => {
  const all = await Promise.all(['/alive', '/startup', '/ready'].map((r) => health(node, r)));
  return all.map(({ status }) => status).join(' ');
};

describe.concurrent('an operator', LONG, () => {
  test('marks a member down: it ends with exit code 3, the others go on', async ({ herd }) => {
    const [a, b, c] = herd.startAll(await herd.places(3)) as [NodeRun, NodeRun, NodeRun];
    await herd.formed([a, b, c]);
    const down = (node: NodeRun, at: NodeRun) =>
      herd.command('down', node.place.address, '--management', at.place.management);
    const done = await down(c, a);
    expect([done.ended, done.out]).toEqual([0, `Downing ${c.place.address}\n`]);
    expect(await herd.exitOf(c, BOUNDS.soon)).toBe(3);
    expect(c.log.at(-1)).toMatchObject({ event: 'ended', reason: 'removed', exitCode: 3 });
    await herd.formed([a, b], BOUNDS.soon);

    // The lower of two is the quorum: without it nothing could ever be agreed on.
    const refused = await down(a, b);
    expect([refused.ended, refused.out]).toEqual([1, '']);
    expect(refused.err).toContain(a.place.address);
    expect(refused.err).toMatch(/quorum/);
    expect(refused.err).toMatch(/bring .*back/i);
    expect(refused.err).toMatch(/stop .*found/i);
    await herd.formed([a, b], BOUNDS.soon);
    const unknown = await down(c, a);
    expect(unknown.ended).toBe(1);
    expect(unknown.err).toMatch(/answers 404: no member is known here/);
  });

  test('watches a member come, asks it to leave, and sees it go', async ({ herd }) => {
    const [a, b] = (await herd.places(2)) as [Place, Place];
    const first = herd.start(a, { seeds: [a] });
    await herd.formed([first]);
    const watch = herd.begin('watch', '--json', '--management', a.management);
    const seen = () => watch.printed<Told>().map(({ type, member }) => `${type} ${member?.node}`);
    const sees = (event: string) =>
      until(`it sees ${event}`, BOUNDS.start, seen, (all) => all.includes(`${event} ${b.address}`));
    await until('it has an answer', BOUNDS.start, seen, ({ length }) => length > 0);
    const second = herd.start(b, { seeds: [a] });
    await sees('MemberUp');
    const leave = await herd.command('leave', `127.0.0.1:${b.port}`, '--management', a.management);
    expect([leave.ended, leave.out]).toEqual([0, `Leaving ${b.address}\n`]);
    expect(await herd.exitOf(second, BOUNDS.left)).toBe(0);
    await sees('MemberRemoved');
    watch.signal('SIGTERM');
    expect(await herd.exitOf(watch, BOUNDS.soon)).toBe(0);
  });

  test('asks why nothing moves, and is told whom to wait for', async ({ herd }) => {
    const [seed, place] = (await herd.places(2)) as [Place, Place];
    const node = herd.start(place, { seeds: [seed] });
    await herd.listening([node]);
    const ask = () => herd.command('blockers', '--management', place.management);
    const blockers = await ask();
    expect(blockers.ended).toBe(0);
    expect(blockers.out).toContain(seed.address);
    await herd.formed([herd.start(seed, { seeds: [seed] }), node]);
    expect((await ask()).out).toMatch(/^Nothing is in the way/);
  });

  test('is told by /alive, /startup and /ready what a node is good for', async ({ herd }) => {
    const [a, b] = (await herd.places(2)) as [Place, Place];
    const set = ['downing.strategy=manual', 'members.min=2'];
    const higher = herd.start(b, { seeds: [a, b], set });
    await herd.listening([higher]);
    expect(await probes(higher)).toBe('200 503 503');
    const { reasons } = await health(higher, '/ready');
    expect(reasons.join()).toMatch(/no cluster has published it as Up yet/);
    const lower = herd.start(a, { seeds: [a, b], set });
    await herd.formed([lower, higher]);
    for (const node of [lower, higher]) expect(await probes(node)).toBe('200 200 200');

    // Who is the quorum stays ready while another is missing; who has lost it does not, and lives on.
    const uid = await higher.uid();
    higher.signal('SIGSTOP');
    await herd.see('it is missed', BOUNDS.unreachable, [lower], (sight) =>
      isUnreachable(sight, uid),
    );
    expect(await probes(lower)).toBe('200 200 200');
    higher.signal('SIGCONT');
    await herd.formed([lower, higher], BOUNDS.warm);
    lower.signal('SIGKILL');
    const look = () => probes(higher);
    await until('it has no quorum', BOUNDS.unreachable, look, (seen) => seen === '200 200 503');
    const why = (await health(higher, '/ready')).reasons.join();
    expect(why).toContain(a.address);
  });

  test('asks what the observed gaps call for', async ({ herd }) => {
    const set = ['heartbeat.interval=50ms', 'detector.acceptablePause=2s'];
    const [a, b] = (await herd.places(2)) as [Place, Place];
    const nodes = [a, b].map((place) => herd.start(place, { seeds: [a, b], set }));
    await herd.formed(nodes);
    const at = ['--management', a.management];
    const early = await herd.command('tune', ...at);
    expect(`${early.out}${early.err}`).toMatch(/gaps/);
    const gaps = async () => {
      const answer = await fetch(`${a.management}/cluster/links?gaps=64`);
      const { links } = (await answer.json()) as LinksAnswer;
      return links[0]?.gaps;
    };
    const isEnough = (seen: GapsAnswer | undefined) => (seen?.count ?? 0) > 120;
    await until('gaps enough to judge by', BOUNDS.warm, gaps, isEnough);
    expect((await gaps())?.longestMs).toHaveLength(64);

    const done = await herd.command('tune', ...at);
    expect([done.ended, done.err]).toEqual([0, '']);
    expect(done.out).toMatch(new RegExp(`^1 link of ${a.address}: \\d+ gaps`));
    expect(done.out).toContain('acceptable pause 2s');
    expect(done.out).toMatch(/Mistakes a year, expected on a healthy link/);
    const plain = await herd.command('tune', '--json', ...at);
    const [value] = [JSON.parse(plain.out)];
    expect(value.detector).toMatchObject({ kind: 'phi-normal', intervalMs: 50 });
    expect(value.costs).toHaveLength(70);

    const links = await herd.command('links', ...at);
    expect(links.out).toContain(`${b.address}  available`);
  });
});
