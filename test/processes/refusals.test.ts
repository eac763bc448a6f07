import { randomBytes } from 'node:crypto';
import { describe, expect } from 'vitest';
import { type Herd, LONG, type NodeOptions, type NodeRun, test } from './herd.testing.js';
import type { Place } from './places.testing.js';
import { upgrade } from './raw-websocket.testing.js';
import { membership } from './sight.testing.js';
import { BOUNDS, until } from './until.testing.js';

/** A node that has only itself as a seed, with all that a joiner may differ in. */
async function alone(herd: Herd, options: Partial<NodeOptions> = {}): Promise<NodeRun> {
  const [place] = (await herd.places(1)) as [Place];
  const node = herd.start(place, { seeds: [place], ...options });
  await herd.formed([node]);
  return node;
}

/** One that asks to be let in, and what becomes of it. */
async function refused(herd: Herd, seeds: readonly (Place | string)[], more: Partial<NodeOptions>) {
  const [place] = (await herd.places(1)) as [Place];
  const joiner = herd.start(place, { seeds, ...more });
  expect(await herd.exitOf(joiner, BOUNDS.start)).toBe(4);
  const last = joiner.log.at(-1);
  expect(last).toMatchObject({ event: 'ended', exitCode: 4 });
  return { joiner, msg: last?.msg ?? '', reason: last?.reason };
}

describe.concurrent('a joiner is told by whom and why, with exit code 4, if', LONG, () => {
  test('its cluster name, secret or downing settings are others', async ({ herd }) => {
    const flags = (text: string) => ['--secret-file', herd.file(text)];
    const [right, wrong] = [flags('open sesame'), flags('open barley')];
    const node = await alone(herd, { flags: right });
    const before = await node.members();
    const { address } = node.place;
    const cases: readonly (readonly [Partial<NodeOptions>, RegExp])[] = [
      [{ name: 'flock', flags: right }, /is in a cluster named 'herd', not 'flock'/],
      [{}, /asks for a secret and ws:\S+ has none/],
      [{ flags: wrong }, /has another secret than/],
      [
        { flags: right, set: ['downing.strategy=keep-oldest'] },
        /downing\.strategy is (?=.*keep-majority)(?=.*keep-oldest)/,
      ],
      [
        { flags: right, set: ['downing.stableAfter=7s', 'downing.unstableAfter=15s'] },
        /downing\.stableAfter is (?=.*20s)(?=.*7s)/,
      ],
    ];
    const told = await Promise.all(cases.map(([more]) => refused(herd, [node.place], more)));
    for (const [i, { msg, reason }] of told.entries()) {
      expect(reason).toBe('refused');
      expect(msg).toContain(`refused by ${address}`);
      expect(msg).toMatch(cases[i]?.[1] ?? /never/);
    }
    expect(membership(await node.members())).toEqual(membership(before));
    expect(node.told('memberJoined')).toBe(false);
  });

  test('its seed speaks another protocol', async ({ herd }) => {
    const [place] = (await herd.places(1)) as [Place];
    const later = herd.program('other-version.mjs', place.address);
    await until('it listens', BOUNDS.start, () => later.printed().length, Boolean);
    const { msg, reason } = await refused(herd, [place], {});
    expect(reason).toBe('refused');
    expect(msg).toContain(`refused by ${place.address}: `);
    expect(msg).toMatch(/speaks protocol 2 to 3, this node 1/);
  });

  test('its address is that of a member, which is left alone', async ({ herd }) => {
    const [a, b] = herd.startAll(await herd.places(2)) as [NodeRun, NodeRun];
    const before = await herd.formed([a, b]);
    // The first seed's: who has that address and finds nobody else would found.
    const flags = ['--advertise', a.place.address];
    const { joiner, msg } = await refused(herd, [a.place, b.place], { flags });
    expect(msg).toContain(`refused by ${b.place.address}: ${a.place.address} is held by a run`);
    expect(joiner.log.some((line) => line.why?.startsWith('founded'))).toBe(false);
    const after = await herd.formed([a, b]);
    expect(after.map(({ answer }) => answer?.epoch)).toEqual(
      before.map(({ answer }) => answer?.epoch),
    );
    expect([a.told('memberDowned'), b.told('memberDowned')]).toEqual([false, false]);
  });

  test('its seeds have no address', async ({ herd }) => {
    const seed = 'ws://nobody.invalid:18000';
    const { msg, reason } = await refused(herd, [seed], { set: ['join.giveUpAfter=4s'] });
    expect(reason).toBe('gaveUp');
    expect(msg).toContain(`seed ${seed}: nobody.invalid cannot be resolved`);
  });
});

describe.concurrent('a node', LONG, () => {
  test('without seeds is not started: exit code 2, naming the flag', async ({ herd }) => {
    const node = await herd.command('node', '--name', 'herd', '--listen', 'ws://127.0.0.1:0');
    expect(node.ended).toBe(2);
    expect(node.err).toMatch(/^rollcall: a node needs --seed/);
  });

  test('tells a peer of another protocol so, and hangs up', async ({ herd }) => {
    const node = await alone(herd);
    const { socket } = await upgrade(node.place.port);
    socket?.say({
      type: 'hello',
      cluster: 'herd',
      protocol: { min: 2, max: 3 },
      self: 'ws://127.0.0.1:1#00000000000000f2',
      settings: [],
      lane: 'control',
      nonce: randomBytes(32).toString('base64url'),
      secured: false,
      tls: false,
    });
    await until('it hangs up', BOUNDS.soon, () => socket?.isClosed, Boolean);
    const said = socket?.heard.map((text) => JSON.parse(text)) ?? [];
    expect(said.map(({ type }) => type)).toEqual(['hello', 'refuse']);
    expect(said[1]).toMatchObject({
      code: 'protocol',
      message: expect.stringMatching(/2 to 3, this node 1/),
    });
  });

  test('turns web pages away', async ({ herd }) => {
    const { place } = await alone(herd);
    const page = await upgrade(place.port, { Origin: 'http://evil.example' });
    expect(page.status).toBe(403);
    expect(page.body).toContain(`the origin 'http://evil.example' is not allowed`);
    const peer = await upgrade(place.port);
    expect(peer.status).toBe(101);
    peer.socket?.close();
    // Nor may a page change anything over HTTP.
    const url = `${place.management}/cluster/members/127.0.0.1:${place.port}`;
    const headers = { Origin: 'http://evil.example' };
    const change = await fetch(url, { method: 'DELETE', headers });
    expect(change.status).toBe(403);
  });
});
