/**
 * What a heartbeat costs from socket to socket: two whole nodes over their transports send each other
 * heartbeats as fast as they can, against `ws` alone echoing the same bytes. Each frame is decoded,
 * stepped through the machine, fed to the detector, and answered by a freshly encoded one.
 * Build first, then:
 *
 *     node packages/transport-websocket/bench/heartbeat.mjs
 */
import { fileURLToPath } from 'node:url';
import { encode, readSettings, silentLogger, startCluster } from '@rollcall/core';
import { WebSocketTransport } from '../dist/index.js';
import { bareEcho, clock, medianRates, random, transportEcho } from './echoes.mjs';

/** What the nodes say of their own accord stays out of the way. */
const settings = readSettings({
  heartbeat: { interval: '1m' },
  detector: { acceptablePause: '10m', firstReply: '1m' },
  join: { batchWindow: 0 },
  gossip: { farInterval: '60m' },
  limits: { framesPerSecond: 1_000_000 },
});

/** A transport that tells its node of each frame, and then somebody else. */
const tapped = (transport, tap) => ({
  listen: (events) => {
    const frame = (from, bytes) => {
      events.frame(from, bytes);
      tap(from);
    };
    return transport.listen({ ...events, frame });
  },
  identify: (hello) => transport.identify(hello),
  link: (address) => transport.link(address),
  unlink: (address) => transport.unlink(address),
  send: (to, bytes, slot) => transport.send(to, bytes, slot),
  drop: (peer, reason) => transport.drop(peer, reason),
  probe: (address, timeoutMs) => transport.probe(address, timeoutMs),
  post: (to, value) => transport.post(to, value),
  close: () => transport.close(),
});

class Talker {
  onBeat = () => {};
  #transport;
  #cluster;
  #seq = 1_000;

  /** The first founds a cluster; the others are given its address. */
  async start(founder) {
    const transport = new WebSocketTransport({
      listen: 'ws://127.0.0.1:0',
      settings,
      clock,
      random,
      logger: silentLogger,
    });
    const port = tapped(transport, (from) => this.onBeat(from));
    let started;
    const isStarted = new Promise((resolve) => {
      started = resolve;
    });
    const resolve = async () => {
      await isStarted;
      return [(founder ?? this).address];
    };
    const options = { name: 'bench', seeds: ['founder'], roles: [], appVersion: '1.0.0', settings };
    const ports = { transport: port, clock, random, resolver: { resolve }, logger: silentLogger };
    this.#transport = transport;
    this.#cluster = await startCluster(options, ports);
    started();
    await this.#cluster.up();
    return this;
  }

  get address() {
    return this.#cluster.self.address;
  }

  get node() {
    return this.#cluster.self.node;
  }

  /** Signs of life that its detector has taken from the other node. */
  get heard() {
    return this.#cluster.links[0]?.samples ?? 0;
  }

  get agrees() {
    const { members, convergence } = this.#cluster.state;
    return members.length === 2 && convergence;
  }

  beat() {
    const { epoch, digest } = this.#cluster.state;
    const status = { epoch, digest, seen: 'all' };
    return encode({ kind: 'heartbeat', seq: ++this.#seq, echo: 0, status });
  }

  sendBeat(to) {
    this.#transport.send(to, this.beat(), 'heartbeat');
  }

  close() {
    return this.#cluster.stop();
  }
}

async function nodeEcho() {
  const far = await new Talker().start();
  const near = await new Talker().start(far);
  while (!far.agrees || !near.agrees) await new Promise((resolve) => setTimeout(resolve, 20));
  const echo = { onAnswer: () => {}, send: () => near.sendBeat(far.node) };
  far.onBeat = (from) => far.sendBeat(from);
  near.onBeat = () => echo.onAnswer();
  echo.close = () => Promise.all([near.close(), far.close()]);
  return { echo, far, near, size: near.beat().length };
}

/** Round trips per second of CPU: `ws` alone, two transports, two nodes. */
export async function heartbeatRates(effort) {
  const { echo, far, near, size } = await nodeEcho();
  const echoes = [await bareEcho(size), await transportEcho(size), echo];
  const [raw, transport, stack] = await medianRates(echoes, effort);
  if (Math.min(far.heard, near.heard) < settings.detector.maxSamples) {
    throw new Error('the detectors were not fed, so nothing was measured');
  }
  for (const each of echoes) await each.close();
  return { size, raw, transport, stack };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  for (const window of [1, 64]) {
    const rates = await heartbeatRates({ frames: 10_000, window, repetitions: 7 });
    console.log({ window, ...rates, ratio: Number((rates.stack / rates.raw).toFixed(2)) });
  }
}
