/**
 * Echoes over loopback, each a frame to a peer and one back: `ws` alone, and two transports. An echo
 * has `send`, which sends one frame, and calls `onAnswer` for each that comes back.
 */
import { agreedSettings, nodeKey, PROTOCOL, readSettings, silentLogger } from '@rollcall/core';
import { WebSocket, WebSocketServer } from 'ws';
import { WebSocketTransport } from '../dist/index.js';

export const clock = {
  nowMs: () => performance.now(),
  schedule: (afterMs, run) => {
    const timer = setTimeout(run, afterMs);
    return () => clearTimeout(timer);
  },
};
const uid = () => Math.random().toString(16).slice(2).padEnd(16, '0').slice(0, 16);
export const random = { next: Math.random, uid };

/** The raw limit. */
export async function bareEcho(size) {
  const server = new WebSocketServer({ host: '127.0.0.1', port: 0, perMessageDeflate: false });
  server.on('connection', (ws) => ws.on('message', (data) => ws.send(data)));
  await new Promise((resolve) => server.once('listening', resolve));
  const client = new WebSocket(`ws://127.0.0.1:${server.address().port}`, {
    perMessageDeflate: false,
  });
  await new Promise((resolve) => client.once('open', resolve));
  const bytes = Buffer.alloc(size, 1);
  const echo = { onAnswer: () => {}, send: () => client.send(bytes) };
  client.on('message', () => echo.onAnswer());
  echo.close = () => {
    client.terminate();
    server.close();
  };
  return echo;
}

export async function transportEcho(size) {
  const settings = readSettings({ limits: { framesPerSecond: 1_000_000 } });
  const nothing = { linkUp() {}, linkDown() {}, frame() {}, dialFailed() {}, message() {} };
  const start = async (events) => {
    const options = { listen: 'ws://127.0.0.1:0', settings, clock, random, logger: silentLogger };
    const transport = new WebSocketTransport(options);
    const address = await transport.listen({ ...nothing, ...events });
    const self = nodeKey(address, uid());
    const agreed = agreedSettings(settings);
    transport.identify({ cluster: 'bench', protocol: PROTOCOL, self, settings: agreed });
    return { transport, address, self };
  };
  const bytes = Buffer.alloc(size, 1);
  const echo = { onAnswer: () => {} };
  const far = await start({ frame: (from) => far.transport.send(from, bytes, 'heartbeat') });
  let near;
  await new Promise((resolve, reject) => {
    start({ linkUp: resolve, frame: () => echo.onAnswer() }).then((started) => {
      near = started;
      near.transport.link(far.address);
    }, reject);
  });
  echo.send = () => near.transport.send(far.self, bytes, 'heartbeat');
  echo.close = () => Promise.all([near.transport.close(), far.transport.close()]);
  return echo;
}

/** Round trips per second of this process's CPU, with so many frames under way. */
export function roundTrips(echo, frames, window) {
  return new Promise((resolve) => {
    let sent = 0;
    let answered = 0;
    const before = process.cpuUsage();
    const send = () => {
      sent++;
      echo.send();
    };
    echo.onAnswer = () => {
      answered++;
      if (sent < frames) send();
      else if (answered === frames) {
        const { user, system } = process.cpuUsage(before);
        resolve((frames * 1e6) / (user + system));
      }
    };
    for (let n = 0; n < window; n++) send();
  });
}

/** Median rates of several echoes, measured in turns, so that what disturbs one disturbs all. */
export async function medianRates(echoes, { frames, window, repetitions }) {
  const rates = echoes.map(() => []);
  for (let turn = 0; turn <= repetitions; turn++) {
    for (const [i, echo] of echoes.entries()) {
      const rate = await roundTrips(echo, frames, window);
      // The first turn is for the compiler.
      if (turn > 0) rates[i].push(rate);
    }
  }
  return rates.map((each) => each.sort((a, b) => a - b)[each.length >> 1]);
}
