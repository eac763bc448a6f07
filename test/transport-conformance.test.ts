/** The Transport port's suite against the transport that nodes really use, on loopback sockets. */
import { type Clock, readSettings, silentLogger, type Transport } from '@rollcall/core';
import { WebSocketTransport } from '@rollcall/transport-websocket';
import { type TransportNetwork, transportSuite } from './conformance/transport-suite.js';

const clock: Clock = {
  nowMs: () => performance.now(),
  schedule: (afterMs, run) => {
    const timer = setTimeout(run, afterMs);
    return () => clearTimeout(timer);
  },
};

const turn = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 1));

function loopback(secret?: string): TransportNetwork {
  return {
    // The discard port: reserved, and nobody's.
    nobody: 'ws://127.0.0.1:9',
    create: ({ settings, address }): Transport =>
      new WebSocketTransport({
        listen: address ?? 'ws://127.0.0.1:0',
        settings: readSettings(settings),
        secret,
        clock,
        random: { next: () => Math.random(), uid: () => '0'.repeat(16) },
        logger: silentLogger,
      }),
    until: async (what, fact) => {
      const deadlineMs = clock.nowMs() + 10_000;
      while (!fact()) {
        if (clock.nowMs() > deadlineMs) throw new Error(`never happened: ${what}`);
        await turn();
      }
    },
    close: async () => {},
  };
}

transportSuite('WebSocketTransport', () => loopback());
transportSuite('WebSocketTransport with a secret', () => loopback('sesame'));
