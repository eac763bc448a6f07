/** Addresses for the nodes of a test: free now, nobody else's for the rest of the run, never fixed. */
import { createServer } from 'node:net';

export interface Place {
  /** `ws://host:port`, or `wss://` where asked for. */
  readonly address: string;
  readonly port: number;
  /** `http://host:port`. */
  readonly management: string;
}

// Operating systems give outgoing connections a port from 32768 on: what is free below stays free.
const FIRST_PORT = 18_000;
const LAST_PORT = 32_767;
const handedOut = new Set<number>();

/** The lowest address first. */
export async function findPlaces(count: number, scheme = 'ws'): Promise<readonly Place[]> {
  const ports = await Promise.all(Array.from({ length: count * 2 }, findPort));
  const managed = ports.splice(count);
  ports.sort((a, b) => a - b);
  return ports.map((port, i) => ({
    address: `${scheme}://127.0.0.1:${port}`,
    port,
    management: `http://127.0.0.1:${managed[i]}`,
  }));
}

/** One that is free, and that no other test or connection is given by chance. */
export async function findPort(): Promise<number> {
  for (;;) {
    const port = FIRST_PORT + Math.floor(Math.random() * (LAST_PORT - FIRST_PORT));
    if (handedOut.has(port)) continue;
    handedOut.add(port);
    if (await isFree(port)) return port;
  }
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });
}
