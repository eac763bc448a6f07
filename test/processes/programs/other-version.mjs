/** Listens as a node of a later protocol does, and says so to whoever asks. */
import { setTimeout as after } from 'node:timers/promises';
import { agreedSettings, nodeKey, readSettings, silentLogger } from '@rollcall/core';
import { WebSocketTransport } from '@rollcall/transport-websocket';

const [listen] = process.argv.slice(2);
const settings = readSettings();
const transport = new WebSocketTransport({
  listen,
  settings,
  clock: {
    nowMs: () => performance.now(),
    schedule(ms, run) {
      const stop = new AbortController();
      after(ms, undefined, stop).then(run, () => undefined);
      return () => stop.abort();
    },
  },
  random: { next: Math.random, uid: () => '00000000000000f2' },
  logger: silentLogger,
});
const ignore = () => undefined;
const address = await transport.listen({
  linkUp: ignore,
  linkDown: ignore,
  frame: ignore,
  dialFailed: ignore,
  message: ignore,
});
transport.identify({
  cluster: 'herd',
  protocol: { min: 2, max: 3 },
  self: nodeKey(address, '00000000000000f2'),
  settings: agreedSettings(settings),
});
process.stdout.write('{"listens":true}\n');
