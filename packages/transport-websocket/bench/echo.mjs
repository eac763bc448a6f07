/**
 * What the transport costs on top of a bare WebSocket: a control frame to a peer and back, against the
 * same bytes through `ws` alone, in the same process and in turns. It informs and does not judge.
 * Build first, then:
 *
 *     node packages/transport-websocket/bench/echo.mjs
 */
import { agreedSettings, nodeKey, PROTOCOL, readSettings, silentLogger } from '@rollcall/core';
import { WebSocket, WebSocketServer } from 'ws';
import { WebSocketTransport } from '../dist/index.js';

const frames = 20_000;
const repetitions = 7;
const windows = [1, 64];
const sizes = [80, 1_024];

const clock = {
  nowMs: () => performance.now(),
  schedule: (afterMs, run) => {
    const timer = setTimeout(run, afterMs);
    return () => clearTimeout(timer);
  },
};
const random = { next: Math.random, uid: () => '0'.repeat(16) };
const settings = readSettings({ limits: { framesPerSecond: 1_000_000 } });

/** An echo: `send` takes bytes, `onAnswer` is called with what comes back. */
async function bare() {
  const server = new WebSocketServer({ host: '127.0.0.1', port: 0, perMessageDeflate: false });
  server.on('connection', (ws) => ws.on('message', (data) => ws.send(data)));
  await new Promise((resolve) => server.once('listening', resolve));
  const client = new WebSocket(`ws://127.0.0.1:${server.address().port}`, {
    perMessageDeflate: false,
  });
  await new Promise((resolve) => client.once('open', resolve));
  const echo = { onAnswer: () => {}, send: (bytes) => client.send(bytes) };
  client.on('message', (data) => echo.onAnswer(data));
  echo.close = () => {
    client.terminate();
    server.close();
  };
  return echo;
}

async function transports() {
  const nothing = { linkUp() {}, linkDown() {}, frame() {}, dialFailed() {}, message() {} };
  const start = async (uid, events) => {
    const options = { listen: 'ws://127.0.0.1:0', settings, clock, random, logger: silentLogger };
    const transport = new WebSocketTransport(options);
    const address = await transport.listen({ ...nothing, ...events });
    const self = nodeKey(address, uid);
    const agreed = agreedSettings(settings);
    transport.identify({ cluster: 'bench', protocol: PROTOCOL, self, settings: agreed });
    return { transport, address, self };
  };
  const echo = { onAnswer: () => {} };
  let linked;
  const isLinked = new Promise((resolve) => {
    linked = resolve;
  });
  const far = await start('far', {
    frame: (from, bytes) => far.transport.send(from, bytes, 'heartbeat'),
  });
  const near = await start('near', {
    linkUp: () => linked(),
    frame: (_, bytes) => echo.onAnswer(bytes),
  });
  near.transport.link(far.address);
  await isLinked;
  echo.send = (bytes) => near.transport.send(far.self, bytes, 'heartbeat');
  echo.close = () => Promise.all([near.transport.close(), far.transport.close()]);
  return echo;
}

/** Round trips a second with so many frames under way. */
function measure(echo, bytes, window) {
  return new Promise((resolve) => {
    let sent = 0;
    let answered = 0;
    const startMs = performance.now();
    const send = () => {
      sent += 1;
      echo.send(bytes);
    };
    echo.onAnswer = () => {
      answered += 1;
      if (sent < frames) send();
      else if (answered === frames) resolve((frames / (performance.now() - startMs)) * 1_000);
    };
    for (let n = 0; n < window; n++) send();
  });
}

const median = (values) => values.sort((a, b) => a - b)[values.length >> 1];
const row = (...cells) => console.log(cells.map((cell) => String(cell).padStart(16)).join(''));

const [raw, ours] = [await bare(), await transports()];
row('bytes', 'under way', 'ws alone, /s', 'transport, /s', 'ratio');
for (const size of sizes) {
  const bytes = Buffer.alloc(size, 1);
  for (const window of windows) {
    const rates = { raw: [], ours: [] };
    for (let n = 0; n < repetitions; n++) {
      rates.raw.push(await measure(raw, bytes, window));
      rates.ours.push(await measure(ours, bytes, window));
    }
    const [a, b] = [median(rates.raw), median(rates.ours)];
    row(size, window, Math.round(a), Math.round(b), (b / a).toFixed(2));
  }
}
raw.close();
await ours.close();
