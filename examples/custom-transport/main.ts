/** Three nodes over a transport of one's own: a cluster in one process, and not a socket in it. */
import { type Cluster, type Ports, readSettings, silentLogger, startCluster } from '@rollcall/core';
import { systemClock, systemRandom } from 'rollcall';
import { filter, firstValueFrom, timeout } from 'rxjs';
import { MemoryNetwork, MemoryTransport } from './memory-transport.js';

/** The ports through which everything outside a node comes; `join` brings all of them. */
const real = { clock: systemClock, random: systemRandom };
const resolver = { resolve: async (seed: string) => [seed] };

const network = new MemoryNetwork();
const settings = readSettings({ profile: 'local' });
const seeds = ['ws://web:1'];

async function start(name: string): Promise<Cluster> {
  const listen = `ws://${name}:1`;
  const transport = new MemoryTransport({ network, listen, settings, ...real });
  const ports: Ports = { transport, ...real, resolver, logger: silentLogger };
  const options = { name: 'custom-transport', seeds, roles: [name], appVersion: '1', settings };
  const cluster = await startCluster(options, ports);
  await cluster.up();
  console.log(`${name} is up`);
  return cluster;
}

const [web, db, worker] = [await start('web'), await start('db'), await start('worker')];
db.answer(({ body }) => ({ at: new Date(0), rows: new Map([[body, 3n]]) }));
console.log('db answers', await web.ask(db.self.node, 'apples'));

await worker.leave();
const left$ = web.state$.pipe(filter(({ members }) => members.length === 2));
const { members } = await firstValueFrom(left$.pipe(timeout(20_000)));
console.log(`worker left: ${members.map(({ roles }) => roles).join(' and ')} are members`);

const sockets = process.getActiveResourcesInfo().filter((kind) => /TCP(Socket|Server)/.test(kind));
console.log(`sockets in use: ${sockets.length}`);
if (sockets.length > 0) throw new Error('not seen: a cluster without a socket');
await Promise.all([web.leave(), db.leave()]);
