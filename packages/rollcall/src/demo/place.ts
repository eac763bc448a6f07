/** A place in the cluster: an address and what belongs to it, whichever process is there now. */
import { createServer, type Server } from 'node:net';

export interface Place {
  /** 1 for the first. */
  readonly number: number;
  readonly address: string;
  /** `http://host:port`. */
  readonly management: string;
}

/** Places on ports of this machine that are free now. */
export async function findPlaces(count: number): Promise<readonly Place[]> {
  const held = await Promise.all(Array.from({ length: count * 2 }, hold));
  const ports = held.map(({ port }) => port);
  await Promise.all(held.map(({ server }) => new Promise((closed) => server.close(closed))));
  return Array.from({ length: count }, (_, i) => ({
    number: i + 1,
    address: `ws://127.0.0.1:${ports[i]}`,
    management: `http://127.0.0.1:${ports[count + i]}`,
  }));
}

/** Held until all are found, so that none is found twice. */
function hold(): Promise<{ readonly server: Server; readonly port: number }> {
  return new Promise((resolve, reject) => {
    const server = createServer().once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const bound = server.address();
      resolve({ server, port: typeof bound === 'object' && bound !== null ? bound.port : 0 });
    });
  });
}
