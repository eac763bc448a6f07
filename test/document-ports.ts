/** Ports for the programs in documents: those that are written there stand for any that are free. */
import { createServer } from 'node:net';

/** Ports that documents use; each program gets free ones in their place. */
export const PORTS = [7355, 7356, 7357, 7358, 7359];

export async function freePorts(): Promise<number[]> {
  const servers = await Promise.all(
    PORTS.map(
      () =>
        new Promise<ReturnType<typeof createServer>>((listening) => {
          const server = createServer().listen(0, '127.0.0.1', () => listening(server));
        }),
    ),
  );
  const ports = servers.map((server) => (server.address() as { port: number }).port);
  await Promise.all(servers.map((server) => new Promise((closed) => server.close(closed))));
  return ports;
}

export function swapped(text: string, from: readonly number[], to: readonly number[]): string {
  return from.reduce((t, port, i) => t.replaceAll(`:${port}`, `:${to[i]}`), text);
}
