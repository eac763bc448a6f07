/** The Transport port's suite against all of its implementations: on sockets, simulated, and the one of an example. */
import { type Clock, readSettings, silentLogger, type Transport } from '@rollcall/core';
import {
  Counters,
  Scheduler,
  SeededRandom,
  SimulatedClock,
  SimulatedNetwork,
  SimulatedTransport,
  Trace,
} from '@rollcall/simulator';
import { WebSocketTransport } from '@rollcall/transport-websocket';
import { MemoryNetwork, MemoryTransport } from '../examples/custom-transport/memory-transport.js';
import type { TransportNetwork } from './conformance/transport-bench.js';
import { transportSuite } from './conformance/transport-suite.js';

const random = { next: () => Math.random(), uid: () => '0'.repeat(16) };
const systemClock: Clock = {
  nowMs: () => performance.now(),
  schedule: (afterMs, run) => {
    const timer = setTimeout(run, afterMs);
    return () => clearTimeout(timer);
  },
};

/** Real time goes by itself. */
async function untilSeen(what: string, fact: () => boolean): Promise<void> {
  const deadlineMs = systemClock.nowMs() + 10_000;
  while (!fact()) {
    if (systemClock.nowMs() > deadlineMs) throw new Error(`never happened: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
}

function loopback(secret?: string): TransportNetwork {
  return {
    // The discard port: reserved, and nobody's.
    nobody: 'ws://127.0.0.1:9',
    create: ({ settings, address }): Transport =>
      new WebSocketTransport({
        listen: address ?? 'ws://127.0.0.1:0',
        settings: readSettings(settings),
        secret,
        clock: systemClock,
        random,
        logger: silentLogger,
      }),
    until: untilSeen,
    close: async () => {},
  };
}

function inMemory(): TransportNetwork {
  const network = new MemoryNetwork();
  let made = 0;
  return {
    nobody: 'ws://nobody:1',
    create: ({ settings, address }): Transport => {
      const listen = address ?? `ws://node${++made}:1`;
      const read = readSettings(settings);
      return new MemoryTransport({ network, listen, settings: read, clock: systemClock, random });
    },
    until: untilSeen,
    close: async () => {},
  };
}

function simulated(): TransportNetwork {
  const scheduler = new Scheduler();
  const trace = new Trace({ detail: 'events', keep: 1_000 }, () => scheduler.nowMs);
  const network = new SimulatedNetwork(scheduler, new SeededRandom(1, 'network'), trace, 1);
  let made = 0;
  return {
    nobody: 'ws://nobody:7355',
    create: ({ settings, address: before }): Transport => {
      made += 1;
      const address = before ?? `ws://node${made}:7355`;
      const host = address.replace(/^ws:\/\/|:\d+$/g, '');
      return new SimulatedTransport({
        host,
        address,
        network,
        clock: new SimulatedClock(scheduler),
        random: new SeededRandom(1, host, made),
        limits: readSettings(settings).limits,
        counters: new Counters(),
        trace,
        settleSoon: () => scheduler.settleSoon(),
      });
    },
    until: async (what, fact) => {
      const deadlineMs = scheduler.nowMs + 60_000;
      while (!fact()) {
        if (scheduler.nowMs >= deadlineMs) throw new Error(`never happened: ${what}`);
        // Promises settle before virtual time goes on.
        await new Promise((resolve) => setImmediate(resolve));
        scheduler.walk(scheduler.nowMs + 1);
      }
    },
    close: async () => {},
  };
}

transportSuite('WebSocketTransport', () => loopback());
transportSuite('WebSocketTransport with a secret', () => loopback('sesame'));
transportSuite('SimulatedTransport', simulated);
transportSuite('MemoryTransport', inMemory);
