import { fileURLToPath } from 'node:url';
import { describe, expect } from 'vitest';
import { LONG, type NodeRun, test } from './herd.testing.js';
import type { Place } from './places.testing.js';
import { allAnswer, membership } from './sight.testing.js';
import { BOUNDS, until } from './until.testing.js';

/** One of them founded, nobody met another cluster, and nobody ever was in one that is gone. */
function expectOneFounder(nodes: readonly NodeRun[]): void {
  const founders = nodes.filter(({ log }) => log.some(({ why }) => why?.startsWith('founded')));
  expect(founders).toHaveLength(1);
  for (const event of ['islandDetected', 'memberRemoved'])
    expect(nodes.filter((node) => node.told(event))).toEqual([]);
}

function shuffled<T>(items: readonly T[]): readonly T[] {
  return items
    .map((item) => ({ item, rank: Math.random() }))
    .sort((a, b) => a.rank - b.rank)
    .map(({ item }) => item);
}

describe.concurrent('processes become one cluster', LONG, () => {
  test('five in any order, the first seed last', async ({ herd }) => {
    const [a, b, c, d, e] = (await herd.places(5)) as [Place, Place, Place, Place, Place];
    // The first seed is not the lowest address: it is its place in the list that counts.
    const options = { seeds: [c, a, e], set: ['join.seedTimeout=1s'] };
    const early = shuffled([a, b, d, e]).map((place) => herd.start(place, options));
    await herd.listening(early);
    const patient = () => early.filter((node) => !node.told('joinStalled')).map((n) => n.title);
    await until('all four wait', BOUNDS.soon, patient, ({ length }) => length === 0);
    for (const { node, answer } of await herd.see('all answer', BOUNDS.soon, early, allAnswer))
      expect([node.title, ...membership(answer)]).toEqual([node.title]);
    const all = [...early, herd.start(c, options)];
    await herd.formed(all);
    expectOneFounder(all);
  });

  test('two with mirrored seed lists', async ({ herd }) => {
    const [a, b] = (await herd.places(2)) as [Place, Place];
    const both = [herd.start(a, { seeds: [a, b] }), herd.start(b, { seeds: [b, a] })];
    await herd.formed(both);
    expectOneFounder(both);
  });

  test('three seeds, one of them dead', async ({ herd }) => {
    const places = await herd.places(3);
    const [a, , c] = places as [Place, Place, Place];
    const both = herd.startAll([a, c], { seeds: places });
    await herd.formed(both, BOUNDS.formWithoutSeed);
    expectOneFounder(both);
  });

  test('three over TLS, who know a secret', async ({ herd }) => {
    const places = await herd.places(3, 'wss');
    const file = (name: string) => fileURLToPath(new URL(`tls/${name}.pem`, import.meta.url));
    const [cert, key] = [file('cert'), file('key')];
    const tls = ['--tls-cert', cert, '--tls-key', key, '--tls-ca', cert];
    const secret = ['--secret-file', herd.file('open sesame\n')];
    await herd.formed(herd.startAll(places, { flags: [...tls, ...secret] }));
    // With the certificate alone nobody comes in.
    const [guest] = (await herd.places(1, 'wss')) as [Place];
    const stranger = herd.start(guest, { seeds: places, flags: tls });
    expect(await herd.exitOf(stranger, BOUNDS.start)).toBe(4);
    expect(stranger.log.at(-1)?.msg).toMatch(/asks for a secret and .* has none/);
  });

  test('one alone, which answers, leaves, and comes back', async ({ herd }) => {
    const [place] = (await herd.places(1)) as [Place];
    const first = herd.start(place, { seeds: [place] });
    await herd.formed([first]);
    const uid = await first.uid();
    const members = await herd.command('members', '--management', place.management);
    expect(members.ended).toBe(0);
    expect(members.out).toMatch(/ \* +Up +reachable .*\n\n1 member, 1 Up, none unreachable\. All/);
    const leave = await herd.command('leave', place.address, '--management', place.management);
    expect([leave.ended, leave.out]).toEqual([0, `Leaving ${place.address}\n`]);
    expect(await herd.exitOf(first, BOUNDS.left)).toBe(0);
    expect(first.log.at(-1)).toMatchObject({ event: 'ended', reason: 'left', exitCode: 0 });
    const second = herd.restart(first);
    await herd.formed([second]);
    expect(await second.uid()).not.toBe(uid);
  });
});
