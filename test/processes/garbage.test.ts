import { randomBytes, randomInt } from 'node:crypto';
import { connect, type Socket } from 'node:net';
import { expect } from 'vitest';
import { LONG, type NodeRun, test } from './herd.testing.js';
import type { Place } from './places.testing.js';
import { BINARY, type RawWebSocket, TEXT, upgrade } from './raw-websocket.testing.js';
import { membership } from './sight.testing.js';
import { BOUNDS, until } from './until.testing.js';

/** At once: fewer than `limits.connectionsPerAddress`, or nobody at all would be let in from here. */
const AT_ONCE = 16;

const bytes = (most: number): Buffer => randomBytes(randomInt(1, most));

async function often(count: number, once: () => Promise<unknown>): Promise<void> {
  for (let done = 0; done < count; done += AT_ONCE)
    await Promise.all(Array.from({ length: AT_ONCE }, once));
}

function open(port: number): Socket {
  return connect(port, '127.0.0.1').on('error', () => undefined);
}

async function socketTo(port: number): Promise<RawWebSocket> {
  const { socket, status } = await upgrade(port);
  if (socket === undefined) throw new Error(`no WebSocket, but ${status}`);
  return socket;
}

/** Long before `limits.idleLink` would have it hang up on anybody. */
const hung = (socket: RawWebSocket) =>
  until('it hangs up', BOUNDS.soon, () => socket.isClosed, Boolean);

/** No HTTP at all. */
async function noise(port: number): Promise<void> {
  const socket = open(port);
  const closed = new Promise((resolve) => socket.once('close', resolve));
  socket.resume().write(bytes(4_000));
  await closed;
}

/** Frames where a hello is due. */
async function frames(port: number): Promise<void> {
  const socket = await socketTo(port);
  for (let n = 0; n < 16; n += 1) socket.send(randomInt(2) === 0 ? TEXT : BINARY, bytes(2_000));
  socket.sendBytes(bytes(500));
  await hung(socket);
}

/** Frames of one who was let in as a node would be: it has learnt from the answer what to say. */
async function framesOfPeer(port: number, hello: object): Promise<void> {
  const socket = await socketTo(port);
  const nonce = randomBytes(32).toString('base64url');
  const self = `ws://127.0.0.1:1#${randomBytes(8).toString('hex')}`;
  socket.say({ ...hello, self, nonce });
  socket.say({ type: 'prove', mac: '' });
  await until('it is let in', BOUNDS.start, () => socket.heard.at(-1) ?? '', isWelcome);
  // Each begins as a real one does, with its kind.
  for (let n = 0; n < 16; n += 1)
    socket.send(BINARY, Buffer.concat([Buffer.from([randomInt(13)]), bytes(300)]));
  await hung(socket);
}

const isWelcome = (text: string): boolean => text.includes('"type":"welcome"');

async function helloOf(port: number): Promise<object> {
  const socket = await socketTo(port);
  const hello = { type: 'hello', cluster: 'x', protocol: { min: 1, max: 1 }, settings: [] };
  const nonce = randomBytes(32).toString('base64url');
  const self = 'ws://127.0.0.1:1#00000000000000aa';
  socket.say({ ...hello, self, nonce, lane: 'control', secured: false, tls: false });
  await hung(socket);
  return JSON.parse(socket.heard[0] ?? '{}') as object;
}

test(
  'thousands of random frames and half-open connections change nothing',
  LONG,
  async ({ herd }) => {
    const places = await herd.places(4);
    const nodes = herd.startAll(places.slice(0, 3), { seeds: places.slice(0, 3) });
    const [target] = nodes as [NodeRun];
    const { port } = target.place;
    const before = await herd.formed(nodes);
    const lines = nodes.map(({ log }) => log.filter(isAboutMember).length);

    const halfOpen = Array.from({ length: AT_ONCE }, () => open(port));
    for (const socket of halfOpen.slice(8)) socket.write('GET / HTTP/1.1\r\nConnection: Upgr');
    const silent = await socketTo(port);
    await often(64, () => noise(port));
    await often(96, () => frames(port));
    const hello = await helloOf(port);
    await often(96, () => framesOfPeer(port, hello));

    expect(target.ended).toBeUndefined();
    const after = await herd.formed(nodes, BOUNDS.soon);
    expect(after.map(({ answer }) => membership(answer))).toEqual(
      before.map(({ answer }) => membership(answer)),
    );
    expect(after.map(({ answer }) => answer?.epoch)).toEqual(
      before.map(({ answer }) => answer?.epoch),
    );
    expect(nodes.map(({ log }) => log.filter(isAboutMember).length)).toEqual(lines);
    const joiner = herd.start(places[3] as Place, { seeds: [target.place] });
    await herd.formed([...nodes, joiner]);
    // Those who never said anything were not waited for.
    await until('they are hung up on', BOUNDS.soon, () => silent.isClosed, Boolean);
    await until('so are these', BOUNDS.soon, () => halfOpen.every(({ closed }) => closed), Boolean);
  },
);

const isAboutMember = ({ event }: { readonly event?: string }): boolean =>
  event?.startsWith('member') === true;
